// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var hermesEntry = Entry{
	ID: Hermes, Name: "Hermes",
	Proof:          Proof{Lab: "0.19.0"},
	CompactCommand: "/compress",
	FromStore:      true,
	Rule:           hermesRule, Window: hermesWindow,
}

// hermesRule returns Hermes's rule: it compresses at half of the window less the output, at three quarters if the
// window is below 512,000, or at a higher configured share. The least is 64,000 tokens, or 85% of a window that small.
func hermesRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "hermes", Since: "2026-07-01", Source: "hermes-agent 0.19.0 agent/context_compressor.py",
		First: core.FirstPrompt{SystemRecorded: true, ToolsHidden: true}, ToolsUnrecorded: true,
	}
	if in.off("compression.enabled") {
		rule.Name, rule.Hard = "hermes with compression off", true
		return rule
	}
	share := in.fraction("compression.threshold", 1, 100)
	if share <= 0 {
		share = 50
	}
	output := max(tokens(in.setting("model.max_tokens")), 0)
	rule.Formula = func(l core.Limits) int64 {
		window := windowOf(l)
		if window <= 0 {
			return core.Unknown
		}
		percent := share
		if window < 512_000 {
			percent = max(share, 75)
		}
		input := window
		if window > output {
			input -= output
		}
		if threshold := max(input*percent/100, 64_000); threshold < input {
			return threshold
		}
		return input * 85 / 100
	}
	return rule
}

// hermesWindow returns the window that the settings give the model.
func hermesWindow(in *Installation) (core.Limits, bool) {
	window := tokens(in.setting("model.context_length"))
	if name := in.setting("model.default"); window <= 0 || name != "" && name != in.Model {
		return core.NoLimits, false
	}
	return core.Limits{Window: window, Input: core.Unknown, Output: core.Unknown}, true
}
