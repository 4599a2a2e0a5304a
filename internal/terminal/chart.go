// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// upperEdge returns the value at the upper edge of a chart: the limit if the usage comes near it, otherwise a little
// above the highest value. So a session of 30,000 tokens is more than a line at the bottom of a million.
func upperEdge(h *api.HistoryAnswer) int64 {
	var highest int64
	for _, p := range h.Points {
		highest = max(highest, p.Used)
	}
	for _, c := range h.Compactions {
		if c.Before != nil {
			highest = max(highest, *c.Before)
		}
	}
	edge := highest
	for _, mark := range []*int64{h.Threshold, h.Limit} {
		if mark != nil && *mark <= 3*max(highest, 1) {
			edge = max(edge, *mark)
		}
	}
	return max(edge, 1)
}

func lastCall(h *api.HistoryAnswer) int64 {
	var last int64 = 1
	for _, p := range h.Points {
		last = max(last, p.Call)
	}
	for _, c := range h.Compactions {
		last = max(last, c.Call)
	}
	return last
}

const chartRows = 14

// chartLook sets how tall a chart is, and what is listed below it.
type chartLook struct {
	rows  int64
	brief bool // mark compactions without listing them
}

// mostStretch is the maximum number of columns for a request in the chart of a short session.
const mostStretch = 4

// HistoryHead draws the lines above the chart of a session: its title, agent and model, its window with the compaction
// threshold, and the distance to the threshold. The chart of a session far from both the threshold and the limit shows
// neither.
func HistoryHead(w io.Writer, r *api.Reading, s Style) error {
	o := newOverlay(r, time.Time{}, s, 120)
	o.titles()
	o.line(s.paint(faint, s.cut("session "+s.Clean(r.Session), o.width)))
	o.bar()
	o.until()
	o.line("")
	_, err := io.WriteString(w, o.out.String())
	return err
}

// Chart draws the usage chart in a terminal. A column covers a few calls and shows the highest of their values.
// Compactions and breaks of the cache are marked below; the threshold and the limit are named at the right edge if the
// chart leaves space there.
func Chart(w io.Writer, h *api.HistoryAnswer, s Style) error {
	return drawChart(w, h, s, chartLook{rows: chartRows})
}

