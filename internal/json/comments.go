// Copyright The ctx-lsp authors. MIT licence.

package json

// WithoutComments replaces comments and commas after last members by blanks, so that settings written by hand become
// JSON. The result has the same length; strings are not changed.
func WithoutComments(text []byte) []byte {
	out := make([]byte, len(text))
	copy(out, text)
	comma := -1 // the last comma, while nothing but blanks has followed
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := endOfComment(out, i)
			for ; i < end; i++ {
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
			i--
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c != ' ' && c != '\n' && c != '\r' && c != '\t':
			comma = -1
		}
	}
	return out
}

// endOfComment returns the end of the comment that begins at a position.
func endOfComment(text []byte, at int) int {
	line := text[at+1] == '/'
	for i := at + 2; i < len(text); i++ {
		if line && text[i] == '\n' {
			return i
		}
		if !line && i > at+2 && text[i] == '/' && text[i-1] == '*' {
			return i + 1
		}
	}
	return len(text)
}
