// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Overlay writes the long form of a Reading's panel: who the session is, the bar, every row of the window, and every
// fact.
func Overlay(w io.Writer, r *api.Reading, which string, now time.Time, s Style) error {
	o := newOverlay(r, now, s, 100)
	o.headline(which)
	o.named()
	o.bar()
	o.line("")
	o.next()
	o.barRows(o.view.rows("contents"))
	o.line("")
	o.facts(nextSections...)
	_, err := io.WriteString(w, o.out.String())
	return err
}

type overlay struct {
	view  panelView
	s     Style
	width int
	out   strings.Builder
}

// newOverlay returns an overlay for the width of a terminal, at most widest columns.
func newOverlay(r *api.Reading, now time.Time, s Style, widest int) *overlay {
	return &overlay{view: panelView{panel: r.Panel, now: now, s: s}, s: s, width: min(max(s.Width, 24), widest)}
}

func (o *overlay) line(text string) { o.out.WriteString(strings.TrimRight(text, " ") + "\n") }

// named writes the first lines of a page: the titles, then the activity.
func (o *overlay) named() {
	o.titles()
	if parts := o.activity(); len(parts) > 0 {
		o.line(o.s.paint(faint, o.s.cut(strings.Join(parts, o.s.Between()), o.width)))
	}
}

// titles writes the session's title, then the agent, the model and the directory.
func (o *overlay) titles() {
	if title := o.view.valueOf("session", "title"); title != "" {
		o.line(o.s.paint(strong, o.s.cut(title, o.width)))
	}
	text := o.view.valueOf("session", "model")
	if name := o.view.valueOf("session", "agent"); name != "" {
		text = name + o.s.Between() + text
	}
	if folder := o.view.valueOf("session", "workspace"); folder != "" {
		// A path is cut at its beginning, because its end is more useful.
		if room := o.width - width(text) - width(o.s.Between()); room >= 8 {
			text += o.s.Between() + o.s.cutLeft(folder, room)
		}
	}
	o.line(o.s.paint(strong, o.s.cut(text, o.width)))
}

// activity returns the rows about the session that follow those with a place of their own.
func (o *overlay) activity() []string {
	var parts []string
	for _, row := range o.view.rows("session") {
		if !slices.Contains([]string{"name", "title", "agent", "model", "workspace"}, row.ID) {
			parts = append(parts, row.value)
		}
	}
	return parts
}

// bar draws the window: the used part and the compaction threshold, with the numbers next to it.
func (o *overlay) bar() {
	for _, row := range o.view.rows("window") {
		if row.ID != "usage" {
			continue
		}
		percent, tokens, color := row.value, row.note, toneColor(row.Tone)
		tail := "  " + percent + "  " + tokens
		cells := min(o.width-width(tail), 50)
		if cells < 10 { // narrow, so the numbers are below the bar
			o.line(o.s.bar(o.width, row.Share, row.Mark, color))
			o.line(percent + "  " + tokens)
			return
		}
		o.line(o.s.bar(cells, row.Share, row.Mark, color) + "  " + o.s.paint(color, percent) + "  " + tokens)
	}
}

// Bar draws the window as a line of cells.
func (s Style) Bar(r *api.Reading, cells int) string {
	return s.bar(cells, r.Percent, r.Compaction.ThresholdShare, levelColor(r.Compaction.Level))
}

// bar draws a window as a line of cells, with a mark at the compaction threshold. Unknown values are left out.
func (s Style) bar(cells int, percent, lineShare *api.Hundredths, color string) string {
	full, empty, line := s.either("█", "#"), s.either("░", "."), s.either("│", "|")
	used, at := 0, -1
	if percent != nil {
		if used = min(cells, percent.Of(cells)); used == 0 && *percent > 0 {
			used = 1
		}
		if lineShare != nil && *lineShare > 0 && *lineShare < 100_00 {
			at = lineShare.Of(cells)
		}
	}
	var b strings.Builder
	segment := func(from, to int) {
		if from < min(used, to) {
			b.WriteString(s.paint(color, strings.Repeat(full, min(used, to)-from)))
			from = min(used, to)
		}
		if from < to {
			b.WriteString(s.paint(faint, strings.Repeat(empty, to-from)))
		}
	}
	if at < 0 {
		segment(0, cells)
		return b.String()
	}
	segment(0, at)
	b.WriteString(s.paint(notice, line))
	segment(at+1, cells)
	return b.String()
}

// until writes how far the next compaction is.
func (o *overlay) until() {
	for _, row := range o.view.rows("window") {
		if row.ID == "until" {
			for _, part := range wrap(row.value, o.width) {
				o.line(o.s.paint(toneColor(row.Tone), part))
			}
		}
	}
}

// factIndent is the first column of a fact's sentence.
const factIndent = 12

