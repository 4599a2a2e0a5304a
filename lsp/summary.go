// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"cmp"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A summary contains the parts of a Reading that the daemon itself uses.
type summary struct {
	agent, model, workspace string
	level                   string  // empty before the first Reading
	fullness                float64 // percent of the compaction threshold, or of the limit without one; -1 if unknown
	hasThreshold            bool
	compactions             int64
	calls                   int64 // measured requests
	limit                   int64 // the window; 0 if unknown
	asOf                    int64 // 0 if unknown
	live                    bool  // the agent is working or waiting for the user
	working                 bool
	child                   bool // it belongs to a sub-agent
}

// summarize returns the parts of a Reading that the daemon uses. Strings equal to those in before share its memory. It
// returns false if the text is not a Reading.
func summarize(reading []byte, before summary) (summary, bool) {
	sum := summary{level: "ok", live: true}
	ofThreshold, ofLimit := -1.0, -1.0
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
			sum.child = m.Value[0] == '"'
		case "limit":
			sum.limit = int64(max(0, number(m.Value)))
		case "percent":
			ofLimit = number(m.Value)
		case "compaction":
			wire.EachMember(m.Value, func(m wire.Member) bool {
				switch m.Name {
				case "threshold":
					sum.hasThreshold = number(m.Value) >= 0
				case "percent":
					ofThreshold = number(m.Value)
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
	if sum.fullness = ofThreshold; ofThreshold < 0 {
		sum.fullness = ofLimit
	}
	return sum, is
}

// same decodes a JSON string. If it equals before, it returns before, which needs no memory.
func same(quoted []byte, before string) string {
	if quoted[0] != '"' {
		return ""
	}
	if string(quoted[1:len(quoted)-1]) == before {
		return before
	}
	return wire.Text(quoted)
}

// number returns a number of a Reading, or -1 if it is unknown. The numbers that the daemon uses are never negative.
func number(value []byte) float64 {
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return -1
	}
	return n
}
