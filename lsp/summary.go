// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"cmp"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A summary is the part of a Reading that the daemon itself uses.
type summary struct {
	agent, model, workspace string
	level                   string  // empty before the first Reading
	fullness                float64 // percent of the compaction line, of the limit where no line is known, else -1
	hasLine                 bool
	compactions             int64
	calls                   int64 // requests that were measured
	limit                   int64 // of the window, 0 when it is not known
	asOf                    int64 // 0 when nothing is known
	live                    bool  // the agent works, or waits for its person
	working                 bool
	child                   bool // a sub-agent's
}

// summarise reads from a Reading only what the daemon uses. Names that are the same as in the summary before share its
// memory. It returns false where the text is no Reading.
func summarise(reading []byte, before summary) (summary, bool) {
	sum := summary{level: "ok", fullness: -1, live: true}
	ofLine, ofLimit := -1.0, -1.0
	is := wire.EachMember(reading, func(m wire.Member) bool {
		switch m.Name {
		case "agent":
			sum.agent = same(m.Value, before.agent)
		case "model":
			sum.model = same(m.Value, before.model)
		case "workspace":
			sum.workspace = same(m.Value, before.workspace)
		case "activity":
			sum.working = string(m.Value) == `"working"`
			sum.live = sum.working || string(m.Value) == `"waiting"`
		case "parent":
			sum.child = len(m.Value) > 0 && m.Value[0] == '"'
		case "limit":
			sum.limit = int64(max(0, number(m.Value)))
		case "percent":
			ofLimit = number(m.Value)
		case "compaction":
			wire.EachMember(m.Value, func(m wire.Member) bool {
				switch m.Name {
				case "line":
					sum.hasLine = number(m.Value) >= 0
				case "percent":
					ofLine = number(m.Value)
				case "level":
					sum.level = cmp.Or(same(m.Value, before.level), "ok")
				}
				return true
			})
		case "spent":
			sum.calls = int64(max(0, number(wire.MemberOf(m.Value, "calls"))))
		case "compactions":
			sum.compactions = int64(max(0, number(m.Value)))
		case "asOf":
			sum.asOf = int64(max(0, number(m.Value)))
		}
		return true
	})
	if sum.fullness = ofLine; ofLine < 0 {
		sum.fullness = ofLimit
	}
	return sum, is
}

// same decodes a JSON string; if the text equals before it returns before, which needs no memory.
func same(quoted []byte, before string) string {
	if len(quoted) < 2 || quoted[0] != '"' {
		return ""
	}
	if string(quoted[1:len(quoted)-1]) == before {
		return before
	}
	return wire.Text(quoted)
}

// number reads a number of a Reading; one that is not known is -1. The numbers that the daemon uses are never negative.
func number(value []byte) float64 {
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return -1
	}
	return n
}
