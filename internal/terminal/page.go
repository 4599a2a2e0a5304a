// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"cmp"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Page returns everything about one live session, as lines: the bar, the contents of the window, the usage chart, the
// largest items by name and what the user can remove.
func Page(r *api.Reading, h *api.HistoryAnswer, largest []api.LargeItem, now time.Time, s Style) []string {
	o := newOverlay(r, s, 120)
	o.named(now)
	o.bar()
	o.sentence()
	o.line("")
	o.rows()
	if h != nil && len(h.Points) > 0 {
		o.line("")
		o.heading("Course")
		chart := s
		chart.Width = o.width
		_ = Chart(&o.out, h, chart) // writing to a strings.Builder cannot fail
	}
	if len(largest) > 0 {
		o.line("")
		o.heading("Largest in the conversation")
		o.items(largest)
	}
	if len(r.Advice) > 0 {
		o.line("")
		o.heading("You can remove")
		for _, a := range r.Advice {
			for i, text := range wrap(o.advice(a), o.width-4) {
				o.line([]string{"  ", "    "}[min(i, 1)] + text)
			}
		}
	}
	for i, server := range r.MCPServers {
		if i == 0 {
			o.line("")
			o.heading("MCP servers")
		}
		for j, text := range wrap(s.Clean(server.Text), o.width-4) {
			o.line([]string{"  ", "    "}[min(j, 1)] + text)
		}
	}
	if len(r.Children) > 0 {
		o.line("")
	}
	o.children()
	o.line("")
	o.fact("Basis", o.basis())
	o.fact("Accuracy", o.accuracy())
	o.fact("Compaction", o.compaction())
	o.sources()
	o.cache(now)
	o.warnings()
	return strings.Split(strings.TrimRight(o.out.String(), "\n"), "\n")
}

func (o *overlay) heading(text string) { o.line(o.s.paint(accent, text)) }

// named writes the first lines of a page: the session's title, then the agent, the model, the directory and the
// activity.
func (o *overlay) named(now time.Time) {
	if title := cmp.Or(o.r.Title, o.r.Opening); title != "" {
		o.line(o.s.paint(strong, o.s.cut(o.s.Clean(title), o.width)))
	}
	o.title()
	if parts := o.activity(now); len(parts) > 0 {
		o.line(o.s.paint(faint, o.s.cut(strings.Join(parts, o.s.Between()), o.width)))
	}
}

// activity returns the agent's activity and how long it has lasted, the age of the last record, the host and the
// branch.
func (o *overlay) activity(now time.Time) []string {
	var parts []string
	if doing := o.doing(); doing != "" {
		if o.r.Since != nil {
			if since := now.Sub(time.UnixMilli(int64(*o.r.Since))); since >= time.Minute {
				doing += " for " + Age(since)
			}
		}
		parts = append(parts, doing)
	}
	if o.r.AsOf != nil {
		if age := Age(now.Sub(time.UnixMilli(int64(*o.r.AsOf)))); age != "now" {
			parts = append(parts, "last record "+age+" ago")
		}
	}
	if o.r.Host != "" {
		parts = append(parts, "in "+o.s.Clean(o.r.Host))
	}
	if o.r.Branch != "" {
		parts = append(parts, "branch "+o.s.Clean(o.r.Branch))
	}
	return parts
}

// doing returns the agent's activity in words, or "" if it is unknown.
func (o *overlay) doing() string {
	switch {
	case o.r.Activity == "waiting" && o.r.WaitingFor == "approval":
		return "waits for your approval"
	case o.r.Activity == "waiting":
		return "waits for you"
	case o.r.Activity == "working", o.r.Activity == "idle", o.r.Activity == "ended":
		return string(o.r.Activity)
	case o.r.Pending:
		return "request running"
	}
	return ""
}

// sentence writes when the agent compacts; nothing without a threshold.
func (o *overlay) sentence() {
	c := o.r.Compaction
	text := ""
	switch {
	case c.Left == nil:
		return
	case *c.Left <= 0:
		text = "It " + past(c.Hint) + "."
	default:
		text = o.atMost() + Digits(*c.Left) + " tokens until it compacts"
		if c.CallsLeft != nil && c.CallsLeft.Likely <= mostCalls {
			text += ", " + o.amount(c.CallsLeft, " request", " requests") + o.forecastFrom()
		}
		text += "."
	}
	for _, part := range wrap(text, o.width) {
		o.line(o.s.paint(levelColor(c.Level), part))
	}
}

// items lists the largest items of the conversation, each with a bar.
func (o *overlay) items(list []api.LargeItem) {
	var entries []barRow
	for _, item := range list {
		label := o.s.Clean(item.Label)
		if item.Times > 1 {
			label += o.s.either(" ×", " x") + itoa(item.Times)
		}
		entries = append(entries, barRow{label: label, tokens: mark(item.Basis) + Digits(item.Tokens), bar: item.Bar, share: item.Share})
	}
	o.barRows(entries)
}
