// Copyright The ctx-lsp authors. MIT licence.

//go:build !wasm

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func isCursor(r json.Value) bool {
	role := r.Get("role")
	return (role.Is("user") || role.Is("assistant")) && r.Path("message", "content").Exists() && !r.Get("type").Exists() && !r.Get("uuid").Exists()
}

// cursorTexts reads the texts that Cursor writes beside a conversation. They have neither counts nor times, so they are
// read only where the conversation itself is not found.
type cursorTexts struct {
	speech
}

func (c *cursorTexts) Record(r json.Value, emit func(core.Event)) {
	c.emit = emit
	if c.agent == "" {
		c.seen(Cursor, json.Value{})
		c.emit(core.Warned{Sentence: "Cursor's transcript has texts only; the number is estimated from them."})
	}
	role, content := r.Get("role"), r.Path("message", "content")
	switch {
	case role.Is("user"):
		c.asked(content)
	case role.Is("assistant"):
		before := c.items
		c.blocks(core.Assistant, content)
		if c.items > before && !callsTool(content) {
			c.turnOver()
		}
	default:
		c.unknown(r, role)
	}
}

// callsTool says whether an answer calls a tool.
func callsTool(content json.Value) bool {
	for e := content.Elements(); e.Next(); {
		if of := e.Value.Get("type"); of.Is("tool_use") || of.Is("tool_call") || of.Is("tool-call") {
			return true
		}
	}
	return false
}