// fact writes a name and a sentence, wrapped to the width.
func (o *overlay) fact(name, sentence string) {
	const indent = factIndent
	room := o.width - indent
	if room < 24 { // narrow, so the name has its own line
		o.line(o.s.paint(accent, name))
		for _, text := range wrap(sentence, o.width-2) {
			o.line("  " + text)
		}
		return
	}
	for i, text := range wrap(sentence, room) {
		if i == 0 {
			o.line(o.s.paint(accent, padRight(name, indent)) + text)
		} else {
			o.line(strings.Repeat(" ", indent) + text)
		}
	}
}

// wrap breaks a sentence at spaces, and breaks words that are longer than a line.
func wrap(sentence string, columns int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(sentence) {
		for width(word) > max(columns, 8) {
			room := max(columns, 8)
			if current != "" {
				lines, current = append(lines, current), ""
			}
			at := len(word)
			for i, r := range word {
				if room -= runewidth.RuneWidth(r); room < 0 {
					at = i
					break
				}
			}
			lines, word = append(lines, word[:at]), word[at:]
		}
		if current != "" && width(current)+1+width(word) > columns {
			lines, current = append(lines, current), ""
		}
		if current != "" {
			current += " "
		}
		current += word
	}
	return append(lines, current)
}

// nextSections are the sections about the next compaction, which come first.
var nextSections = []string{"compaction", "cache"}

// next writes them, and an empty line after them.
func (o *overlay) next() {
	before := o.out.Len()
	for _, section := range nextSections {
		for _, row := range o.view.rows(section) {
			o.fact(row.label, joined(row.value, row.note))
		}
	}
	if o.out.Len() > before {
		o.line("")
	}
}

// facts writes the sections that follow the contents of the window, except those already drawn.
func (o *overlay) facts(drawn ...string) {
	for _, section := range o.view.rest(append(drawn, "session", "window", "parts", "contents")...) {
		rows := o.view.rows(section)
		switch {
		case len(rows) == 0:
		case section == "largest":
			o.fact("Largest", strings.Join(o.largest(rows), o.s.Between()))
		case section == "children" && !o.view.short:
			o.children(rows)
		case section == "warnings":
			o.warnings(rows)
		default:
			for _, row := range rows {
				o.fact(row.label, joined(row.value, row.note))
			}
		}
	}
}

// joined returns a value with its note.
func joined(value, note string) string { return strings.TrimSpace(value + " " + note) }

// largestNamed is how many of the largest items a status names.
const largestNamed = 4

// largest names the largest items of the conversation; in the short form as many as fit into a line, but at least one.
func (o *overlay) largest(rows []panelRow) []string {
	var names []string
	for _, row := range rows[:min(len(rows), largestNamed)] {
		names = append(names, row.label+" "+o.view.text(row.Short))
	}
	if o.view.short {
		room := o.width - factIndent
		for len(names) > 1 && width(strings.Join(names, o.s.Between())) > room {
			names = names[:len(names)-1]
		}
		names[0] = o.s.cut(names[0], max(room, 8))
	}
	return names
}

// children draws the sub-agents as a tree.
func (o *overlay) children(rows []panelRow) {
	o.line(o.s.paint(accent, "Sub-agents"))
	for i, row := range rows {
		branch := o.s.either("└ ", "`- ")
		for _, later := range rows[i+1:] {
			if later.Depth <= row.Depth {
				if later.Depth == row.Depth {
					branch = o.s.either("├ ", "|- ")
				}
				break
			}
		}
		text := strings.Repeat("  ", int(row.Depth)+1) + branch + row.label
		o.line(o.s.cut(text, o.width-width(row.value)-2) + "  " + o.s.paint(toneColor(row.Tone), row.value))
	}
}

// warnings writes the warnings: in the short form those that fit on the screen, and the number of those that do not.
func (o *overlay) warnings(rows []panelRow) {
	room := screenLines - 1 - strings.Count(o.out.String(), "\n")
	used := 0
	for i, row := range rows {
		if !o.view.short {
			o.line(o.s.paint(notice, strings.Join(wrap("! "+row.value, o.width-2), "\n  ")))
			continue
		}
		lines := wrap("! "+row.value, o.width)
		if used += len(lines); used > room || i < len(rows)-1 && used+1 > room {
			rest := int64(len(rows) - i)
			o.line(o.s.paint(notice, "! "+itoa(rest)+plural(rest, " warning", " warnings")+" not shown here"))
			return
		}
		for _, line := range lines {
			o.line(o.s.paint(notice, line))
		}
	}
}

// SourceName returns the source of the window's size in words.
func SourceName(source api.LimitSource) string {
	return core.LimitSourceLabel(string(source)).English()
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// StepLine returns the line to log when a request has been measured: the estimate and the actual number.
func StepLine(estimate, actual, miss int64, percent, ratio api.Hundredths) string {
	sign := ""
	if miss > 0 {
		sign = "+"
	}
	return "estimate " + itoa(estimate) + " actual " + itoa(actual) + " error " + sign + itoa(miss) + " (" + signedPercent(percent) + ") ratio " + ratio.String()
}
