// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// screenLines is the maximum number of lines that Status writes at 80 columns and more.
const screenLines = 24

// largestParts is the number of parts that Status lists; the rest is one row.
const largestParts = 8

// Status writes a session on one screen: a sentence, the window's bar, the largest parts, the free space and three
// facts. which distinguishes the session from others, such as "the newest of 4 here"; it may be empty.
func Status(w io.Writer, r *api.Reading, which string, now time.Time, s Style) error {
	o := newOverlay(r, s, 100)
	o.headline(which)
	o.state(now)
	o.bar()
	o.line("")
	o.parts()
	o.line("")
	o.threeFacts()
	o.cache(now)
	o.fewWarnings()
	o.line(s.Faint(s.cut("ctx-lsp status --all shows every row and fact.", o.width)))
	_, err := io.WriteString(w, o.out.String())
	return err
}

// headline writes one sentence: which session, how full it is, and how long until it compacts.
func (o *overlay) headline(which string) {
	name := lastElement(o.r.Workspace)
	if name == "" {
		name = cmp.Or(o.r.Title, o.r.Opening, "session "+o.r.Session)
	}
	model := o.s.cut(o.s.Clean(o.model()), o.width/3)
	name = o.s.cut(o.s.Clean(name), o.width*3/5-width(model)) // so that the sentence has two lines at 80 columns
	text := name + ", " + model + ": " + o.fullness()
	if until := o.until(); until != "" {
		text += ", " + until
	}
	if which != "" {
		text += o.s.Between() + which
	}
	for _, line := range wrap(text, o.width) {
		o.line(o.s.paint(strong, line))
	}
}

// fullness returns how full the window is, in words.
func (o *overlay) fullness() string {
	if percent := percentOf(o.r); percent != "" && o.r.Limit != nil && o.r.Unmeasured == "" {
		return o.r.Display.Mark + percent + " full"
	}
	return o.r.Display.Mark + tokensOf(o.r)
}

// forecastFrom returns the source of the forecasts, unless it is the session itself.
func (o *overlay) forecastFrom() string {
	if from := o.r.Compaction.ForecastFrom; from != "" {
		return ", " + o.s.Clean(from)
	}
	return ""
}

// until returns how far the next compaction is, or the full window if nothing compacts; "" if neither is known.
func (o *overlay) until() string {
	c := o.r.Compaction
	switch {
	case c.Threshold == nil || c.Left == nil:
		return c.Hint
	case *c.Left <= 0:
		return "it " + past(c.Hint)
	case c.CallsLeft == nil:
		return o.r.Display.Left + " tokens until it compacts"
	case c.CallsLeft.High == 0:
		return "it compacts at the next request"
	case c.CallsLeft.Likely > mostCalls:
		return "more than " + itoa(mostCalls) + " requests until it compacts" + o.forecastFrom()
	}
	n := c.CallsLeft.Likely
	return "about " + itoa(n) + plural(n, " request", " requests") + " until it compacts" + o.forecastFrom()
}

// past returns the hint for a session past its threshold: not every agent compacts within a turn.
func past(hint string) string {
	switch hint {
	case phrase.CompactsAtPrompt.Text().String(), phrase.CompactsAfter.Text().String():
		return hint
	}
	return phrase.CompactsNow.Text().String()
}

// state writes one line with the agent, the session's title, its activity and its age.
func (o *overlay) state(now time.Time) {
	parts := o.activity(now)
	if agent := o.agent(); agent != "" {
		parts = slices.Insert(parts, 0, agent)
	}
	if title := o.s.Clean(cmp.Or(o.r.Title, o.r.Opening)); title != "" {
		room := o.width - width(strings.Join(parts, o.s.Between())) - width(o.s.Between())
		if room >= 12 {
			parts = slices.Insert(parts, min(1, len(parts)), o.s.cut(title, room))
		}
	}
	if len(parts) > 0 {
		o.line(o.s.Faint(o.s.cut(strings.Join(parts, o.s.Between()), o.width)))
	}
}

// parts writes the largest parts of the window by kind, the others as one row, and the free space.
func (o *overlay) parts() {
	groups := NewPicture(o.r, nil).Groups
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Tokens, a.Tokens) })
	if len(groups) > largestParts+1 {
		groups = append(groups[:largestParts:largestParts], others(groups[largestParts:], o.r.Limit))
	}
	var entries []barRow
	for _, g := range groups {
		e := barRow{label: o.s.Clean(g.Name()), tokens: mark(g.Basis) + Digits(g.Tokens), share: g.Share}
		if bar := api.ShareOf(g.Tokens, &groups[0].Tokens); bar != nil {
			e.bar = min(*bar, 100_00) // the others together may be larger than the largest part
		}
		entries = append(entries, e)
	}
	o.barRows(append(entries, o.free()...))
}

// others combines several groups into one.
func others(groups []Group, limit *int64) Group {
	sum := Group{Label: "Others", Basis: groups[0].Basis}
	for _, g := range groups {
		sum.Tokens += g.Tokens
		if g.Basis != sum.Basis {
			sum.Basis = "estimated"
		}
		sum.Items = append(sum.Items, Named{g.Label, g.Tokens, g.Basis})
	}
	sum.Share = api.ShareOf(sum.Tokens, limit)
	return sum
}

// Name returns the group's label, with the number of its parts if there are several, or the name of its only part.
func (g *Group) Name() string {
	switch len(g.Items) {
	case 0:
		return g.Label
	case 1:
		if name := g.Items[0].Label; !strings.Contains(strings.ToLower(name), strings.ToLower(g.Label)) {
			return g.Label + ": " + name
		}
		return g.Items[0].Label
	}
	return g.Label + " (" + itoa(int64(len(g.Items))) + ")"
}

// threeFacts writes the largest items, the compaction rule and the last prediction's error, or in provider mode the
// measurement.
func (o *overlay) threeFacts() {
	if text := o.largestIn(o.width - factIndent); text != "" {
		o.fact("Largest", text)
	}
	o.fact("Compaction", o.threshold())
	if o.r.WholeWindow != "" {
		o.fact("Window", o.s.Clean(o.r.WholeWindow))
	}
	if o.r.Mode == "provider" {
		o.fact("Basis", o.basis())
	} else {
		o.fact("Accuracy", o.lastStep())
	}
}

// fewWarnings writes the number of sub-agents, the warnings that fit on the screen, and the number of those that do
// not.
func (o *overlay) fewWarnings() {
	if n := int64(len(o.r.Children)); n > 0 {
		o.fact("Sub-agents", itoa(n)+", in windows of their own")
	}
	room := screenLines - 1 - strings.Count(o.out.String(), "\n")
	var lines []string
	for i, sentence := range o.r.Warnings {
		more := wrap("! "+o.s.Clean(sentence), o.width)
		last := i == len(o.r.Warnings)-1
		if len(lines)+len(more) > room || !last && len(lines)+len(more)+1 > room {
			rest := int64(len(o.r.Warnings) - i)
			lines = append(lines, "! "+itoa(rest)+plural(rest, " warning", " warnings")+" not shown here")
			break
		}
		lines = append(lines, more...)
	}
	for _, line := range lines {
		o.line(o.s.paint(notice, line))
	}
}
