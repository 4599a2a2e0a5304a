// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// codexWindows lists the full windows of Codex 0.169's embedded model list. If
// a rollout names its window, that one applies.
const codexWindows = `
gpt-6.1-terra 500000 -
gpt-6 272000 -
gpt-5.6 272000 -
gpt-5.5 272000 -
gpt-5.4 272000 -
gpt-5.3-codex-spark 128000 -
gpt-5.3 272000 -
gpt-5.2 272000 -
gpt-5.1 272000 -
gpt-5 272000 -
codex-auto-review 272000 -
`

func codexWindow(in *Installation) (core.Limits, bool) {
	l, ok := table(codexWindows, bare(in.Model))
	if ok {
		l.Window = l.Window * 95 / 100
	}
	return l, ok
}

// codexRule returns Codex's rule: it compacts at 90% of the full window, of which it shows only 95%. A lower limit set
// by the user takes precedence.
func codexRule(in *Installation) core.Rule {
	own := in.sized("model_auto_compact_token_limit")
	rule := core.Rule{
		Name: "codex", Since: "2026-06-26", Source: "codex-rs protocol/src/openai_models.rs and core/src/session/context_window.rs",
		SummaryLow: 900, SummaryHigh: 4_500,
		Spread:        core.Spread{Counted: 3, First: 30, User: 400, Resume: 700, Compaction: 5_000},
		First:         core.FirstPrompt{Tools: core.Unrecorded{Usual: 5_000, Most: 18_000}, Memory: core.Unrecorded{Most: 3_000}, SystemRecorded: true},
		CountsDropped: true, DroppedItem: 60, Margin: 1_000, Growth: 1_850, FirstMost: 80_000, FirstUsual: 15_000,
		ToolsUnrecorded: true,
		Prints:          printsLeft, PrintsAs: phrase.AgentLeft.Text(phrase.Name("Codex")),
	}
	if own > 0 {
		rule.Name += " with model_auto_compact_token_limit"
	}
	rule.Formula = func(l core.Limits) int64 {
		window := l.Window
		if window <= 0 {
			window = l.Input
		}
		if window <= 0 {
			if own > 0 {
				return own
			}
			return core.Unknown
		}
		// The threshold is 90% of the full window, of which the shown window is 95%.
		line := window * 90 / 95
		if own > 0 {
			line = min(line, own)
		}
		return line
	}
	return rule
}

// codexBaseline is how many tokens Codex assumes in every prompt before the conversation. Codex subtracts it from both
// the window and the prompt.
const codexBaseline = 12_000

// printsLeft returns the percentage that Codex prints: the remaining share of the window.
func printsLeft(in, out int64, l core.Limits) int64 {
	room := windowOf(l) - codexBaseline
	if room <= 0 {
		return 0
	}
	return rounded(room-max(in+out-codexBaseline, 0), room)
}
