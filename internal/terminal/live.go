// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Live is one session in the table of live sessions, with the fields of its Reading that the table shows.
type Live struct {
	ID             string
	Short          string // the shortest unique beginning of the id
	Agent          string // the agent's id
	Title          string
	Model          string
	Workspace      string
	Level          api.Level
	Activity       api.Activity
	Percent        *api.Hundredths // share of the window that is used
	ThresholdShare *api.Hundredths // the threshold's share of the window
	Left           *int64          // tokens left to the threshold
	Calls          *api.Range
	Hint           string // what happens next
	Display        api.Display
	AsOf           time.Time // the last record's time
	Back           *api.Back // the cost of coming back; nil if unknown
	Idle           bool      // the session is inactive
	Problem        string    // why the session cannot be read now
}

// AgentName returns the agent's display name.
func (l *Live) AgentName() string { return agentName(l.Agent) }

func agentName(id string) string {
	if e, known := agent.Find(id); known {
		return e.Name
	}
	return id
}

// Name returns the session's title, or its directory and the beginning of its id.
func (l *Live) Name() string {
	if l.Title != "" {
		return l.Title
	}
	name := l.Short
	if name == "" {
		name = l.ID
	}
	if folder := lastElement(l.Workspace); folder != "" {
		name = folder + " " + name
	}
	return name
}

func lastElement(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// left returns the tokens left to the threshold, such as 5.1k, "now" past it, or "?" if unknown.
func (l *Live) left() string {
	switch {
	case l.Left == nil:
		return "?"
	case *l.Left <= 0:
		return "now"
	}
	return l.Display.Left
}

func (l *Live) calls() string {
	switch {
	case l.Calls == nil:
		return "?"
	case l.Calls.High == 0:
		return "0"
	}
	return core.ShownCalls(l.Calls.Likely)
}

// ahead returns the forecast of requests after a comma, "" without one.
func (l *Live) ahead() string {
	switch {
	case l.Calls == nil:
		return ""
	case l.Calls.Likely > core.MostShown:
		return ", more than " + itoa(core.MostShown) + " requests"
	}
	return ", about " + itoa(l.Calls.Likely) + plural(l.Calls.Likely, " request", " requests")
}

// Headline returns a line about the session that compacts next, or "" without a threshold. The distance comes first,
// because a name may be cut.
func (l *Live) Headline(s Style) string {
	who := s.Clean(l.AgentName() + ", " + l.Name())
	switch {
	case l.Left == nil:
		return ""
	case *l.Left <= 0:
		return "Compacts now: " + who
	}
	return "Next: " + l.Display.Left + " left" + l.ahead() + s.Between() + who
}

// A LiveTable lays out the rows of the table for a given width.
type LiveTable struct {
	s                                               Style
	agent, name, level, bar, used, left, calls, age int // widths in columns; 0 for a column that does not fit

	// Cold shows the state of the prompt cache instead of the age.
	Cold bool
}

// NewLiveTable chooses the columns that fit, dropping those first that are least useful at a glance.
func NewLiveTable(s Style) *LiveTable {
	t := &LiveTable{s: s, level: 5, used: 5, left: 6, calls: 8, age: 4, agent: 11, bar: 12}
	const marker, least = 4, 18 // columns of the cursor and the activity; minimum columns of a name
	room := func() int {
		n := s.Width - marker
		for _, columns := range []int{t.agent, t.level, t.bar, t.used, t.left, t.calls, t.age} {
			if columns > 0 {
				n -= columns + 2
			}
		}
		return n
	}
	for _, drop := range []func(){
		func() { t.bar = 8 }, func() { t.bar = 5 }, func() { t.agent = 0 }, func() { t.bar = 0 }, func() { t.level = 0 }, func() { t.calls = 0 }, func() { t.age = 0 },
	} {
		if room() >= least {
			break
		}
		drop()
	}
	t.name = max(room(), 4)
	if extra := t.name - 48; extra > 0 && t.bar > 0 {
		t.bar = min(t.bar+extra, 40)
		t.name = room()
	}
	return t
}

// Head returns the header of the table.
func (t *LiveTable) Head() string {
	age := "AGE"
	if t.Cold {
		age = "COLD"
	}
	return strings.TrimRight(t.s.paint(faint, t.join("    ", "AGENT", "SESSION", "LEVEL", "", "USED", "LEFT", "REQUESTS", age)), " ")
}

func (t *LiveTable) join(lead, agent, name, level, bar, used, left, calls, age string) string {
	var b strings.Builder
	b.WriteString(lead)
	first := true
	cell := func(text string, columns int, right bool) {
		if columns == 0 {
			return
		}
		if !first {
			b.WriteString("  ")
		}
		first = false
		if text = t.s.cut(text, columns); right {
			b.WriteString(padLeft(text, columns))
		} else {
			b.WriteString(padRight(text, columns))
		}
	}
	cell(agent, t.agent, false)
	cell(name, t.name, false)
	cell(level, t.level, false)
	if t.bar > 0 {
		if bar == "" {
			bar = strings.Repeat(" ", t.bar)
		}
		b.WriteString("  " + bar) // it has its width already, and may contain colors
	}
	cell(used, t.used, true)
	cell(left, t.left, true)
	cell(calls, t.calls, true)
	cell(age, t.age, true)
	return b.String()
}

// Row returns the line of one session.
func (t *LiveTable) Row(l *Live, chosen bool, now time.Time) string {
	s := t.s
	lead := "  "
	if chosen {
		lead = s.paint(strong, s.either("▸ ", "> "))
	}
	activity := l.Activity
	if l.Idle {
		activity = "idle"
	}
	lead += s.Sign(activity) + " "
	age := ""
	switch {
	case t.Cold:
		age = CacheState(l.Back, now)
	case !l.AsOf.IsZero():
		age = Age(now.Sub(l.AsOf))
	}
	name := s.Clean(l.Name())
	if l.Problem != "" {
		name = s.Clean(l.Problem)
	}
	level, color := string(l.Level), levelColor(l.Level)
	if l.Idle {
		level, color = "idle", faint
	}
	bar := ""
	if t.bar > 0 {
		bar = s.bar(t.bar, l.Percent, l.ThresholdShare, color)
	}
	text := t.join("", s.Clean(l.AgentName()), name, level, "\x00", l.Display.Mark+l.Display.Percent, l.left(), l.calls(), age)
	before, after, _ := strings.Cut(text, "\x00")
	line := color
	if line == good {
		line = plain
	}
	if chosen && !l.Idle {
		line = joinColors(strong, line)
	}
	if t.bar == 0 {
		return lead + s.paint(line, strings.TrimRight(text, " "))
	}
	return lead + s.paint(line, before) + bar + s.paint(line, after)
}

func joinColors(a, b string) string {
	if b == plain {
		return a
	}
	return a + ";" + b
}

// Sign returns the symbol of an activity in the table.
func (s Style) Sign(activity api.Activity) string {
	switch activity {
	case "idle", "ended":
		return s.paint(faint, s.either("○", "-"))
	case "waiting":
		return s.paint(accent, s.either("◐", "?"))
	}
	return s.paint(good, s.either("●", "*"))
}
