// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name makes a third-party name, such as that of a file, safe for a terminal. If it contains characters that a terminal
// would obey or not show, it is quoted and these are escaped, as ls does.
func Name(name string) string {
	if Sentence(name) == name {
		return name
	}
	return strconv.Quote(name)
}

// Sentence makes a text that may contain such names safe for a terminal: it becomes one line with these characters
// escaped.
func Sentence(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unsafe(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// unsafe reports whether a character is a control character, changes the direction of writing, or is invisible. Bytes
// that are not UTF-8 are decoded as the replacement character, which is unsafe too.
func unsafe(r rune) bool { return r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r) }

// Args makes the arguments of a format string safe for a terminal.
func Args(args []any) []any {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			safe[i] = Sentence(arg)
		case error:
			safe[i] = Sentence(arg.Error())
		case fmt.Stringer:
			safe[i] = Sentence(arg.String())
		default:
			safe[i] = arg
		}
	}
	return safe
}
