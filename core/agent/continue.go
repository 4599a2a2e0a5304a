// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

var continueEntry = Entry{
	ID: Continue, Name: "Continue", Webview: `continue\.`,
	CompactCommand: "/compact",
	Retold:         true,
	Rule:           continueRule,
}

// continueRule: input that leaves no room for the answer and a buffer of a
// fifth of the rest, at least the answer's own size, at most 15,000.
func continueRule(*Installation) core.Rule {
	return core.Rule{
		Name: "continue", Since: "2026-06-18", Source: "continue extensions/cli/src/util/tokenizer.ts, shouldAutoCompact",
		Formula: func(l core.Limits) int64 {
			window := l.Window
			if window <= 0 {
				window = 200_000
			}
			output := l.Output
			if output <= 0 {
				output = min((window*35+99)/100, 64_000)
			}
			rest := window - output
			return max(rest-min(max(output, (rest+4)/5), 15_000), 0)
		},
	}
}
