// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var dextoEntry = Entry{ID: Dexto, Name: "Dexto", CompactCommand: "/compact", Rule: dextoRule, Resends: true}

// dextoRule returns Dexto's rule: it compacts above a share of the window, 0.9 unless the agent's configuration sets
// another one; compaction.maxContextTokens makes the window smaller.
func dextoRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "dexto", Since: "2026-01-21", Source: "dexto 1.10.4 (2026-08-18) packages/core/src/context/compaction/overflow.ts: isOverflow",
		SummaryLow: 200, SummaryHigh: 2000,
	}
	if in.off("compaction.enabled") {
		rule.Name, rule.Hard = "dexto with compaction off", true
		return rule
	}
	share := int64(90)
	if set := in.fraction("compaction.thresholdPercent", 10, 100); set > 0 {
		share = set
		rule.Name += " with compaction.thresholdPercent"
	}
	most := tokens(in.setting("compaction.maxContextTokens"))
	rule.Formula = func(l core.Limits) int64 {
		window := l.Window
		if l.Input > 0 && (window <= 0 || l.Input < window) {
			window = l.Input
		}
		if most > 0 && (window <= 0 || most < window) {
			window = most
		}
		if window <= 0 {
			return core.Unknown
		}
		return window * share / 100
	}
	return rule
}
