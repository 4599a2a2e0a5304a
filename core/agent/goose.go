// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var gooseEntry = Entry{
	ID: Goose, Name: "Goose",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "/summarize",
	FromStore:      true,
	Rule:           gooseRule,
}

// gooseRule: compact above a share of the limit, 0.8 unless
// GOOSE_AUTO_COMPACT_THRESHOLD says otherwise; 0 or 1 switches it off.
func gooseRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "goose", Since: "2026-08-01", Source: "goose crates/goose/src/context_mgmt", Percent: 8000,
		Prints: printsBoth, PrintsAs: phrase.AgentPrints.Text(phrase.Name("Goose")),
	}
	if set := in.setting("GOOSE_AUTO_COMPACT_THRESHOLD"); set != "" {
		share := hundredth(set)
		if share <= 0 || share >= 100 {
			return core.Rule{Name: "goose with automatic compaction off", Since: rule.Since, Source: rule.Source, Hard: true}
		}
		rule.Percent = share * 100
		rule.Name += " with GOOSE_AUTO_COMPACT_THRESHOLD"
	}
	return rule
}
