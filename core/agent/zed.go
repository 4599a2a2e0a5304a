// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

var zedEntry = Entry{
	ID: Zed, Name: "Zed",
	CompactCommand: "New From Summary",
	Retold:         true,
	Rule:           zedRule,
}

// zedRule: Zed compacts at nine tenths of what the answer leaves of the window. A person may set another percentage, so
// many tokens that are used, or, as a negative number, so many that are left.
func zedRule(of *Installation) core.Rule {
	if of.off("agent.auto_compact.enabled") {
		return core.Rule{Name: "zed with auto_compact off", Since: "2026-06-09", Source: "zed pull request 58883", Hard: true}
	}
	name, percent, used, left := "zed", int64(9_000), int64(0), int64(0)
	set := of.setting("agent.auto_compact.threshold")
	if share, is := strings.CutSuffix(set, "%"); is {
		if n := hundredth(share); n > 0 && n <= 10_000 {
			percent = n
		}
	} else if rest, is := strings.CutPrefix(set, "-"); is {
		left = tokens(rest)
	} else {
		used = tokens(set)
	}
	if percent != 9_000 || used > 0 || left > 0 {
		name = "zed with agent.auto_compact.threshold"
	}
	return core.Rule{
		Name: name, Since: "2026-06-09", Source: "zed pull request 58883: agent.auto_compact, 90 % of max_tokens - max_output_tokens",
		Formula: func(l core.Limits) int64 {
			room := max(l.Window-max(l.Output, 0), 0)
			switch {
			case l.Window <= 0:
				return core.Unknown
			case used > 0:
				return min(used, room)
			case left > 0:
				return max(room-left, 0)
			}
			return room * percent / 10_000
		},
	}
}
