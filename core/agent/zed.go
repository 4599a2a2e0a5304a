// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

var zedEntry = Entry{
	ID: Zed, Name: "Zed",
	Proof:          Proof{Dated: "2026-11"},
	CompactCommand: "New From Summary",
	FromStore:      true,
	Rule:           zedRule,
}

// zedRule returns Zed's rule: it compacts at nine tenths of the window without the output reserve. The user may set
// another percentage, a number of used tokens, or, as a negative number, the tokens left.
func zedRule(in *Installation) core.Rule {
	if in.off("agent.auto_compact.enabled") {
		return core.Rule{Name: "zed with auto_compact off", Since: "2026-06-09", Source: "zed pull request 58883", Hard: true}
	}
	name, n, share, left := "zed", int64(90), true, false
	if set := in.setting("agent.auto_compact.threshold"); set != "" {
		name = "zed with agent.auto_compact.threshold"
		last := len(set) - 1
		share, left = set[last] == '%', set[0] == '-'
		switch {
		case share:
			set = set[:last]
		case left:
			set = set[1:]
		}
		n = tokens(set)
	}
	return core.Rule{
		Name: name, Since: "2026-06-09", Source: "zed pull request 58883: agent.auto_compact, 90 % of max_tokens - max_output_tokens",
		Formula: func(l core.Limits) int64 {
			room := max(l.Window-max(l.Output, 0), 0)
			switch {
			case l.Window <= 0 || n <= 0:
				return core.Unknown
			case share:
				return room * min(n, 100) / 100
			case left:
				return max(room-n, 0)
			}
			return min(n, room)
		},
	}
}
