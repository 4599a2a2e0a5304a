// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var hermesEntry = Entry{
	ID: Hermes, Name: "Hermes",
	Proof:          Proof{Dated: "2026-11", FromTexts: true},
	CompactCommand: "/compress",
	FromStore:      true,
	Rule:           hermesRule,
}

// hermesRule returns Hermes's rule: it compresses at half of the window, or at the configured share, and not below
// 64,000 tokens.
func hermesRule(in *Installation) core.Rule {
	rule := core.Rule{Name: "hermes", Since: "2026-11-21", Source: "hermes-agent agent/context_compressor.py"}
	if in.off("compression.enabled") {
		rule.Name, rule.Hard = "hermes with compression off", true
		return rule
	}
	share := in.fraction("compression.threshold", 1, 100)
	if share <= 0 {
		share = 50
	}
	rule.Formula = func(l core.Limits) int64 {
		if window := windowOf(l); window > 0 {
			return max(window*share/100, 64_000)
		}
		return core.Unknown
	}
	return rule
}
