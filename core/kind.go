// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// Kind is what a piece of the window is: the row of the breakdown it counts
// towards.
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
	// Messages is the measured remainder when the host itemised nothing.
	Messages
	// Unattributed is the measured remainder that no visible text explains and
	// that was not there from the beginning.
	Unattributed
	kinds // those above are what a ledger sums

	// Prefix is what surrounds the conversation and cannot be divided further: a row,
	// and never the kind of an item.
	Prefix = kinds

	rowKinds = kinds + 1
)

// Fixed is true for the rows a host sets as a whole: what surrounds the
// conversation rather than what was said in it.
func (k Kind) Fixed() bool { return k <= Documents }

// Reply is true for what a model produces.
func (k Kind) Reply() bool { return k == Assistant || k == ToolCalls || k == Reasoning }

// rowLabels are what faces print for a row that has no label of its own.
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

// Label returns the label of a row of the kind that has none of its own.
func (k Kind) Label() phrase.ID { return rowLabels[k] }

// KindOf finds the kind of an item by its name.
func KindOf(name string) (Kind, bool) {
	for k, n := range kindNames[:kinds] {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}
