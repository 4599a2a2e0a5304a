// Copyright The ctx-lsp authors. MIT licence.

// Package terminal draws Readings for a terminal. It decides how things look and computes nothing about them: every
// number comes from the Reading, already rounded.
package terminal

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Style describes what the terminal can show.
type Style struct {
	Color   bool // ANSI colors
	Unicode bool // more than ASCII
	Width   int  // columns
}

// UnicodeLocale reports whether the locale in an environment uses UTF-8. Without a locale it reports true on Windows
// and macOS.
func UnicodeLocale(goos string, getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return goos == "windows" || goos == "darwin"
}

// The colors by their meaning.
const (
	plain  = ""
	strong = "1"
	faint  = "2"
	good   = "32"
	notice = "33"
	alarm  = "31"
	worst  = "1;31"
	accent = "36"
)

// levelColor returns the color of a compaction level.
func levelColor(level api.Level) string {
	switch level {
	case "soon":
		return notice
	case "now":
		return alarm
	case "over":
		return worst
	}
	return good
}

func (s Style) paint(color, text string) string {
	if !s.Color || color == plain || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// either returns the first text if the terminal can show Unicode, otherwise the second.
func (s Style) either(unicode, ascii string) string {
	if s.Unicode {
		return unicode
	}
	return ascii
}

// asciiCut replaces the mark of a text that was already cut.
var asciiCut = strings.NewReplacer("…", "...")

// Clean makes text from a transcript safe to print. Labels and paths may contain anything, and must neither move the
// cursor nor reverse the line.
func (s Style) Clean(text string) string {
	if !s.Unicode {
		text = asciiCut.Replace(text)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == unicode.ReplacementChar, r == '\u200e', r == '\u200f':
			return '?'
		case !s.Unicode && r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, text)
}

// width returns the number of columns of a text.
func width(text string) int { return runewidth.StringWidth(text) }

// cutMark returns the mark of a cut text. In ASCII it is never ~, which marks an estimate.
func (s Style) cutMark(columns int) string {
	switch {
	case s.Unicode:
		return "…"
	case columns < 8:
		return ">"
	}
	return "..."
}

// cut shortens a text to a number of columns.
func (s Style) cut(text string, columns int) string {
	if columns <= 0 {
		return ""
	}
	if width(text) <= columns {
		return text
	}
	return runewidth.Truncate(text, columns, s.cutMark(columns))
}

// cutLeft shortens a text at its beginning, which suits a path.
func (s Style) cutLeft(text string, columns int) string {
	if columns <= 0 {
		return ""
	}
	if width(text) <= columns {
		return text
	}
	mark := s.cutMark(columns)
	return runewidth.TruncateLeft(text, width(text)-columns+width(mark), mark)
}

func padRight(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-width(text)))
}

func padLeft(text string, columns int) string {
	return strings.Repeat(" ", max(0, columns-width(text))) + text
}

// Digits writes a whole number with a comma between thousands: 52,100.
func Digits(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	var groups []byte
	digits := itoa(n)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			groups = append(groups, ',')
		}
		groups = append(groups, digits[i])
	}
	return sign + string(groups)
}

// signed formats like Digits, with a plus before a positive number.
func signed(n int64) string {
	if n > 0 {
		return "+" + Digits(n)
	}
	return Digits(n)
}

// Strong emphasizes a text.
func (s Style) Strong(text string) string { return s.paint(strong, text) }

// Faint dims a text.
func (s Style) Faint(text string) string { return s.paint(faint, text) }

// Level paints a text in the color of a compaction level.
func (s Style) Level(level api.Level, text string) string { return s.paint(levelColor(level), text) }

// Between returns the separator of the parts of a line.
func (s Style) Between() string { return s.either(" · ", " - ") }

// Cut shortens a text to a number of columns.
func (s Style) Cut(text string, columns int) string { return s.cut(text, columns) }

// Wrap breaks a sentence at spaces into lines that fit the given number of columns.
func Wrap(sentence string, columns int) []string { return wrap(sentence, columns) }

// Marked returns a number of tokens with thousands separators, after the mark of its basis.
func Marked(basis api.Basis, n int64) string { return mark(basis) + Digits(n) }
