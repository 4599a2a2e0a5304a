// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// rooCodeRule returns Roo Code's rule: it condenses at a percentage of the window, 100 unless the user sets less, or
// when less than a tenth and the output reserve is left.
func rooCodeRule(in *Installation) core.Rule {
	model := in.Model
	percent := hundredth(in.setting("autoCondenseContextPercent"))
	if percent < 500 || percent > 10_000 {
		percent = 10_000
	}
	return core.Rule{
		Name: "roo-code", Since: "2026-04-14", Source: "Roo-Code src/core/context-management: 0.9 of the window less the reserved output",
		First:  core.FirstPrompt{Tools: core.Unrecorded{Usual: 500, Most: 6_000}, Memory: core.Unrecorded{Usual: 1_000, Most: 9_000}},
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Roo Code")),
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = l.Input
			}
			if window <= 0 {
				return core.Unknown
			}
			reserved := rooCodeReserve(model, window, l.Output)
			return max(min(window*percent/10_000, window*9/10-reserved), 0)
		},
	}
}

// kiloCodeRule returns Roo Code's rule, which Kilo Code up to 5 has adopted; 7 is another program.
func kiloCodeRule(in *Installation) core.Rule {
	rule := rooCodeRule(in)
	rule.Name, rule.PrintsAs = "kilo-code up to 5", phrase.AgentPrints.Text(phrase.Name("Kilo Code"))
	return rule
}

// rooCodeReserve returns the output reserve. For Claude it is the default, because the model's maximum is for a
// reasoning budget that the user has to set; for GPT-5 it is the model's maximum; for others too, but at most a fifth
// of the window.
func rooCodeReserve(model string, window, output int64) int64 {
	const standard = 8_192
	switch {
	case output <= 0, output == window, strings.Contains(model, "claude"):
		return standard
	case strings.Contains(model, "gpt-5"):
		return output
	}
	return min(output, (window+4)/5)
}
