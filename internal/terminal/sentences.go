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
	o := overlay{r: r, s: Style{Width: 100}}
	var out strings.Builder
	out.WriteString(Summary(r) + " tokens")
	if r.Model != "" {
		out.WriteString(", " + o.s.Clean(r.Model))
	}
	out.WriteString(".\nCompaction: " + o.compaction() + ".\n")
	if list := r.Compaction.Sources; !onlyRule(list) {
		var sources []string
		for i := range list {
			sources = append(sources, o.sourceSentence(&list[i]))
		}
		out.WriteString("Sources of the threshold, in order of precedence: " + strings.Join(sources, "; ") + ".\n")
	}
	if v := r.Verdict; v != nil && v.Text != "" {
		out.WriteString("Last compaction: " + o.s.Clean(v.Text) + "\n")
	}
	if text := Back(r, now); text != "" {
		out.WriteString("Cache: " + o.s.Clean(text) + "\n")
	}
	if text := Breaks(r, now); text != "" {
		out.WriteString("Cache: " + o.s.Clean(text) + ".\n")
	}
	var rows []string
	for _, g := range NewPicture(r, nil).Groups {
		rows = append(rows, g.Label+" "+mark(g.Basis)+core.Short(g.Tokens))
	}
	if len(rows) > 0 {
		out.WriteString("Filled by: " + o.s.Clean(strings.Join(rows, ", ")) + ".\n")
	}
	for _, server := range r.MCPServers {
		out.WriteString("MCP: " + o.s.Clean(server.Text) + "\n")
	}
	for _, a := range r.Advice {
		out.WriteString("You can remove: " + o.advice(a) + "\n")
	}
	for _, w := range r.Warnings {
		out.WriteString("Note: " + o.s.Clean(w) + "\n")
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
		out.WriteString(mark(item.Basis) + core.Short(item.Tokens) + " " + s.Clean(item.Label))
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
