// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// clineWindow is the window that Cline assumes for models of a provider that the user has described. Version 3.0.65
// compacted at 90% of it.
func clineWindow(in *Installation) (core.Limits, bool) {
	if in.Provider != "openai-compatible" {
		return core.NoLimits, false
	}
	return core.Limits{Window: 128_000, Input: core.Unknown, Output: core.Unknown}, true
}

// clineRule returns Cline's rule: the classic extension keeps a distance that grows with the window; the newer one
// compacts at 0.9 of the largest prompt, by the larger of the last prompt and its own estimate of three characters a
// token.
func clineRule(in *Installation) core.Rule {
	if in.version().AtLeast("4") {
		return core.Rule{
			Name: "cline 4+", Since: "2026-08-22", Source: "cline sdk, context compaction: 0.9 of the maximum input, target 0.7 of that",
			Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Cline")),
			ToolsUnrecorded: true, // its sessions contain the whole system prompt
			First:           core.FirstPrompt{Tools: core.Unrecorded{Usual: 1_000, Most: 6_000}, SystemRecorded: true},
			Formula: func(l core.Limits) int64 {
				most := int64(128_000)
				switch { // its list of models has the window as the largest prompt if their maker names none
				case l.Input > 0 && (l.Window <= 0 || l.Input < l.Window):
					most = l.Input
				case l.Window > 0:
					most = l.Window
				}
				return most * 9 / 10
			},
		}
	}
	configured := hundredth(in.setting("autoCondenseThreshold"))
	return core.Rule{
		Name: "cline classic", Since: "2026-06-24", Source: "cline src/core/context/context-management, getContextWindowInfo",
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Cline")),
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = 128_000
			}
			threshold := int64(0)
			switch window {
			case 64_000:
				threshold = window - 27_000
			case 128_000:
				threshold = window - 30_000
			case 200_000:
				threshold = window - 40_000
			default:
				threshold = max(window-40_000, window*8/10)
			}
			if configured > 0 {
				threshold = min(threshold, window*min(configured, 100)/100)
			}
			return threshold
		},
	}
}
