// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var crushEntry = Entry{
	ID: Crush, Name: "Crush",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "Summarize Session",
	FromStore:      true,
	Rule:           crushRule,
}

// crushRule returns Crush's rule: it summarizes when 20,000 tokens are left of a window above 200,000, or a fifth of a
// smaller one.
func crushRule(*Installation) core.Rule {
	return core.Rule{
		Name: "crush", Since: "2026-08-21", Source: "crush internal/agent: largeContextWindowThreshold, largeContextWindowBuffer, smallContextWindowRatio",
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Crush")),
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = l.Input
			}
			switch {
			case window <= 0:
				return core.Unknown
			case window > 200_000:
				return window - 20_000
			}
			return window - window/5
		},
	}
}
