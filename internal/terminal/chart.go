// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// upperEdge is the value at the upper edge of a drawing: the limit where the
// curve comes near it, else a little above the highest value. So a session of
// 30,000 tokens is more than a line at the bottom of a million.
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
	for _, mark := range []*int64{h.Line, h.Limit} {
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

// Chart draws the curve in a terminal. A column stands for a few calls and
// shows the highest value of them; compactions are marked below.
func Chart(w io.Writer, h *api.HistoryAnswer, s Style) error {
	if len(h.Points) == 0 {
		_, err := io.WriteString(w, "no request has been measured yet\n")
		return err
	}
	top, last := upperEdge(h), lastCall(h)
	const gutter = 8
	columns := int(min(int64(max(10, min(s.Width, 120)-gutter-1)), max(last, 10)))
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
	rowOf := func(tokens int64) int {
		return chartRows - 1 - int(min(chartRows-1, max(0, tokens*chartRows-1)/top))
	}
	lineRow, limitRow := -1, -1
	if h.Line != nil && *h.Line <= top {
		lineRow = rowOf(*h.Line)
	}
	if h.Limit != nil && *h.Limit <= top {
		limitRow = rowOf(*h.Limit)
	}
	var b strings.Builder
	for row := range chartRows {
		label := ""
		switch row {
		case lineRow:
			label = core.Short(*h.Line)
		case limitRow:
			label = core.Short(*h.Limit)
		case 0:
			label = core.Short(top)
		case chartRows - 1:
			label = "0"
		}
		b.WriteString(s.paint(faint, padLeft(label, gutter-2)+" "+s.either("┤", "|")))
		base := int64(chartRows-1-row) * steps
		for _, tokens := range heights {
			filled := max(tokens, 0)*int64(chartRows)*steps/top - base
			switch {
			case filled > 0:
				over := h.Line != nil && tokens >= *h.Line
				color := good
				if over {
					color = alarm
				}
				b.WriteString(s.paint(color, string(eighths[min(filled, steps)])))
			case row == lineRow:
				b.WriteString(s.paint(notice, s.either("╌", "-")))
			case row == limitRow:
				b.WriteString(s.paint(alarm, s.either("─", "=")))
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	marks := []rune(strings.Repeat(" ", columns))
	for _, c := range h.Compactions {
		marks[column(c.Call)] = []rune(s.either("▲", "^"))[0]
	}
	b.WriteString(strings.TrimRight(strings.Repeat(" ", gutter)+s.paint(accent, string(marks)), " ") + "\n")
	b.WriteString(strings.Repeat(" ", gutter) + "1" + padLeft("call "+itoa(last), columns-1) + "\n")
	for _, c := range h.Compactions {
		b.WriteString(s.paint(accent, s.either("▲", "^")) + " compacted before call " + Digits(c.Call) + ": " + known(c.Before) + s.either(" → ", " -> ") + known(c.After) + trigger(c.Trigger) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// known writes a number, or a question mark where there is none.
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

// SVG draws the curve as a picture that needs no other file. Its colours follow
// the reader's light or dark setting.
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
	level(h.Line, "var(--line)", "compaction")
	for _, c := range h.Compactions {
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="var(--mark)"/><circle cx="%d" cy="%d" r="4" fill="var(--mark)"><title>compacted before call %d at %s</title></circle>`+"\n",
			x(c.Call), x(c.Call), above, high-below, x(c.Call), high-below, c.Call, known(c.Before))
	}
	fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d">call 1</text><text class="soft" x="%d" y="%d" text-anchor="end">call %d</text>`+"\n</svg>\n", left, high-14, wide-right, high-14, last)
	_, err := io.WriteString(w, b.String())
	return err
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(text string) string { return escaper.Replace(text) }
