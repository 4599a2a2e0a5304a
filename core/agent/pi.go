// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

// The agents that write the entries of Pi: Pi itself, and the programs that are made from it. Their place tells them
// apart, because their records are alike.
var (
	piEntry = Entry{
		ID: Pi, Name: "Pi", Program: "pi", CompactCommand: "/compact",
		HomeFolders: ".pi/agent",
		Retold:      true, Rule: piRule,
	}
	ompEntry = Entry{
		ID: OMP, Name: "Oh My Pi", Program: "omp", CompactCommand: "/compact",
		Retold: true, Rule: piRule,
	}
	primeEntry = Entry{
		ID: Prime, Name: "Prime Agent", Program: "prime", CompactCommand: "/compact",
		Retold: true, Rule: piRule,
	}
	openClawEntry = Entry{
		ID: OpenClaw, Name: "OpenClaw", Program: "openclaw", CompactCommand: "/compact",
		Retold: true, Rule: piRule,
	}
)

// piRule: compact when less than a reserve of 16,384 is left of the window.
func piRule(of *Installation) core.Rule {
	rule := core.Rule{
		Name: of.Agent, Since: "2026-10-01", Source: "pi packages/coding-agent/src/core/compaction: reserveTokens 16384, keepRecentTokens 20000",
		Below: 16_384, OfWindow: true, Prints: printsBoth, PrintsAs: "as Pi prints it",
	}
	if of.off("compaction.enabled") {
		return core.Rule{Name: of.Agent + " with compaction off", Since: rule.Since, Source: rule.Source, Hard: true}
	}
	if reserve := tokens(of.setting("compaction.reserveTokens")); reserve > 0 {
		rule.Below = reserve
		rule.Name += " with compaction.reserveTokens"
	}
	return rule
}
