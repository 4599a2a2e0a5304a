// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var auggieEntry = Entry{
	ID: Auggie, Name: "Auggie",
	Proof:     Proof{Dated: "2026-07", Described: true},
	FromStore: true,
	Rule:      auggieRule,
}

func auggieRule(*Installation) core.Rule { return describedRule(Auggie, "2026-07-20") }
