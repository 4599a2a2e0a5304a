// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var jetBrainsEntry = Entry{
	ID: JetBrains, Name: "JetBrains Copilot",
	Proof:     Proof{Dated: "2026-04", FromTexts: true, Described: true},
	FromStore: true,
	Rule:      jetBrainsRule,
}

func jetBrainsRule(*Installation) core.Rule { return describedRule(JetBrains, "2026-04-30") }
