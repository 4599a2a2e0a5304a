// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A barRow is one row in the list of the window's contents.
type barRow struct {
	label, tokens, note, color string
	bar                        api.Hundredths  // the length of its bar, if it has one
	share                      *api.Hundredths // share of the window, if it has one
}

// rows lists the contents of the window, each with its share of the window and a bar, followed by what is loaded on
// demand.
func (o *overlay) rows() {
	var entries, deferred []barRow
	for _, row := range o.r.Breakdown {
		e := barRow{label: o.s.Clean(row.Label), tokens: mark(row.Basis) + Digits(row.Tokens)}
		if row.Deferred {
			e.note, e.color = "loaded on demand", faint
			deferred = append(deferred, e)
			continue
		}
		e.bar, e.share = row.Bar, row.Share
		entries = append(entries, e)
	}
	used := barRow{label: "Used", tokens: o.r.Display.Mark + Digits(o.r.Used), color: strong, share: o.r.Percent}
	if o.r.Low != o.r.High {
		used.note = Digits(o.r.Low) + o.s.either("–", "-") + Digits(o.r.High)
	}
	entries = append(entries, used)
	entries = append(entries, o.free()...)
	if o.r.Limit != nil {
		entries = append(entries, barRow{label: "Window", tokens: Digits(*o.r.Limit), color: strong})
	}
	o.barRows(append(entries, deferred...))
}

// free returns the row of the tokens left until the agent compacts, with those it holds back beyond its threshold; or,
// if it has no threshold, of those free in the window.
func (o *overlay) free() []barRow {
	c := o.r.Compaction
	if c.Threshold == nil || c.Left == nil || c.Buffer == nil {
		var entries []barRow
		if o.r.Free != nil {
			note := ""
			if o.r.Reserve > 0 {
				note = Digits(o.r.Reserve) + " more are reserved for the response"
			}
			entries = append(entries, barRow{label: "Free", tokens: o.atMost() + Digits(*o.r.Free), note: note, share: o.r.FreeShare})
		}
		return entries
	}
	if *c.Left <= 0 {
		note := "it " + past(c.Hint) + ", at " + Digits(*c.Threshold)
		if *c.Left < 0 {
			note = "it " + past(c.Hint) + ", " + Digits(-*c.Left) + " past " + Digits(*c.Threshold)
		}
		return []barRow{{label: "Left", tokens: "0", note: note, color: notice}}
	}
	note := "until it compacts at " + Digits(*c.Threshold)
	if *c.Buffer > 0 {
		note += o.s.Between() + Digits(*c.Buffer) + " held back"
		if name := o.agent(); name != "" {
			note += " by " + name
		}
	}
	return []barRow{{label: "Left", tokens: o.atMost() + Digits(*c.Left), note: note, share: c.LeftShare}}
}

// atMost returns the mark of what is left if only a part of the prompt is known.
func (o *overlay) atMost() string {
	if o.r.Display.Mark == "≥" {
		return "≤"
	}
	return ""
}

const (
	shareWide = 6  // columns of a share: 47.1%
	barWide   = 16 // columns of the longest bar
	labelWide = 56 // columns of the longest name: bars far from their names are hard to follow
)

// barRows writes the rows. Shares and bars are left out if they do not fit; a note that does not fit next to its
// numbers is written below them.
func (o *overlay) barRows(entries []barRow) {
	labels, numbers := 0, 0
	for _, e := range entries {
		labels, numbers = max(labels, width(e.label)), max(numbers, width(e.tokens))
	}
	shares, bars := 0, 0
	if o.r.Limit != nil && o.width >= 36 {
		shares = 2 + shareWide
	}
	if o.width >= 60 {
		bars = 2 + barWide
	}
	labels = max(4, min(labels, labelWide, o.width-numbers-4-shares-bars))
	for _, e := range entries {
		text := "  " + padRight(o.s.cut(e.label, labels), labels) + "  " + padLeft(e.tokens, numbers)
		if shares > 0 {
			share := ""
			if e.share != nil {
				share = tenths(*e.share) + "%"
			}
			text += padLeft(share, shares)
		}
		if e.bar > 0 && bars > 0 {
			o.line(o.s.paint(e.color, text) + "  " + o.s.paint(accent, o.s.eighths(e.bar, barWide)))
			continue
		}
		o.noted(text, e.note, e.color)
	}
}

// noted writes a row and its note: next to it if that fits, otherwise in parts next to and below it, otherwise wrapped
// below it.
func (o *overlay) noted(text, note, color string) {
	if note == "" { // a row may fill the width, and a space after it would become a line of its own
		o.line(o.s.paint(color, strings.TrimRight(text, " ")))
		return
	}
	room := o.width - width(text) - 2
	parts := []string{note}
	if width(note) > room {
		parts = strings.Split(note, o.s.Between())
	}
	for _, part := range parts {
		if width(part) > room {
			o.line(o.s.paint(color, strings.TrimRight(text, " ")))
			for _, part := range wrap(note, o.width-4) {
				o.line("    " + o.s.paint(faint, part))
			}
			return
		}
	}
	for i, part := range parts {
		lead := o.s.paint(color, text)
		if i > 0 {
			lead = strings.Repeat(" ", width(text))
		}
		o.line(lead + "  " + o.s.paint(faint, part))
	}
}

// eighths draws a bar of at most the given number of columns, to an eighth of a column if the terminal can show that.
// It is never empty.
func (s Style) eighths(bar api.Hundredths, columns int) string {
	parts := max(bar.Of(8*columns), 1)
	if !s.Unicode {
		return strings.Repeat("#", (parts+7)/8)
	}
	drawn := strings.Repeat("█", parts/8)
	if rest := parts % 8; rest > 0 {
		drawn += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return drawn
}
