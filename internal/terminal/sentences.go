// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// ForAgent returns a Reading in words for an agent: sentences and short lists, because every word costs tokens of the
// very window that it describes.
func ForAgent(r *api.Reading, now time.Time) string {
	v := panelView{panel: r.Panel, now: now, s: Style{Width: 100}}
	var out strings.Builder
	out.WriteString(Summary(r) + " tokens")
	if r.Model != "" {
		out.WriteString(", " + v.s.Clean(r.Model))
	}
	out.WriteString(".\nCompaction: " + v.valueOf("compaction", "compaction") + ".\n")
	if !onlyRule(r.Compaction.Sources) {
		var sources []string
		for _, row := range v.rows("compaction") {
			if row.ID == "source" {
				sources = append(sources, row.value)
			}
		}
		out.WriteString("Sources of the threshold, in order of precedence: " + strings.Join(sources, "; ") + ".\n")
	}
	if last := v.valueOf("compaction", "verdict"); last != "" {
		out.WriteString("Last compaction: " + strings.TrimSuffix(last, ".") + ".\n")
	}
	for _, row := range v.rows("cache") {
		out.WriteString("Cache: " + strings.TrimSuffix(row.value, ".") + ".\n")
	}
	if text := JustBroke(r); text != "" {
		out.WriteString("Cache: " + v.s.Clean(text) + ".\n")
	}
	var rows []string
	for _, g := range NewPicture(r, nil).Groups {
		rows = append(rows, g.Label+" "+mark(g.Basis)+core.Short(g.Tokens))
	}
	if len(rows) > 0 {
		out.WriteString("Filled by: " + v.s.Clean(strings.Join(rows, ", ")) + ".\n")
	}
	for _, list := range []struct{ section, lead string }{{"servers", "MCP: "}, {"advice", "You can remove: "}, {"warnings", "Note: "}} {
		for _, row := range v.rows(list.section) {
			out.WriteString(list.lead + row.value + "\n")
		}
	}
	return out.String()
}

// LargestForAgent lists the largest items of a conversation for an agent, with their lines in the transcript.
func LargestForAgent(items []api.LargeItem) string {
	if len(items) == 0 {
		return "Nothing in the conversation is large enough to be named."
	}
	s := Style{}
	var out strings.Builder
	for _, item := range items {
		out.WriteString(mark(item.Basis) + core.Short(item.Tokens) + " " + s.Clean(item.Label.Text))
		if item.Times > 1 {
			out.WriteString(" x" + itoa(item.Times))
		}
		if item.Place != nil {
			out.WriteString(", line " + itoa(*item.Place))
		}
		out.WriteByte('\n')
	}
	return out.String()
}
