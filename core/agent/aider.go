// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var aiderEntry = Entry{
	ID: Aider, Name: "Aider",
	CompactCommand: "/drop or /clear",
	Rule:           aiderRule,
}

// aiderRule returns Aider's rule: it warns when a prompt reaches the limit. Only the chat history, a small part of the
// prompt, is summarized earlier.
func aiderRule(*Installation) core.Rule {
	return core.Rule{Name: "aider's warning", Since: "2026-05-22", Source: "aider/coders/base_coder.py, check_tokens", Percent: 10000, Hard: true}
}
