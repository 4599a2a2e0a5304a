// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

var vibeEntry = Entry{
	ID: Vibe, Name: "Mistral Vibe", Program: "vibe", CompactCommand: "/compact",
	PromptFiles: "AGENTS.md", HomeFolders: ".vibe",
	Retold: true, Rule: vibeRule,
}

// vibeRule: compact at a number of tokens, whatever the window.
func vibeRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: "vibe", Since: "2026-06-01", Source: "mistral-vibe vibe/core/middleware.py, config: auto_compact_threshold 200000",
		Line: 200_000, Prints: printsBoth, PrintsAs: "as Mistral Vibe prints it",
	}
	if set := tokens(of.setting("auto_compact_threshold")); set > 0 {
		rule.Line = set
		rule.Name += " with auto_compact_threshold"
	} else if set == 0 {
		return core.Rule{Name: "vibe with automatic compaction off", Since: rule.Since, Source: rule.Source, Hard: true}
	}
	return rule
}
