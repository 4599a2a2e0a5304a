// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Up to 2.1.5, Claude Code cleared old tool results without a record. When its own count exceeded its warning, it
// cleared the oldest results until the others had at most 40,000 tokens, at four characters each. It never cleared the
// last three, and only cleared results if that freed 20,000.
const (
	microcompactBefore = "2.1.6"
	microcompactKeeps  = 40_000
	microcompactFrees  = 20_000
	microcompactRecent = 3
	// microcompactMost is how many results are remembered.
	microcompactMost = 20_000
)

// microcompact predicts which results the next request will leave out.
type microcompact struct {
	results []microResult // in the order of their calls
	base    int64         // the last request and its response, as reported
	since   int64         // an estimate of everything after it
	total   int64         // tokens of the results that are not cleared
}

type microResult struct {
	call   uint64
	index  int32 // index of the result; -1 before it is read, and once it is cleared
	tokens int64
}

// clearable reports whether a tool's results may be cleared.
func clearable(tool string) bool {
	switch tool {
	case "Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write":
		return true
	}
	return false
}

func (m *microcompact) called(id uint64, tool string) {
	if id != 0 && clearable(tool) && len(m.results) < microcompactMost {
		m.results = append(m.results, microResult{call: id, index: -1})
	}
}

// answered stores the index and the length of a result.
func (m *microcompact) answered(id uint64, index int, text []byte) {
	if len(m.results) == 0 {
		return
	}
	tokens := (units(text) + 2) / 4
	m.since += tokens
	for i := len(m.results) - 1; i >= 0 && i >= len(m.results)-64; i-- {
		if r := &m.results[i]; r.call == id {
			r.index, r.tokens = int32(index), tokens
			m.total += tokens
			return
		}
	}
}

func (m *microcompact) measured(in, out int64) { m.base, m.since = in+max(out, 0), 0 }

// cut drops the results from an item on, which were removed.
func (m *microcompact) cut(from int) {
	for i := range m.results {
		if r := &m.results[i]; int(r.index) >= from {
			m.total -= r.tokens
			r.index, r.tokens = -1, 0
		}
	}
}

// due returns the results that the next request leaves out.
func (m *microcompact) due() []int {
	var indexes []int
	saved := int64(0)
	for i := 0; i < len(m.results)-microcompactRecent && m.total-saved > microcompactKeeps; i++ {
		if r := m.results[i]; r.index >= 0 {
			saved += r.tokens
			indexes = append(indexes, i)
		}
	}
	if saved < microcompactFrees {
		return nil
	}
	m.total -= saved
	items := make([]int, len(indexes))
	for i, r := range indexes {
		items[i] = int(m.results[r].index)
		m.results[r].index, m.results[r].tokens = -1, 0
	}
	return items
}

// microcompacted replaces the results that are due with the stub.
func (c *claudeCode) microcompacted() {
	if c.micro.total < microcompactFrees || c.micro.base+c.micro.since < c.warning() {
		return
	}
	for _, index := range c.micro.due() {
		item := reader.NewItem(core.ToolResults)
		item.Text = []byte("[Old tool result content cleared]")
		c.Emit(core.Replaced{Index: index, Item: item, Reason: phrase.LeavesClearing.Text()})
	}
}

// warning returns the number of tokens at which Claude Code begins to warn of its compaction.
func (c *claudeCode) warning() int64 {
	in := Installation{Agent: ClaudeCode, Version: c.Version, Model: c.Model}
	limits, ok := claudeCodeWindow(&in)
	if !ok {
		return core.MaxTokens
	}
	if c.opted {
		limits.Window = 1_000_000
	}
	rule := claudeCodeRule(&in)
	return rule.Formula(limits) - rule.Warning
}

// units returns the length of a text in JavaScript's characters.
func units(text []byte) int64 {
	n := int64(0)
	const highs = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		w := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		inside, long := w&^(w<<1)&highs, w&(w<<1)&(w<<2)&(w<<3)&highs
		n += int64(8 - bits.OnesCount64(inside) + bits.OnesCount64(long))
	}
	for _, b := range text {
		if b&0xc0 != 0x80 {
			n++
		}
		if b >= 0xf0 {
			n++
		}
	}
	return n
}

func (m *microcompact) Walk(c *codec.Codec) {
	c.Ints("base since total", &m.base, &m.since, &m.total)
	codec.List(c, "results", &m.results, microcompactMost, func(r *microResult, c *codec.Codec) {
		c.Hash("call", &r.call)
		codec.Within(c, "index", &r.index, -1, core.MaxItems)
		c.Ints("tokens", &r.tokens)
	})
}
