// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"cmp"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
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
	var r api.Reading
	is := wire.ReadValue(reading, func(v json.Value) { r.Glance(v) })
	c := &r.Compaction
	sum := summary{
		agent: kept(r.Agent, before.agent), model: kept(r.Model, before.model), workspace: kept(r.Workspace, before.workspace),
		level: kept(cmp.Or(string(c.Level), "ok"), before.level), fullness: -1, hasThreshold: c.Threshold != nil, child: r.Parent != nil,
		working: r.Activity == "working", live: r.Activity == "" || r.Activity == "working" || r.Activity == "waiting",
		compactions: max(0, r.Compaction.Count), calls: max(0, r.Spent.Calls),
	}
	if share := cmp.Or(c.Percent, r.Percent); share != nil {
		sum.fullness = share.Float()
	}
	if r.Limit != nil {
		sum.limit = max(0, *r.Limit)
	}
	if r.AsOf != nil {
		sum.asOf = max(0, int64(*r.AsOf))
	}
	return sum, is
}

// kept returns a text, in the memory of before if both are equal.
func kept(text, before string) string {
	if text == before {
		return before
	}
	return text
}
