// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"cmp"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Overlay writes everything in a Reading: the sentence of Status, the session's state, the bar, every row, the basis of
// the number, the accuracy of the predictions, and the compaction threshold.
func Overlay(w io.Writer, r *api.Reading, which string, now time.Time, s Style) error {
	o := newOverlay(r, s, 100)
	o.headline(which)
	o.named(now)
	o.bar()
	o.line("")
	o.rows()
	o.line("")
	o.facts()
	o.cache(now)
	o.children()
	o.warnings()
	_, err := io.WriteString(w, o.out.String())
	return err
}

type overlay struct {
	r     *api.Reading
	s     Style
	width int
	out   strings.Builder
}

// newOverlay returns an overlay for the width of a terminal, at most widest columns.
func newOverlay(r *api.Reading, s Style, widest int) *overlay {
	return &overlay{r: r, s: s, width: min(max(s.Width, 24), widest)}
}

func (o *overlay) line(text string) { o.out.WriteString(strings.TrimRight(text, " ") + "\n") }

func (o *overlay) title() {
	between := o.s.either(" · ", " - ")
	text := o.s.Clean(o.model())
	if name := o.agent(); name != "" {
		text = name + between + text
	}
	if o.r.Workspace != "" {
		// A path is cut at its beginning, because its end is more useful.
		if room := o.width - width(text) - width(between); room >= 8 {
			text += between + o.s.cutLeft(o.s.Clean(o.r.Workspace), room)
		}
	}
	o.line(o.s.paint(strong, o.s.cut(text, o.width)))
}

// model returns the model's name.
func (o *overlay) model() string { return cmp.Or(o.r.Model, "unknown model") }

// agent returns the agent's display name, or "" for an unknown agent.
func (o *overlay) agent() string {
	if e, known := agent.Find(o.r.Agent); known {
		return e.Name
	}
	if o.r.Agent == "generic" {
		return ""
	}
	return o.s.Clean(o.r.Agent)
}

// bar draws the window: the used part and the compaction threshold, with the numbers next to it.
func (o *overlay) bar() {
	percent := o.r.Display.Mark + percentOf(o.r)
	tokens := tokensOf(o.r)
	tail := "  " + percent + "  " + tokens
	cells := min(o.width-width(tail), 50)
	if cells < 10 { // narrow, so the numbers are below the bar
		o.line(o.s.Bar(o.r, o.width))
		o.line(percent + "  " + tokens)
		return
	}
	o.line(o.s.Bar(o.r, cells) + "  " + o.s.paint(levelColor(o.r.Compaction.Level), percent) + "  " + tokens)
}

// Bar draws the window as a line of cells.
func (s Style) Bar(r *api.Reading, cells int) string {
	return s.bar(cells, r.Percent, r.Compaction.ThresholdShare, levelColor(r.Compaction.Level))
}

