// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// maxPending bounds the text of an event that has not come to its end.
const maxPending = 1 << 20

// takeText reads the text of a stream: server-sent events, JSON lines, or
// JSON values one after another. What does not end yet waits for the rest.
func (r *reader) takeText(v json.Value) {
	a := r.acc
	a.streaming = true
	a.pending = v.AppendText(a.pending)
	rest := a.pending
	for len(rest) > 0 {
		n := r.takeEvent(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	if len(rest) > maxPending {
		r.warn("usage", "holds an event of a stream longer than 1 MB")
		rest = nil
	}
	if cap(a.pending) > 2*maxPending {
		a.pending = nil
	}
	a.pending = append(a.pending[:0], rest...)
}

// takeEvent reads what stands at the beginning of a text and returns how long
// it was, 0 when its end has not come.
func (r *reader) takeEvent(text []byte) int {
	if isSpace(text[0]) {
		return 1
	}
	if text[0] == '{' || text[0] == '[' {
		return r.takeValue(text)
	}
	end := 0
	for end < len(text) && text[end] != '\n' {
		end++
	}
	line, ended := text[:end], end < len(text)
	if ended {
		end++
	}
	body, ok := dataOf(line)
	switch {
	case !ok && !ended:
		return 0
	case !ok:
		return end // an event's name, a comment
	case len(body) > 0 && (body[0] == '{' || body[0] == '[') && string(body) != "[DONE]":
		if n := extent(body); n > 0 {
			r.takeValue(body)
			return end
		}
	case string(body) == "[DONE]":
		r.acc.partial = false
		return end
	}
	if !ended {
		return 0
	}
	return end
}

// dataOf is what a line of server-sent events carries.
func dataOf(line []byte) ([]byte, bool) {
	if len(line) < 5 || string(line[:5]) != "data:" {
		return nil, false
	}
	line = line[5:]
	for len(line) > 0 && isSpace(line[0]) {
		line = line[1:]
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line, true
}

// takeValue reads the JSON value at the beginning of a text.
func (r *reader) takeValue(text []byte) int {
	n := extent(text)
	if n == 0 {
		return 0
	}
	v, err := r.acc.document.Parse(text[:n])
	if err != nil {
		r.warn("usage", "holds an event that is no JSON")
		return n
	}
	if v.Kind() == json.Array {
		r.take(v, 1)
	} else {
		r.takeObject(v)
	}
	return n
}

// extent is the length of the object or array that a text begins with, 0
// when it is not complete.
func extent(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
