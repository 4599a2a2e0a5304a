// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A template is a line with fields in braces: "{bar} {percent}{mark} {left} left".
// A field in square brackets together with its words, "[ · {agentPercent}]",
// vanishes as a whole when the field is unknown.

// DefaultTemplate is the status line unless the user says otherwise.
const DefaultTemplate = "{bar} {percent}{mark}[ · {left} to compaction][ · {model}]"

// fields are what a template may hold, and what each means.
var fields = []struct{ name, meaning string }{
	{"percent", "of the window that is used"},
	{"percentLeft", "of the window that is left"},
	{"used", "tokens"},
	{"limit", "the window"},
	{"free", "tokens free after the reserve"},
	{"mark", "~ when it is estimated, ? when it is unknown"},
	{"left", "tokens to the line at which the agent compacts"},
	{"line", "that line"},
	{"linePercent", "of the way to it"},
	{"linePercentLeft", "of the way that is left"},
	{"level", "ok, soon, now or over"},
	{"calls", "requests left until compaction, as a range"},
	{"turns", "turns left until compaction, as a range"},
	{"lastRequest", "percent of the window that the last request filled"},
	{"agentPercent", "the number the agent prints itself"},
	{"error", "how far the last estimate was off"},
	{"model", "the model's id"},
	{"agent", "the agent's name"},
	{"bar", "ten cells"},
	{"age", "how old the number is, when it is not of now"},
}

// Fields lists the fields of a template, one a line.
func Fields() string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "  {%s}%s%s\n", f.name, strings.Repeat(" ", max(1, 17-len(f.name))), f.meaning)
	}
	return b.String()
}

// Line fills a template with a Reading.
func Line(template string, r *api.Reading, age string, s Style) (string, error) {
	values := lineValues(r, age, s)
	var out strings.Builder
	var optional *strings.Builder // the part in square brackets
	missing := false
	write := func(text string) {
		if optional != nil {
			optional.WriteString(text)
		} else {
			out.WriteString(text)
		}
	}
	for rest := template; rest != ""; {
		switch c := rest[0]; {
		case c == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return "", fmt.Errorf("the template %q has a { without its }", template)
			}
			name := rest[1:end]
			if !slices.ContainsFunc(fields, func(f struct{ name, meaning string }) bool { return f.name == name }) {
				return "", fmt.Errorf("the template %q asks for {%s}; the fields are %s", template, name, fieldNames())
			}
			value := values[name]
			if value == "" || value == "?" && name != "mark" {
				missing = missing || optional != nil
			}
			write(value)
			rest = rest[end+1:]
		case c == '[' && optional == nil:
			optional, missing = &strings.Builder{}, false
			rest = rest[1:]
		case c == ']' && optional != nil:
			if !missing {
				out.WriteString(optional.String())
			}
			optional = nil
			rest = rest[1:]
		default:
			next := strings.IndexAny(rest[1:], "{[]") + 1
			if next == 0 {
				next = len(rest)
			}
			write(s.literal(rest[:next]))
			rest = rest[next:]
		}
	}
	if optional != nil {
		return "", fmt.Errorf("the template %q has a [ without its ]", template)
	}
	return strings.TrimSpace(out.String()), nil
}

// literal are the template's own words, in ASCII where nothing else is shown.
func (s Style) literal(text string) string {
	if s.Unicode {
		return text
	}
	return s.Clean(strings.ReplaceAll(text, "·", "-"))
}

func fieldNames() string {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func lineValues(r *api.Reading, age string, s Style) map[string]string {
	d := r.Display
	color := levelColor(r.Compaction.Level)
	v := map[string]string{
		"percent": s.paint(color, d.Percent), "percentLeft": d.PercentLeft,
		"used": d.Used, "limit": d.Limit, "free": d.Free, "mark": d.Mark,
		"left": d.Left, "line": d.Line, "linePercent": s.paint(color, d.LinePercent), "linePercentLeft": d.LinePercentLeft,
		"level": s.paint(color, string(r.Compaction.Level)),
		"model": s.Clean(r.Model), "agent": s.Clean(r.Agent),
		"bar": s.paint(color, s.smallBar(d.Bar)), "age": age,
	}
	if d.Percent == "?" {
		v["percent"] = "?"
	}
	if d.LinePercent == "?" {
		v["linePercent"] = "?"
	}
	if last := r.LastRequest; last != nil && last.Percent != nil {
		v["lastRequest"] = last.Percent.Short()
	}
	if p := r.AgentPercent; p != nil {
		v["agentPercent"] = p.Value.Short()
	}
	span := func(r *api.Range) string {
		if r == nil {
			return ""
		}
		return itoa(r.Low) + s.either("–", "-") + itoa(r.High)
	}
	v["calls"], v["turns"] = span(r.Compaction.CallsLeft), span(r.Compaction.TurnsLeft)
	if miss := r.Accuracy.Last; miss != nil {
		v["error"] = signed(miss.Error)
	}
	return v
}

// smallBar is the bar that core drew, in ASCII where nothing else is shown.
func (s Style) smallBar(bar string) string {
	if s.Unicode {
		return bar
	}
	return strings.NewReplacer("▰", "#", "▱", ".").Replace(bar)
}
