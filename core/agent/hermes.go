// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var hermesEntry = Entry{
	ID: Hermes, Name: "Hermes", Program: "hermes",
	CompactCommand: "/compress",
	PromptFiles:    "AGENTS.md",
	Retold:         true,
	Rule:           hermesRule,
}

// hermesRule: compress at half of the window, and not below 64,000 tokens.
func hermesRule(*Installation) core.Rule {
	return core.Rule{
		Name: "hermes", Since: "2026-11-21", Source: "hermes-agent agent/context_compressor.py",
		Formula: func(l core.Limits) int64 {
			if window := windowOf(l); window > 0 {
				return max(window/2, 64_000)
			}
			return core.Unknown
		},
	}
}
