// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var junieEntry = Entry{
	ID: Junie, Name: "Junie",
	Proof:     Proof{Dated: "2026-08", Described: true},
	FromStore: true,
	Rule:      junieRule,
}

func junieRule(*Installation) core.Rule { return describedRule(Junie, "2026-08-25") }
