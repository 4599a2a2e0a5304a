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

// codeletFirst is the first version that compacts at a percentage. Sources between releases had it since 2026-04-17,
// with the number of an earlier version.
const codeletFirst = "0.10"

// earlierCodelet reports whether the installation is known to be an earlier version: fspec 0.9.3, or codelet 0.1.0, as
// its own package calls itself.
func earlierCodelet(in *Installation) bool {
	return in.Version != "" && !in.version().AtLeast(codeletFirst)
}

// codeletRule returns codelet's rule: it compacts when the output reserve is reached, and since 0.10 also above 80% of
// the window for models of Google and OpenAI. The size after compaction is 50,000 less than the window.
func codeletRule(in *Installation) core.Rule {
	family, percent := table(codeletFamilies, strings.ToLower(bare(in.Model)))
	rule := core.Rule{
		Name: "codelet", Since: "2026-04-17", Target: 50_000,
		Source: "fspec 0.10.1 (2026-08-23) rust/cli/src/compaction_threshold.rs: resolve_compaction_threshold",
	}
	if earlierCodelet(in) {
		percent = false
		rule.Name, rule.Since = "codelet before 0.10", "2025-12-24"
		rule.Source = "fspec 0.9.3 (2026-01-20) codelet/cli/src/compaction_threshold.rs: calculate_usable_context"
	}
	rule.Formula = func(l core.Limits) int64 {
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
		threshold := max(window-answer, 0)
		if percent {
			threshold = min(threshold, window*family.Window/100)
		}
		return threshold
	}
	return rule
}

// codeletProviders lists the limits that earlier versions use for every model of a provider, by the provider's name or
// the model's.
const codeletProviders = `
anthropic 200000 8192
claude 200000 8192
openai-codex 272000 4096
codex 272000 4096
*codex 272000 4096
openai 128000 4096
gpt- 128000 4096
google 1000000 8192
gemini 1000000 8192
zai 128000 8192
z.ai 128000 8192
glm- 128000 8192
`

// codeletWindow returns the limits that codelet uses for Claude: at most 200,000 tokens of the window and 8,192 of the
// output, whatever the model supports. Earlier versions have such limits for each provider.
func codeletWindow(in *Installation) (core.Limits, bool) {
	name := strings.ToLower(bare(in.Model))
	if !earlierCodelet(in) {
		if !strings.HasPrefix(name, "claude") {
			return core.NoLimits, false
		}
		return core.Limits{Window: 200_000, Input: core.Unknown, Output: 8192}, true
	}
	if limits, ok := table(codeletProviders, strings.ToLower(in.Provider)); ok && !strings.Contains(name, "codex") {
		return limits, true
	}
	return table(codeletProviders, name)
}
