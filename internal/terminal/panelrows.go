// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

const (
	shareWide = 6  // columns of a share: 47.1%
	barWide   = 16 // columns of the longest bar
	labelWide = 56 // columns of the longest name: bars far from their names are hard to follow
)

// barRows writes the rows. Shares and bars are left out if they do not fit; a note that does not fit next to its
// numbers is written below them.
func (o *overlay) barRows(rows []panelRow) {
	labels, numbers, shares, bars := 0, 0, 0, 0
	for _, row := range rows {
		labels, numbers = max(labels, width(row.label)), max(numbers, width(row.value))
		if row.Share != nil && o.width >= 36 {
			shares = 2 + shareWide
		}
	}
	if o.width >= 60 {
		bars = 2 + barWide
	}
	labels = max(4, min(labels, labelWide, o.width-numbers-4-shares-bars))
	for _, row := range rows {
		color := toneColor(row.Tone)
		text := "  " + padRight(o.s.cut(row.label, labels), labels) + "  " + padLeft(row.value, numbers)
		if shares > 0 {
			share := ""
			if row.Share != nil {
				share = tenths(*row.Share) + "%"
			}
			text += padLeft(share, shares)
		}
		if row.Bar != nil && *row.Bar > 0 && bars > 0 {
			o.line(o.s.paint(color, text) + "  " + o.s.paint(accent, o.s.eighths(*row.Bar, barWide)))
			continue
		}
		o.noted(text, row.note, color)
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
