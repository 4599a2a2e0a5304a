// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

// rooCodeRule: condense at a percentage of the window, 100 unless the user
// says less, or when less than a tenth and the room for an answer is left.
func rooCodeRule(of *Installation) core.Rule {
	percent := hundredth(of.setting("autoCondenseContextPercent"))
	if percent < 500 || percent > 10_000 {
		percent = 10_000
	}
	return core.Rule{
		Name: "roo-code", Since: "2026-04-14", Source: "Roo-Code src/core/context-management: 0.9 of the window less the reserved output",
		How: "Condense Context", Prints: printsBoth, PrintsAs: "as Roo Code prints it",
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = l.Input
			}
			if window <= 0 {
				return core.Unknown
			}
			reserved := int64(8_192)
			if l.Output > 0 && l.Output != window {
				reserved = l.Output
			}
			return max(min(window*percent/10_000, window*9/10-reserved), 0)
		},
	}
}