// bar draws a window as a line of cells, with a mark at the compaction threshold. Unknown values are left out.
func (s Style) bar(cells int, percent, thresholdShare *api.Hundredths, color string) string {
	full, empty, line := s.either("█", "#"), s.either("░", "."), s.either("│", "|")
	used, at := 0, -1
	if percent != nil {
		if used = min(cells, percent.Of(cells)); used == 0 && *percent > 0 {
			used = 1
		}
		if thresholdShare != nil && *thresholdShare > 0 && *thresholdShare < 100_00 {
			at = thresholdShare.Of(cells)
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

func (o *overlay) facts() {
	if len(o.r.Largest) > 0 {
		o.fact("Largest", o.largest())
	}
	for i, server := range o.r.MCPServers[:min(len(o.r.MCPServers), largestNamed)] {
		o.fact([]string{"MCP", ""}[min(i, 1)], o.s.Clean(server.Text))
	}
	o.fact("Basis", o.basis())
	o.fact("Accuracy", o.accuracy())
	o.fact("Compaction", o.compaction())
	o.sources()
	if o.r.LimitSource != "" && o.r.Limit != nil {
		o.fact("Window", Digits(*o.r.Limit)+" tokens, "+SourceName(o.r.LimitSource))
	}
	if o.r.WholeWindow != "" {
		o.fact("", o.s.Clean(o.r.WholeWindow))
	}
	if o.r.AgentCounts != "" {
		o.fact("Agent", o.s.Clean(o.r.AgentCounts))
	}
	if p := o.r.AgentPercent; p != nil {
		o.fact("Agent", p.Value.String()+"% "+o.s.Clean(p.Label))
	}
	for _, a := range o.r.Advice {
		o.fact("Advice", o.advice(a))
	}
}

// largestNamed is how many of the largest items a status names.
const largestNamed = 4

// largest names the largest items of the conversation.
func (o *overlay) largest() string { return strings.Join(o.largestNames(), o.s.Between()) }

// largestIn names as many of the largest items as fit, but at least one.
func (o *overlay) largestIn(columns int) string {
	names := o.largestNames()
	for len(names) > 1 && width(strings.Join(names, o.s.Between())) > columns {
		names = names[:len(names)-1]
	}
	return o.s.cut(strings.Join(names, o.s.Between()), max(columns, 8))
}

func (o *overlay) largestNames() []string {
	var list []string
	for _, item := range o.r.Largest[:min(len(o.r.Largest), largestNamed)] {
		text := o.s.Clean(item.Label)
		if item.Times > 1 {
			text += o.s.either(" ×", " x") + itoa(item.Times)
		}
		list = append(list, text+" "+mark(item.Basis)+core.Short(item.Tokens))
	}
	return list
}

// basis explains how the number came about.
func (o *overlay) basis() string {
	last := o.r.LastRequest
	if o.r.Mode == "provider" {
		return o.measured()
	}
	var parts []string
	if last == nil {
		parts = append(parts, "no request yet")
	} else {
		parts = append(parts, "last input "+Digits(last.In))
		if o.r.Leaving.Tokens != 0 {
			var reasons []string
			for _, reason := range o.r.Leaving.Reasons {
				reasons = append(reasons, reason.Reason)
			}
			text := "leaving " + Digits(o.r.Leaving.Tokens)
			if len(reasons) > 0 {
				text += " (" + o.s.Clean(strings.Join(reasons, ", ")) + ")"
			}
			parts = append(parts, text)
		}
		out := "last output "
		switch {
		case last.Out == nil:
			out += "unknown"
		case last.Carry > *last.Out:
			// The agent recorded it before the response was complete.
			out = "last answer " + mark(last.CarryBasis) + Digits(last.Carry) + " (the agent recorded " + Digits(*last.Out) + ")"
		default:
			out += Digits(*last.Out)
		}
		switch {
		case last.Out != nil && last.Carry > *last.Out:
		case last.Out != nil && last.Carry == *last.Out && last.Carry > 0:
			out += " (all of it stays)"
		case last.Carry > 0 || last.Out != nil && *last.Out > 0:
			out += " (" + mark(last.CarryBasis) + Digits(last.Carry) + " stays)"
		}
		parts = append(parts, out)
	}
	fresh := "new since then " + mark(o.r.New.Basis) + Digits(o.r.New.Tokens)
	if last == nil {
		fresh = "new " + mark(o.r.New.Basis) + Digits(o.r.New.Tokens)
	}
	if o.r.New.Items > 0 {
		fresh += " in " + Digits(o.r.New.Items) + plural(o.r.New.Items, " item", " items")
	}
	return strings.Join(append(parts, fresh), "; ") + ". Together " + string(o.r.Basis) + "."
}

// measured explains how the number of provider mode came about.
func (o *overlay) measured() string {
	last := o.r.LastRequest
	if last == nil {
		return "provider mode: " + o.r.Unmeasured + "."
	}
	text := "provider mode: last input " + Digits(last.In)
	if last.Out != nil {
		text += "; last output " + Digits(*last.Out) + ", which is not included"
	}
	return text + ". New content since then is not included either."
}

// lastStep compares the last prediction with its measurement.
func (o *overlay) lastStep() string {
	last := o.r.Accuracy.Last
	if last == nil {
		return "nothing to compare yet"
	}
	text := "last estimate " + Digits(last.Predicted) + ", actual " + Digits(last.Actual) + ", error " + signed(last.Error) + " (" + signedPercent(last.Percent) + ")"
	if last.Cause != "" {
		text += ": " + o.s.Clean(last.Cause)
	}
	return text
}

func (o *overlay) accuracy() string {
	a := o.r.Accuracy
	text := o.lastStep()
	if a.Last == nil {
		return text
	}
	text += "; ratio " + a.Ratio.String()
	if a.MedianTokens != nil && a.P95Tokens != nil && a.Steps > 1 {
		text += "; over " + Digits(a.Steps) + " requests median " + Digits(*a.MedianTokens) + ", 95% within " + Digits(*a.P95Tokens) + " tokens"
	}
	return text
}

// compaction returns the compaction threshold, the distance to it, the forecast, the size afterwards and the rule.
func (o *overlay) compaction() string {
	c := o.r.Compaction
	if c.Threshold == nil {
		return o.threshold()
	}
	text := "at " + Digits(*c.Threshold)
	if c.Left != nil {
		if *c.Left >= 0 {
			text += ", " + o.atMost() + Digits(*c.Left) + " to go"
		} else {
			text += ", " + past(c.Hint) + ": over by " + Digits(-*c.Left)
		}
	}
	if c.Percent != nil {
		text += " (" + o.r.Display.ThresholdPercent + " of the threshold)"
	}
	if calls := c.CallsLeft; calls != nil {
		if calls.High == 0 {
			text += ", no request left"
		} else {
			text += ", " + o.amount(calls, " request", " requests") + " left"
		}
	}
	if turns := c.TurnsLeft; turns != nil && turns.High > 0 {
		text += ", " + o.amount(turns, " turn", " turns")
	}
	text += o.forecastFrom()
	if after := o.afterwards(); after != "" {
		text += "; " + after
	}
	if c.Rule != "" {
		text += "; rule " + o.s.Clean(c.Rule)
	}
	if c.Since != "" {
		text += ", since " + o.s.Clean(c.Since)
	}
	return text
}

// threshold returns the compaction threshold and the size afterwards.
func (o *overlay) threshold() string {
	c := o.r.Compaction
	if c.Threshold == nil {
		if c.Rule == "" || c.Rule == "none" {
			return "none known"
		}
		return "no threshold known (" + o.s.Clean(c.Rule) + ")"
	}
	text := "at " + Digits(*c.Threshold)
	if c.Percent != nil {
		text += " (" + o.r.Display.ThresholdPercent + " of it is used)"
	}
	if after := o.afterwards(); after != "" {
		text += "; " + after
	}
	return text
}

// afterwards returns the size after a compaction, or "" if it cannot be predicted.
func (o *overlay) afterwards() string {
	if l := o.r.Compaction.Landing; l != nil && l.Low < o.r.Used {
		return "afterwards about " + Digits(l.Low) + o.s.either("–", "-") + Digits(l.High)
	}
	return ""
}

// amount formats a forecast such as "about 9 (5–14) requests".
func (o *overlay) amount(r *api.Range, one, many string) string {
	bounds := Digits(r.Low) + o.s.either("–", "-") + Digits(r.High)
	if r.Low == r.High {
		bounds = Digits(r.Low)
	}
	return "about " + Digits(r.Likely) + " (" + bounds + ")" + plural(r.Likely, one, many)
}

func (o *overlay) advice(a api.Advice) string {
	text := o.s.Clean(a.Label)
	if a.Tokens > 0 {
		text += ": frees "
		if a.AtMost {
			text += "at most "
		}
		text += mark(a.Basis) + Digits(a.Tokens)
	}
	if a.How != "" {
		if how := o.s.Clean(a.How); strings.HasSuffix(how, ".") {
			text += ". " + strings.TrimSuffix(how, ".")
		} else {
			text += " with " + how
		}
	}
	if a.BreaksCache {
		text += " (breaks the prompt cache)"
	}
	return text
}

func (o *overlay) children() {
	var draw func(children []api.Brief, depth int)
	draw = func(children []api.Brief, depth int) {
		for i, c := range children {
			branch := o.s.either("├ ", "|- ")
			if i == len(children)-1 {
				branch = o.s.either("└ ", "`- ")
			}
			name := c.Label
			if name == "" {
				name = c.Session
			}
			percent := c.Display.Mark + c.Display.Percent
			text := strings.Repeat("  ", depth) + branch + o.s.Clean(name)
			o.line(o.s.cut(text, o.width-width(percent)-2) + "  " + o.s.paint(levelColor(c.Level), percent))
			if depth < 8 {
				draw(c.Children, depth+1)
			}
		}
	}
	if len(o.r.Children) > 0 {
		o.line(o.s.paint(accent, "Sub-agents"))
		draw(o.r.Children, 1)
	}
}

func (o *overlay) warnings() {
	for _, sentence := range o.r.Warnings {
		o.line(o.s.paint(notice, strings.Join(wrap("! "+o.s.Clean(sentence), o.width-2), "\n  ")))
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
