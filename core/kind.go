// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Kind is the kind of a piece of the window, and the row of the breakdown that it belongs to.
type Kind uint8

// The kinds of pieces.
const (
	System Kind = iota
	Tools
	MCPTools
	Skills
	Agents
	Memory
	Documents
	Summary
	User
	Assistant
	ToolCalls
	ToolResults
	Reasoning
	Media
	// Messages is the measured remainder if the host itemized nothing.
	Messages
	// Unattributed is the measured remainder that no visible text explains and that has not been there from the
	// beginning.
	Unattributed
	kinds // a ledger sums the kinds above

	// Prefix is the part of the fixed context that cannot be divided further: a row, never the kind of an item.
	Prefix = kinds

	rowKinds = kinds + 1
)

// Fixed reports whether a host sets the row as a whole, as part of the fixed context.
func (k Kind) Fixed() bool { return k <= Documents }

// Reply reports whether the kind is produced by a model.
func (k Kind) Reply() bool { return k == Assistant || k == ToolCalls || k == Reasoning }

// rowLabels are the texts that front ends print for rows without a label.
var rowLabels = [rowKinds]phrase.ID{
	phrase.System, phrase.Tools, phrase.MCPTools, phrase.Skills, phrase.Agents, phrase.Memory, phrase.Documents, phrase.Summary,
	phrase.User, phrase.Assistant, phrase.ToolCalls, phrase.ToolResults, phrase.Reasoning, phrase.Media, phrase.Messages,
	phrase.Unattributed, phrase.Prefix,
}

var kindNames = [rowKinds]string{
	"system", "tools", "mcpTools", "skills", "agents", "memory", "documents", "summary",
	"user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "messages", "unattributed",
	"prefix",
}

func (k Kind) String() string { return kindNames[k] }

// Label returns the text for a row of the kind without its own label.
func (k Kind) Label() phrase.ID { return rowLabels[k] }

// KindOf returns the kind of an item with a name; ok is false if there is none.
func KindOf(name string) (Kind, bool) {
	for k, n := range kindNames[:kinds] {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}
