// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var cursorEntry = Entry{
	ID: Cursor, Name: "Cursor",
	Proof:          Proof{Dated: "2026-11", FromTexts: true},
	CompactCommand: "/summarize",
	FromStore:      true, Recognise: isCursor, Read: func(id string) Reader { return &cursor{storeReader{id: id}} },
	Rule: cursorRule,
}

// cursorRule returns Cursor's rule: it summarizes at nine tenths of the window, by its own meter.
func cursorRule(*Installation) core.Rule {
	return core.Rule{
		Name: "cursor, inferred", Since: "2026-11-21", Source: "inferred from one description of Cursor's protocol: floor(0.9 × maxTokens)",
		Percent: 9000, OfWindow: true, Prints: printsPrompt, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Cursor")),
	}
}

func isCursor(r json.Value) bool {
	role := r.Get("role")
	return (role.Is("user") || role.Is("assistant")) && r.Path("message", "content").Exists() && !r.Get("type").Exists() && !r.Get("uuid").Exists()
}

// cursor reads the records of a store, and the texts that Cursor writes next to a conversation. The texts have neither
// counts nor times, so hosts read them only if the conversation itself is not found.
type cursor struct{ storeReader }

func (c *cursor) Record(r json.Value, emit func(core.Event)) {
	if storeOf(r) != nil {
		c.storeReader.Record(r, emit)
		return
	}
	c.Emit = emit
	if c.Agent == "" {
		c.SetAgent(Cursor, json.Value{})
		c.Emit(core.Warned{Sentence: phrase.TextsOnly.Text(phrase.Name("Cursor"))})
	}
	role, content := r.Get("role"), r.Path("message", "content")
	switch {
	case role.Is("user"):
		c.UserMessage(content)
	case role.Is("assistant"):
		before := c.Items
		c.AddBlocks(core.Assistant, content)
		if c.Items > before && !callsTool(content) {
			c.EndTurn()
		}
	default:
		c.SkipUnknown(r, role)
	}
}

// callsTool reports whether an answer calls a tool.
func callsTool(content json.Value) bool {
	for e := content.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); kind.Is("tool_use") || kind.Is("tool_call") || kind.Is("tool-call") {
			return true
		}
	}
	return false
}
