// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var devinEntry = Entry{
	ID: Devin, Name: "Devin CLI",
	Proof:     Proof{Dated: "2026-09", Described: true},
	FromStore: true,
	Rule:      devinRule,
}

func devinRule(*Installation) core.Rule { return describedRule(Devin, "2026-09-16") }
