// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var zedEntry = Entry{
	ID: Zed, Name: "Zed",
	CompactCommand: "New From Summary",
	Retold:         true,
	Rule:           zedRule,
}

// zedRule: Zed compacts at nine tenths of what the answer leaves of the window.
func zedRule(of *Installation) core.Rule {
	if of.off("agent.auto_compact.enabled") {
		return core.Rule{Name: "zed with auto_compact off", Since: "2026-06-09", Source: "zed pull request 58883", Hard: true}
	}
	return core.Rule{
		Name: "zed", Since: "2026-06-09", Source: "zed pull request 58883: agent.auto_compact, 90 % of max_tokens - max_output_tokens",
		Formula: func(l core.Limits) int64 {
			if l.Window <= 0 {
				return core.Unknown
			}
			return max(l.Window-max(l.Output, 0), 0) * 9 / 10
		},
	}
}
