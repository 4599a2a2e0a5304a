// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"encoding/json"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// DefaultTemplate is the status line unless the user says otherwise.
const DefaultTemplate = "{bar} {percent}{mark}[ · {left} to compaction][ · {model}]"

// Fields lists the fields of a template, one a line.
func Fields() string {
	return api.LineFieldsText() + "  {age}            how old the number is, when it is not of now\n"
}

// Line fills a template with a Reading; docs/protocol.md describes the language.
func Line(template string, r *api.Reading, age string, s Style) (string, error) {
	line, refused := api.NewLine(template, "age", age)
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

// smallBar is the bar that core drew, in ASCII where nothing else is shown.
func (s Style) smallBar(bar string) string {
	if s.Unicode {
		return bar
	}
	return strings.NewReplacer("▰", "#", "▱", ".").Replace(bar)
}

// ascii is a finished line, in ASCII where nothing else is shown. The colours in it stay.
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
