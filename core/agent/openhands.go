// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var openHandsEntry = Entry{
	ID: OpenHands, Name: "OpenHands", CompactCommand: "/condense",
	Proof:     Proof{Lab: "1.16.0"},
	FromStore: true, ExpandsTabs: true,
	Rule: openHandsRule,
}

// openHandsRule returns OpenHands's rule: it condenses by the number of events, or if the provider refuses a prompt.
func openHandsRule(*Installation) core.Rule {
	return core.Rule{
		Name: "openhands condenses by events", Since: "2026-05-01", Source: "openhands-sdk 1.21 context/condenser/llm_summarizing_condenser.py", Hard: true,
		First: core.FirstPrompt{SystemRecorded: true, ToolsHidden: true},
	}
}
