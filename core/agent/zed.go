// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var zedEntry = Entry{
	ID: Zed, Name: "Zed",
	CompactCommand: "New From Summary",
	Recognise:      isNeutral(Zed), Read: readsNeutral(Zed),
	Rule: zedRule,
}

// zedRule: Zed's agent warns at 0.8 of the window and then leaves it to the
// person; it compacts nothing by itself.
func zedRule(*Installation) core.Rule {
	return core.Rule{Name: "zed's warning", Since: "2026-08-01", Source: "zed crates/acp_thread, TokenUsage::ratio", Percent: 8000, OfWindow: true}
}
