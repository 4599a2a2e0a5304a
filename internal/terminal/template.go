// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"encoding/json"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// DefaultTemplate is the status line unless the user says otherwise.
const DefaultTemplate = "{bar} {mark}{percent}[ · {unmeasured}][{?over} · compacts now| · {left} to compaction][ · {model}]"

// Fields lists the fields of a template, one on each line.
func Fields() string {
	return api.LineFieldsText() + "  {age}            how old the number is, when it is not of now\n"
}

// Summary says how full a window is in a few words: "~26% 52.1k of 200k".
func Summary(r *api.Reading) string {
	return strings.TrimSpace(r.Display.Mark + percentOf(r) + " " + tokensOf(r))
}

// percentOf is the used percentage. It is empty where provider mode shows tokens instead.
func percentOf(r *api.Reading) string {
	if r.Percent == nil && r.Mode == "provider" {
		return ""
	}
	return r.Display.Percent
}

// tokensOf is how much of the window is used, or why that is not known.
func tokensOf(r *api.Reading) string {
	text := r.Display.Used + " of " + r.Display.Limit
	if r.Limit == nil {
		text = r.Display.Used + " tokens"
	}
	switch {
	case r.Unmeasured != "":
		text += ", " + r.Unmeasured
	case r.Limit == nil:
		text += ", window unknown"
	}
	return text
}

// Nothing is a Reading in provider mode for a session that has not been measured.
func Nothing(model string) *api.Reading {
	return &api.Reading{
		Mode: "provider", Model: model, Percent: new(api.Hundredths), Unmeasured: "nothing measured yet",
		Display: api.Display{Percent: "0.0%", PercentLeft: "100.0%", Used: "0"},
	}
}

// Words are further fields of a template, with their values; an empty one is not known.
type Words []Word

// A Word is one of them.
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
	reading, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	color := levelColor(r.Compaction.Level)
	text := line.Text(reading, func(field, value string) string {
		switch field {
		case "percent", "linePercent", "line_percent", "level":
			return s.paint(color, value)
		case "bar":
			return s.paint(color, s.smallBar(value))
		}
		return value
	})
	return s.ascii(text), nil
}

// smallBar is the bar that the core has drawn, or an ASCII version of it where the terminal needs one.
func (s Style) smallBar(bar string) string {
	if s.Unicode {
		return bar
	}
	return strings.NewReplacer("▰", "#", "▱", ".").Replace(bar)
}

// ascii replaces characters of a finished line that the terminal cannot show. Colours stay.
func (s Style) ascii(line string) string {
	if s.Unicode {
		return line
	}
	line = strings.NewReplacer("·", "-", "–", "-", "…", "~").Replace(line)
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, line)
}
