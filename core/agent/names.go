// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxCalls is how many tool calls are remembered by name, maxNames how many
// different names, and maxChildren how many sub-agents are read inside one
// transcript.
const (
	maxCalls    = 50_000
	maxNames    = 2_000
	maxChildren = 200
)

// names remembers to which tool the id of a call belongs, and where the call's
// result stands.
type names struct {
	known []string
	calls map[uint64]call
}

type call struct {
	name  uint16 // index into known, plus one
	call  int32  // index of the call; -1 where it is not known
	index int32  // of the result; -1 before it came
	about uint64 // hash of the file it is about; 0 for none
	dense bool   // that file is JSON, for which agents assume smaller tokens
}

func (n *names) put(id uint64, name string, index int) {
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
	place := slices.Index(n.known, name)
	if place < 0 {
		if len(n.known) >= maxNames {
			return
		}
		place = len(n.known)
		n.known = append(n.known, name)
	}
	n.calls[id] = call{name: uint16(place + 1), call: int32(index), index: -1}
}

func (n *names) get(id uint64) string {
	c := n.calls[id]
	if c.name == 0 {
		return ""
	}
	return n.known[c.name-1]
}

// answers is the place of the call that an item answers, plus one.
func (n *names) answers(id uint64) int {
	if c, ok := n.calls[id]; ok {
		return int(c.call) + 1
	}
	return 0
}

// setIndex notes where the result of a call stands.
func (n *names) setIndex(id uint64, index int) {
	if c, ok := n.calls[id]; ok {
		c.index = int32(index)
		n.calls[id] = c
	}
}

func (n *names) index(id uint64) (int, bool) {
	c, ok := n.calls[id]
	return int(c.index), ok && c.index >= 0
}

// about notes which file a call is about; subject returns it.
func (n *names) about(id, file uint64) {
	if c, ok := n.calls[id]; ok {
		c.about = file
		n.calls[id] = c
	}
}

// markDense notes that a call is about a JSON file; dense returns it.
func (n *names) markDense(id uint64) {
	if c, ok := n.calls[id]; ok {
		c.dense = true
		n.calls[id] = c
	}
}

func (n *names) dense(id uint64) bool { return n.calls[id].dense }

func (n *names) subject(id uint64) uint64 { return n.calls[id].about }

// orphans calls drop for every call whose result is gone.
func (n *names) orphans(gone func(index int) bool, drop func(index int)) {
	var calls []int64
	for _, c := range n.calls {
		if c.call >= 0 && c.index >= 0 && gone(int(c.index)) && !gone(int(c.call)) {
			calls = append(calls, int64(c.call))
		}
	}
	slices.Sort(calls)
	for _, i := range calls {
		drop(int(i))
	}
}

// moved forgets where results stand, because their indices have changed.
func (n *names) moved() {
	for id, c := range n.calls {
		c.call, c.index = -1, -1
		n.calls[id] = c
	}
}

// children are readers for the sub-agents recorded inside a transcript.
type children struct {
	readers map[uint64]Reader
	ids     map[uint64]string
}

func (c *children) record(fresh func() Reader, id, record json.Value, emit func(core.Event)) {
	key := hash(id)
	if c.readers[key] == nil && !c.open(key, id, fresh()) {
		return
	}
	c.pass(key, record, emit)
}

// open adds a reader for another conversation; it is false where there
// are too many.
func (c *children) open(key uint64, id json.Value, reader Reader) bool {
	if len(c.readers) >= maxChildren {
		return false
	}
	if c.readers == nil {
		c.readers, c.ids = make(map[uint64]Reader), make(map[uint64]string)
	}
	c.readers[key] = reader
	c.ids[key] = short(id)
	if c.ids[key] == "" {
		c.ids[key] = "sidechain"
	}
	return true
}

// pass gives a record to the reader of a conversation.
func (c *children) pass(key uint64, record json.Value, emit func(core.Event)) {
	child, label := c.ids[key], "sub-agent"
	if other, ok := c.readers[key].(*claudeCode); ok && other.inside {
		label = "another program"
	}
	c.readers[key].Record(record, func(e core.Event) {
		emit(core.ForChild{Child: child, Label: label, Event: e})
	})
}

func (n *names) walk(c *codec.Codec) {
	codec.List(c, "known", &n.known, maxNames, func(name *string, c *codec.Codec) { c.Names("name", name) })
	codec.Map(c, "calls", &n.calls, maxCalls, func(of *call, c *codec.Codec) {
		codec.Within(c, "name", &of.name, 1, maxNames)
		c.Refuse(int(of.name) > len(n.known))
		codec.Within(c, "call", &of.call, -1, core.MaxItems)
		codec.Within(c, "index", &of.index, -1, core.MaxItems)
		named := of.about != 0
		c.Bools("named dense", &named, &of.dense)
		if c.When(named) {
			c.Hash("about", &of.about)
		}
	})
}

func (c *children) walk(to *codec.Codec, fresh func() Reader) {
	n := to.Length("readers", len(c.readers), maxChildren)
	to.Refuse(n > 0 && to.Depth > 0) // a sub-agent has no sub-agents of its own
	if to.Damaged() || to.Depth > 0 {
		return
	}
	to.Depth++
	var order []uint64
	if to.Saving() {
		order = codec.Keys(c.readers)
	}
	for i := 0; i < n && !to.Damaged(); i++ {
		key, id, reader := uint64(0), "", Reader(nil)
		if to.Saving() {
			key = order[i]
			id, reader = c.ids[key], c.readers[key]
		} else {
			reader = fresh()
		}
		to.Hash("key", &key)
		to.Names("id", &id)
		k, ok := reader.(keeper)
		if to.Refuse(!ok); !ok {
			break
		}
		k.walk(to)
		if to.Restoring() {
			if c.readers == nil {
				c.readers, c.ids = make(map[uint64]Reader), make(map[uint64]string)
			}
			c.readers[key], c.ids[key] = reader, id
		}
	}
	to.Depth--
}
