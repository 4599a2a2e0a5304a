// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// DefaultTemplate is the status line's template unless the user sets another.
const DefaultTemplate = "{bar} {mark}{percent}[ · {unmeasured}][{?over} · {hint}| · {left} to compaction][ · {model}]"

// Fields lists the fields of a template, one on each line.
func Fields() string {
	return api.LineFieldsText() + "  {age}            how old the number is, when it is not of now\n"
}

// Summary returns how full a window is in a few words: "~26% 52.1k of 200k".
func Summary(r *api.Reading) string {
	return strings.TrimSpace(r.Display.Mark + percentOf(r) + " " + tokensOf(r))
}

// percentOf returns the used percentage, or "" if provider mode shows tokens instead.
func percentOf(r *api.Reading) string {
	if r.Percent == nil && r.Mode == "provider" {
		return ""
	}
	return r.Display.Percent
}

// tokensOf returns how many tokens are used and the window's size, or why these are unknown.
func tokensOf(r *api.Reading) string {
	text := r.Display.Used + " of " + r.Display.Limit
	if r.Limit == nil {
		text = r.Display.Used + " tokens"
	}
	switch {
	case r.Unmeasured.Text != "":
		text += ", " + r.Unmeasured.Text
	case r.Limit == nil:
		text += ", window unknown"
	}
	return text
}

// Nothing returns a Reading in provider mode for a session that has not been measured.
func Nothing(model string) *api.Reading {
	return &api.Reading{
		Mode: "provider", Model: model, Percent: new(api.Hundredths), Unmeasured: api.Text{Text: "nothing measured yet"},
		Display: api.Display{Percent: "0.0%", PercentLeft: "100.0%", Used: "0"},
	}
}

// Words are further fields of a template with their values; an empty value is unknown.
type Words []Word

// A Word is one field with its value.
type Word struct{ Name, Value string }

// Line fills a template with a Reading; docs/protocol.md describes the language.
func Line(template string, r *api.Reading, age string, s Style, more ...Word) (string, error) {
	words := []string{"age", age}
	for _, word := range more {
		words = append(words, word.Name, s.Clean(word.Value))
	}
	line, refused := api.NewLine(template, words...)
	if refused != nil {
		return "", refused
	}
	color := levelColor(r.Compaction.Level)
	byTemplate := line.Colored()
	text := line.Text(r, func(field, value string) string {
		if name, is := strings.CutPrefix(field, "#"); is {
			return s.begin(name, color)
		}
		if byTemplate { // so only what it names is colored
			if field == "bar" {
				return s.smallBar(value)
			}
			return value
		}
		switch field {
		case "percent", "thresholdPercent", "threshold_percent", "level":
			return s.paint(color, value)
		case "bar":
			return s.paint(color, s.smallBar(value))
		}
		return value
	})
	return s.ascii(text), nil
}

// templateColors are the colors that a template may name.
var templateColors = map[string]string{
	"": "0", "red": alarm, "green": good, "yellow": notice, "blue": "34", "magenta": "35", "cyan": accent, "white": "37",
	"black": "30", "grey": "90", "bold": strong, "dim": faint,
}

// begin returns the escape sequence that starts a color, or resets all of them if name is empty. level is the color of
// the Reading's level.
func (s Style) begin(name, level string) string {
	if !s.Color {
		return ""
	}
	code, known := templateColors[name]
	if name == "level" {
		code, known = level, true
	}
	if rgb, err := strconv.ParseUint(name, 16, 32); !known && err == nil {
		code = fmt.Sprintf("38;2;%d;%d;%d", rgb>>16&0xff, rgb>>8&0xff, rgb&0xff)
	}
	return "\x1b[" + code + "m"
}

// smallBar returns the bar drawn by the core, in ASCII if the terminal needs that.
func (s Style) smallBar(bar string) string {
	if s.Unicode {
		return bar
	}
	return strings.NewReplacer("▰", "#", "▱", ".").Replace(bar)
}

// ascii replaces the characters of a finished line that the terminal cannot show. Colors stay.
func (s Style) ascii(line string) string {
	if s.Unicode {
		return line
	}
	line = strings.NewReplacer("·", "-", "–", "-", "…", "...").Replace(line)
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, line)
}
