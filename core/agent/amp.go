// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var ampEntry = Entry{
	ID: Amp, Name: "Amp",
	CompactCommand: "Handoff",
	Rule:           ampRule,
}

// ampRule returns Amp's rule: it does not compact automatically. It warns at shares of the largest prompt, earlier if
// the window is large.
func ampRule(*Installation) core.Rule {
	return core.Rule{
		Name: "amp's last warning", Since: "2026-02-13", Source: "amp 0.0.1771043393 dist/main.js: .8/.9/.95, from 400,000 tokens .7/.8/.9",
		Prints: printsInput, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Amp")),
		Formula: func(l core.Limits) int64 {
			most := l.Input
			if most <= 0 && l.Window > 0 {
				most = l.Window - max(l.Output, 0)
			}
			switch {
			case most <= 0:
				return core.Unknown
			case most >= 400_000:
				return most * 90 / 100
			}
			return most * 95 / 100
		},
	}
}
