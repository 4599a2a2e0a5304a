// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is a name of somebody else's, of a file for example, for a terminal: as it is, or in quotation marks with
// everything escaped that a terminal would obey or not show, as ls does it.
func Name(name string) string {
	if Sentence(name) == name {
		return name
	}
	return strconv.Quote(name)
}

// Sentence is a text that may have such names in it, on one line, with the same escaped in their places.
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

// unsafe says whether a character is a control, turns the direction of writing, or is not seen. What is no UTF-8 is
// read as the replacement character.
func unsafe(r rune) bool { return r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r) }

// Args makes what is put into a sentence safe for a terminal.
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
