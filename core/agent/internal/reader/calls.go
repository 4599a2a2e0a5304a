// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// MaxCalls is how many tool calls are remembered by name, and MaxNames how many different names.
const (
	maxCalls = 50_000
	MaxNames = 2_000
)

// Calls remembers the tool of each call by its id, and the index of its result.
type Calls struct {
	Known []string
	calls map[uint64]call
}

type call struct {
	name  uint16 // index into known, plus one
	call  int32  // index of the call; -1 if unknown
	index int32  // index of the result; -1 before it
	about uint64 // hash of the file it is about; 0 for none
	dense bool   // the file is JSON, and agents assume smaller tokens for it
}

// Add stores the name of a call by its id, and the index of its item; -1 if it is unknown.
func (n *Calls) Add(id uint64, name string, index int) {
	if id == 0 || name == "" {
		return
	}
	if len(n.calls) >= maxCalls {
		n.calls = nil
	}
	if n.calls == nil {
		n.calls = make(map[uint64]call)
	}
	// An agent has few tools, so a scan is cheaper than a table.
	place := slices.Index(n.Known, name)
	if place < 0 {
		if len(n.Known) >= MaxNames {
			return
		}
		place = len(n.Known)
		n.Known = append(n.Known, name)
	}
	n.calls[id] = call{name: uint16(place + 1), call: int32(index), index: -1}
}

// Name returns the name of a call's tool, "" if the call is unknown.
func (n *Calls) Name(id uint64) string {
	c := n.calls[id]
	if c.name == 0 {
		return ""
	}
	return n.Known[c.name-1]
}

// Answers returns the index of the call that an item answers, plus one; 0 if it is unknown.
func (n *Calls) Answers(id uint64) int {
	if c, ok := n.calls[id]; ok {
		return int(c.call) + 1
	}
	return 0
}

// SetResultIndex stores the index of a call's result.
func (n *Calls) SetResultIndex(id uint64, index int) {
	if c, ok := n.calls[id]; ok {
		c.index = int32(index)
		n.calls[id] = c
	}
}

// ResultIndex returns the index of a call's result; ok is false before the result.
func (n *Calls) ResultIndex(id uint64) (int, bool) {
	c, ok := n.calls[id]
	return int(c.index), ok && c.index >= 0
}

// SetFile stores the file that a call is about; File returns it.
func (n *Calls) SetFile(id, file uint64) {
	if c, ok := n.calls[id]; ok {
		c.about = file
		n.calls[id] = c
	}
}

// MarkDense records that a call is about a JSON file; IsDense returns it.
func (n *Calls) MarkDense(id uint64) {
	if c, ok := n.calls[id]; ok {
		c.dense = true
		n.calls[id] = c
	}
}

// IsDense reports whether a call is about a JSON file.
func (n *Calls) IsDense(id uint64) bool { return n.calls[id].dense }

// File returns the hash of the file that a call is about, 0 if it is about none.
func (n *Calls) File(id uint64) uint64 { return n.calls[id].about }

// Orphans calls drop for every call whose result was removed.
func (n *Calls) Orphans(removed func(index int) bool, drop func(index int)) {
	var calls []int64
	for _, c := range n.calls {
		if c.call >= 0 && c.index >= 0 && removed(int(c.index)) && !removed(int(c.call)) {
			calls = append(calls, int64(c.call))
		}
	}
	slices.Sort(calls)
	for _, i := range calls {
		drop(int(i))
	}
}

// ForgetIndices drops the indices of calls and results, because they have changed.
func (n *Calls) ForgetIndices() {
	for id, c := range n.calls {
		c.call, c.index = -1, -1
		n.calls[id] = c
	}
}

// Walk saves or restores the calls.
func (n *Calls) Walk(c *codec.Codec) {
	codec.List(c, "Known", &n.Known, MaxNames, func(name *string, c *codec.Codec) { c.Names("name", name) })
	codec.Map(c, "calls", &n.calls, maxCalls, func(each *call, c *codec.Codec) {
		codec.Within(c, "name", &each.name, 1, MaxNames)
		c.Refuse(int(each.name) > len(n.Known))
		codec.Within(c, "call", &each.call, -1, core.MaxItems)
		codec.Within(c, "index", &each.index, -1, core.MaxItems)
		named := each.about != 0
		c.Bools("named dense", &named, &each.dense)
		if c.When(named) {
			c.Hash("about", &each.about)
		}
	})
}
