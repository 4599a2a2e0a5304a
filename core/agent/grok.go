// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

var grokEntry = Entry{
	ID: Grok, Name: "Grok Build", Program: "grok", CompactCommand: "/compact",
	PromptFiles: "AGENTS.md", HomeFolders: ".grok",
	Retold: true, Rule: grokRule,
}

// grokRule: compact at a share of the window, 85 % unless it is set.
func grokRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: "grok", Since: "2026-11-01", Source: "grok-build: auto_compact_threshold_percent 85",
		Percent: 8500, OfWindow: true, Prints: printsBoth, PrintsAs: "as Grok Build prints it",
	}
	for _, name := range []string{"GROK_AUTO_COMPACT_THRESHOLD_PERCENT", "session.auto_compact_threshold_percent"} {
		if share := hundredth(of.setting(name)); share >= 100 && share <= 10_000 {
			rule.Percent = share
			rule.Name += " with " + name
			break
		}
	}
	return rule
}
