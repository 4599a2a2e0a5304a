// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

var kimiCodeEntry = Entry{
	ID: KimiCode, Name: "Kimi Code", Program: "kimi", CompactCommand: "/compact",
	PromptFiles: "AGENTS.md", HomeFolders: ".kimi-code",
	Retold: true, Rule: kimiRule,
}

var kimiCLIEntry = Entry{
	ID: KimiCLI, Name: "Kimi CLI", Program: "kimi-cli", CompactCommand: "/compact",
	PromptFiles: "AGENTS.md", HomeFolders: ".kimi",
	Retold: true, Rule: kimiRule,
}

// kimiRule: compact from a share of the window on, or when a reserve is left of it, whichever comes first.
func kimiRule(of *Installation) core.Rule {
	share, reserve := int64(8500), int64(50_000)
	if set := hundredth(of.setting("loop_control.compaction_trigger_ratio")); set >= 50 && set <= 99 {
		share = set * 100
	}
	if set := tokens(of.setting("loop_control.reserved_context_size")); set >= 0 {
		reserve = set
	}
	return core.Rule{
		Name: of.Agent, Since: "2026-08-01", Source: "kimi-code packages/agent-core-v2/src/agent/fullCompaction/strategy.ts: 0.85, or 50,000 left",
		Prints: printsBoth, PrintsAs: "as Kimi prints it",
		Formula: func(l core.Limits) int64 {
			most := l.Input
			if most <= 0 {
				most = l.Window
			}
			if most <= 0 {
				return core.Unknown
			}
			line := most * share / 10_000
			if reserve < most {
				line = min(line, most-reserve)
			}
			return line
		},
	}
}
