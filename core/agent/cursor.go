// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var cursorEntry = Entry{
	ID: Cursor, Name: "Cursor",
	CompactCommand: "/summarize",
	PromptFiles:    ".cursorrules .cursor/rules/*.mdc AGENTS.md",
	HomeFolders:    ".cursor",
	Retold:         true,
	Rule:           cursorRule,
}

// cursorRule: Cursor summarises at nine tenths of the window of its own meter.
func cursorRule(*Installation) core.Rule {
	return core.Rule{
		Name: "cursor, inferred", Since: "2026-11-21", Source: "inferred from one description of Cursor's protocol: floor(0.9 × maxTokens)",
		Percent: 9000, OfWindow: true, Prints: printsPrompt, PrintsAs: "as Cursor prints it",
	}
}
