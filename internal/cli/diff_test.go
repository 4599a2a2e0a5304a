// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestRowsOfOneKindMeetInADifference checks that a kind is compared with itself, even if it is one derived row in one
// session and several rows in the other, and that the lines of the kinds add up.
func TestRowsOfOneKindMeetInADifference(t *testing.T) {
	row := func(kind api.Kind, label string, tokens int64, basis api.Basis) api.Row {
		return api.Row{Kind: kind, Label: api.Text{Text: label}, Tokens: tokens, Basis: basis}
	}
	a := &api.Reading{Session: "a", Used: 19_200, Breakdown: []api.Row{
		row("mcpTools", "MCP and other tools, not recorded", 8000, "derived"), row("mcpTools", "MCP tools, inside the conversation", 200, "estimated"),
		row("tools", "Built-in tools", 9000, "estimated"), row("prefix", "System prompt and tools", 2000, "derived"),
	}}
	b := &api.Reading{Session: "b", Used: 30_500, Breakdown: []api.Row{
		row("mcpTools", "MCP and other tools, not recorded", 15_000, "derived"), row("tools", "Built-in tools", 12_000, "estimated"),
		row("prefix", "Memory, skills and others, not recorded", 3500, "derived"),
		{Kind: "tools", Label: api.Text{Text: "Tools that are listed"}, Tokens: 99_000, Deferred: true},
	}}
	d := differ(a, b, false)
	lines := func(list []differenceLine) map[string][2]int64 {
		out := map[string][2]int64{}
		for _, l := range list {
			out[l.Label] = [2]int64{l.A, l.B}
		}
		return out
	}
	sum := int64(0)
	for _, l := range d.Rows {
		sum += l.Tokens
	}
	if sum != d.Tokens || d.Tokens != 11_300 {
		t.Errorf("the rows differ by %d, the requests by %d", sum, d.Tokens)
	}
	rows, named := lines(d.Rows), lines(d.Named)
	for label, want := range map[string][2]int64{
		"MCP tools": {8200, 15_000}, "Tools": {9000, 12_000}, "System prompt and tools": {2000, 0}, "Memory, skills and others, not recorded": {0, 3500},
	} {
		if got, ok := rows[label]; !ok || got != want {
			t.Errorf("%s: %v, want %v", label, got, want)
		}
	}
	if len(rows) != 4 {
		t.Errorf("there are the rows %v", rows)
	}
	for label, want := range map[string][2]int64{"MCP and other tools, not recorded": {8000, 15_000}, "MCP tools, inside the conversation": {200, 0}} {
		if got := named[label]; got != want {
			t.Errorf("by name, %s: %v, want %v", label, got, want)
		}
	}
	if _, twice := named["Built-in tools"]; twice || len(named) != 2 {
		t.Errorf("by name there are %v: what a row says already is said twice", named)
	}
}