func drawChart(w io.Writer, h *api.HistoryAnswer, s Style, look chartLook) error {
	if len(h.Points) == 0 {
		_, err := io.WriteString(w, "no request has been measured yet\n")
		return err
	}
	top, last := upperEdge(h), lastCall(h)
	const gutter = 8
	room := int64(max(10, min(s.Width, 120)-gutter-1))
	columns := int(min(room, max(last*min(mostStretch, max(room/last, 1)), 10)))
	column := func(call int64) int {
		return min(columns-1, int((max(call, 1)-1)*int64(columns)/last))
	}
	heights := make([]int64, columns)
	for i := range heights {
		heights[i] = -1
	}
	for _, p := range h.Points {
		c := column(p.Call)
		heights[c] = max(heights[c], p.Used)
	}
	for i := 1; i < columns; i++ { // a call between two points has the value of the earlier one
		if heights[i] < 0 {
			heights[i] = heights[i-1]
		}
	}
	const steps = 8
	eighths := []rune(s.either(" ▁▂▃▄▅▆▇█", " ....:::#"))
	rowOf := func(tokens int64) int64 {
		return look.rows - 1 - min(look.rows-1, max(0, tokens*look.rows-1)/top)
	}
	thresholdRow, limitRow := int64(-1), int64(-1)
	if h.Threshold != nil && *h.Threshold <= top {
		thresholdRow = rowOf(*h.Threshold)
	}
	if h.Limit != nil && *h.Limit <= top && !look.brief {
		limitRow = rowOf(*h.Limit)
	}
	var b strings.Builder
	for row := range look.rows {
		label, name := "", ""
		switch row {
		case thresholdRow:
			label, name = core.Short(*h.Threshold), " compacts"
		case limitRow:
			label, name = core.Short(*h.Limit), " window"
		case 0:
			label = core.Short(top)
		case look.rows - 1:
			label = "0"
		}
		b.WriteString(s.paint(faint, padLeft(label, gutter-2)+" "+s.either("┤", "|")))
		base := (look.rows - 1 - row) * steps
		filled := func(i int) int64 { return max(heights[i], 0)*look.rows*steps/top - base }
		named := columns // column of the line's name: at the right edge, or left of the values there
		for end := columns; name != "" && end >= len(name); end-- {
			free := true
			for i := end - len(name); i < end && free; i++ {
				free = filled(i) <= 0
			}
			if free {
				named = end - len(name)
				break
			}
		}
		for i, tokens := range heights {
			switch {
			case i == named:
				b.WriteString(s.paint(faint, name))
			case i > named && i < named+len(name):
			case filled(i) > 0:
				color := good
				if h.Threshold != nil && tokens >= *h.Threshold {
					color = alarm
				}
				b.WriteString(s.paint(color, string(eighths[min(filled(i), steps)])))
			case row == thresholdRow:
				b.WriteString(s.paint(notice, s.either("╌", "-")))
			case row == limitRow:
				b.WriteString(s.paint(alarm, s.either("─", "=")))
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	marks := make([]string, columns)
	for _, broke := range brokenAlone(h) {
		marks[column(broke.Call)] = s.breakMark()
	}
	for _, c := range h.Compactions {
		marks[column(c.Call)] = s.paint(accent, s.either("▲", "^"))
	}
	b.WriteString(strings.TrimRight(strings.Repeat(" ", gutter)+joinMarks(marks), " ") + "\n")
	b.WriteString(strings.Repeat(" ", gutter) + "1" + padLeft("request "+itoa(last), columns-1) + "\n")
	if axis := timeAxis(h, columns); axis != "" {
		b.WriteString(strings.Repeat(" ", gutter) + s.paint(faint, axis) + "\n")
	}
	for _, c := range h.Compactions {
		if look.brief {
			break
		}
		text := "compacted before request " + Digits(c.Call) + ": " + known(c.Before) + s.either(" → ", " -> ") + known(c.After) + trigger(c.Trigger)
		for i, line := range wrap(text, max(s.Width, 24)-2) {
			sign := "  "
			if i == 0 {
				sign = s.paint(accent, s.either("▲", "^")) + " "
			}
			b.WriteString(sign + line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// breakMark is the sign of a break of the cache.
func (s Style) breakMark() string { return s.paint(notice, s.either("◆", "*")) }

// brokenAlone returns the breaks of the cache except those of compactions, which have a mark of their own.
func brokenAlone(h *api.HistoryAnswer) []api.DetailedBreak {
	return slices.DeleteFunc(slices.Clone(h.Breaks), func(b api.DetailedBreak) bool { return b.Cause == "compaction" })
}

// joinMarks returns a line with the marks in their columns.
func joinMarks(marks []string) string {
	var b strings.Builder
	for _, mark := range marks {
		if mark == "" {
			mark = " "
		}
		b.WriteString(mark)
	}
	return b.String()
}

// timeAxis returns an axis with the times of the first and last request and, if it fits, of the middle one; "" if fewer
// than two times are known. The columns are calls, so the hours between them differ in width.
func timeAxis(h *api.HistoryAnswer, columns int) string {
	times := timesOf(h)
	if len(times) < 2 {
		return ""
	}
	from, to, layout := between(times)
	if len(from)+len(to)+2 > columns {
		return from
	}
	axis := from + padLeft(to, columns-len(from))
	if middle := times[len(times)/2].Format(layout); len(from)+len(to)+len(middle)+8 <= columns {
		at := (columns - len(middle)) / 2
		axis = padRight(padRight(from, at)+middle, columns-len(to)) + to
	}
	return axis
}

// timeSpan returns the times of a session's first and last request, or "" if they are not recorded.
func timeSpan(h *api.HistoryAnswer) string {
	times := timesOf(h)
	if len(times) < 2 {
		return ""
	}
	from, to, _ := between(times)
	return from + "–" + to
}

func timesOf(h *api.HistoryAnswer) []time.Time {
	var times []time.Time
	for _, p := range h.Points {
		if p.At != nil {
			times = append(times, time.UnixMilli(int64(*p.At)))
		}
	}
	return times
}

// between returns the first and the last of several times, and the layout of the last: it includes the date only if
// that differs from the first.
func between(times []time.Time) (from, to, layout string) {
	first, last := times[0], times[len(times)-1]
	const day, hour = "2 Jan 15:04", "15:04"
	layout = day
	if first.YearDay() == last.YearDay() && first.Year() == last.Year() {
		layout = hour
	}
	return first.Format(day), last.Format(layout), layout
}

// known formats a number, or returns a question mark for nil.
func known(n *int64) string {
	if n == nil {
		return "?"
	}
	return Digits(*n)
}

func trigger(t api.Trigger) string {
	if t == "" {
		return ""
	}
	return ", " + string(t)
}

// SVG draws the usage chart as an image that needs no other file. Its colors follow the reader's light or dark setting.
func SVG(w io.Writer, h *api.HistoryAnswer, title string, s Style) error {
	const (
		wide, high                = 960, 360
		left, right, above, below = 64, 24, 44, 40
	)
	top, last := upperEdge(h), lastCall(h)
	x := func(call int64) int64 { return left + (call-1)*(wide-left-right)/max(last-1, 1) }
	y := func(tokens int64) int64 { return above + (high - above - below) - tokens*(high-above-below)/top }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="12" role="img">`+"\n", wide, high)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(s.Clean(title)))
	b.WriteString(`<style>
:root { color-scheme: light dark; --ink: #24292f; --soft: #8c959f; --fill: #2da44e; --line: #bf8700; --limit: #cf222e; --mark: #0969da; --ground: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #7d8590; --fill: #3fb950; --line: #d29922; --limit: #f85149; --mark: #58a6ff; --ground: #0d1117; } }
text { fill: var(--ink); } .soft { fill: var(--soft); } .grid { stroke: var(--soft); stroke-width: .5; opacity: .35; }
</style>
`)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="var(--ground)"/>`+"\n", wide, high)
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="15">%s</text>`+"\n", left, escape(s.Clean(title)))
	for i := int64(0); i <= 4; i++ {
		tokens := top * i / 4
		fmt.Fprintf(&b, `<line class="grid" x1="%d" x2="%d" y1="%d" y2="%d"/><text class="soft" x="%d" y="%d" text-anchor="end">%s</text>`+"\n",
			left, wide-right, y(tokens), y(tokens), left-8, y(tokens)+4, core.Short(tokens))
	}
	if len(h.Points) > 0 {
		var path strings.Builder
		fmt.Fprintf(&path, "M%d %d", x(h.Points[0].Call), y(0))
		for _, p := range h.Points {
			fmt.Fprintf(&path, " L%d %d", x(p.Call), y(p.Used))
		}
		fmt.Fprintf(&path, " L%d %d Z", x(h.Points[len(h.Points)-1].Call), y(0))
		fmt.Fprintf(&b, `<path d="%s" fill="var(--fill)" fill-opacity=".25" stroke="var(--fill)" stroke-width="1.5" stroke-linejoin="round"/>`+"\n", path.String())
	}
	level := func(tokens *int64, color, name string) {
		if tokens == nil || *tokens > top {
			return
		}
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-dasharray="6 4"/><text x="%d" y="%d" text-anchor="end">%s %s</text>`+"\n",
			left, wide-right, y(*tokens), y(*tokens), color, wide-right, y(*tokens)-5, name, core.Short(*tokens))
	}
	level(h.Limit, "var(--limit)", "window")
	level(h.Threshold, "var(--line)", "compacts")
	for _, c := range h.Compactions {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="var(--mark)"/><circle cx="%d" cy="%d" r="4" fill="var(--mark)"><title>compacted before request %d at %s</title></circle>`+"\n",
			x(c.Call), x(c.Call), above, high-below, x(c.Call), high-below, c.Call, known(c.Before))
	}
	for _, broke := range brokenAlone(h) {
		b.WriteString(breakDiamond(x(broke.Call), high-below, &broke, s, "var(--line)") + "\n")
	}
	fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d">request 1</text><text class="soft" x="%d" y="%d" text-anchor="end">request %d</text>`+"\n</svg>\n", left, high-14, wide-right, high-14, last)
	_, err := io.WriteString(w, b.String())
	return err
}

// breakDiamond draws the mark of a break of the cache, with its text as the tooltip.
func breakDiamond(x, y int64, b *api.DetailedBreak, s Style, color string) string {
	return fmt.Sprintf(`<path d="M%d %d l4 5 l-4 5 l-4 -5 Z" fill="%s"><title>request %d: %s</title></path>`, x, y-5, color, b.Call, escape(s.Clean(b.Text.Text)))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(text string) string { return escaper.Replace(text) }
