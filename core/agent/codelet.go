// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

var codeletEntry = Entry{ID: Codelet, Name: "codelet", Rule: codeletRule, Window: codeletWindow}

// codeletFamilies lists the models that also compact at a percentage.
const codeletFamilies = `
gemini- 80 -
gpt- 80 -
gpt4 80 -
o1 80 -
o3 80 -
o4 80 -
chatgpt- 80 -
`

// codeletRule returns codelet's rule: it compacts when the output reserve is reached, and also above 80% of the window
// for models of Google and OpenAI. The size after compaction is 50,000 less than the window.
func codeletRule(in *Installation) core.Rule {
	family, percent := table(codeletFamilies, strings.ToLower(bare(in.Model)))
	return core.Rule{
		Name: "codelet", Since: "2026-04-17", Target: 50_000,
		Source: "fspec 0.10.1 (2026-08-23) rust/cli/src/compaction_threshold.rs: resolve_compaction_threshold",
		Formula: func(l core.Limits) int64 {
			window, answer := l.Window, l.Output
			if window <= 0 {
				window = l.Input
			}
			if window <= 0 {
				return core.Unknown
			}
			if answer <= 0 || answer > core.DefaultOutputCap {
				answer = core.DefaultOutputCap
			}
			line := max(window-answer, 0)
			if percent {
				line = min(line, window*family.Window/100)
			}
			return line
		},
	}
}

// codeletWindow returns the limits that codelet uses for Claude: at most 200,000 tokens of the window and 8,192 of the
// output, whatever the model supports.
func codeletWindow(in *Installation) (core.Limits, bool) {
	if !strings.HasPrefix(strings.ToLower(bare(in.Model)), "claude") {
		return core.NoLimits, false
	}
	return core.Limits{Window: 200_000, Input: core.Unknown, Output: 8192}, true
}
