// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// JSON escapes the characters in JSON that a terminal would obey or not show. It means the same then.
func JSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, unsafeInJSON) {
		return text
	}
	var out bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1 || !unsafeInJSON(r):
			out.Write(text[:size])
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out.Bytes()
}

// unsafeInJSON reports whether a character is unsafe. White space between values is not.
func unsafeInJSON(r rune) bool { return unsafe(r) && r >= ' ' }

// A JSONWriter writes lines of JSON to a terminal.
type JSONWriter struct{ To io.Writer }

func (w JSONWriter) Write(lines []byte) (int, error) {
	if _, err := w.To.Write(JSON(lines)); err != nil {
		return 0, err
	}
	return len(lines), nil
}
