// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var copilotEntry = Entry{
	ID: Copilot, Name: "GitHub Copilot",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "/compact",
	FromStore:      true,
	Rule:           copilotRule,
}

// copilotRule returns Copilot Chat's rule: the conversation is summarized when the rendered messages exceed 85% of the
// largest prompt without the tools. The threshold is computed without tools; each of their tokens raises it by 0.15.
func copilotRule(in *Installation) core.Rule {
	rule := core.Rule{
		Name: "copilot chat, tools left out", Since: "2026-03-29", Source: "vscode-copilot-chat src/extension/intents/node/agentIntent.ts",
		Percent: 8500, Prints: printsReserved, PrintsAs: phrase.AgentShows.Text(phrase.Name("VS Code's chat")),
	}
	if in.off("github.copilot.chat.summarizeAgentConversationHistory.enabled") {
		return core.Rule{Name: "copilot chat with summaries off", Since: rule.Since, Source: rule.Source, Hard: true}
	}
	if most := tokens(in.setting("github.copilot.chat.summarizeAgentConversationHistoryThreshold")); most > 0 {
		rule.Threshold = most * 85 / 100
		rule.Name += ", with summarizeAgentConversationHistoryThreshold"
	}
	return rule
}

// printsReserved returns the share of the prompt with the output reserve in the full window.
func printsReserved(in, _ int64, l core.Limits) int64 {
	output := max(l.Output, 0)
	if window := l.Window; window > 0 {
		return rounded(in+output, window)
	}
	if l.Input <= 0 {
		return core.Unknown
	}
	return rounded(in+output, l.Input+output)
}
