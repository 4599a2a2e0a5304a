// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// maxPending is the maximum number of bytes kept of an unfinished event.
const maxPending = 1 << 20

// readText reads the text of a stream: server-sent events, JSON lines, or JSON values one after another. An unfinished
// event is kept until the rest arrives.
func (r *reader) readText(v json.Value) {
	a := r.acc
	if len(a.pending) == 0 && !beginsEvent(v.AppendText(nil)) {
		r.unread = true // the page of a gateway's error, for example
		return
	}
	a.streaming = true
	a.pending = v.AppendText(a.pending)
	rest := a.pending
	for len(rest) > 0 {
		n := r.readEvent(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	if len(rest) > maxPending {
		r.warn("usage", phrase.FieldLongEvent.Text())
		rest = nil
	}
	if cap(a.pending) > 2*maxPending {
		a.pending = nil
	}
	a.pending = append(a.pending[:0], rest...)
}

// eventFields are the fields of server-sent events. A line that begins with a colon is a comment.
var eventFields = [...]string{"data:", "event:", "id:", "retry:"}

// beginsEvent reports whether a text may be the beginning of an event, cut anywhere: of JSON, or of a line of
// server-sent events.
func beginsEvent(text []byte) bool {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	if len(text) == 0 {
		return true
	}
	after := text[1:]
	for len(after) > 0 && isSpace(after[0]) {
		after = after[1:]
	}
	switch {
	case text[0] == ':':
		return true
	case text[0] == '{':
		return len(after) == 0 || after[0] == '"' || after[0] == '}'
	case text[0] == '[':
		return len(after) == 0 || strings.IndexByte(`{["]-0123456789tfn`, after[0]) >= 0 || strings.HasPrefix("DONE]", string(after[:min(5, len(after))]))
	case len(text) > 1 && text[1] == ':': // the AI SDK 4's lines, such as d:{…}
		return len(text) == 2 || strings.IndexByte(`{["`, text[2]) >= 0
	}
	for _, field := range eventFields {
		if n := min(len(field), len(text)); string(text[:n]) == field[:n] {
			return true
		}
	}
	return false
}

// readEvent reads the event at the beginning of a text and returns its length, or 0 if it is unfinished.
func (r *reader) readEvent(text []byte) int {
	if isSpace(text[0]) {
		return 1
	}
	if text[0] == '{' || text[0] == '[' {
		return r.readValue(text)
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
		return end // the event's name, or a comment
	case len(body) > 0 && (body[0] == '{' || body[0] == '[') && string(body) != "[DONE]":
		if n := extent(body); n > 0 {
			r.readValue(body)
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

// dataOf returns the data of a line of server-sent events.
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

// readValue reads the JSON value at the beginning of a text and returns its length, or 0 if it is unfinished.
func (r *reader) readValue(text []byte) int {
	n := extent(text)
	if n == 0 {
		return 0
	}
	v, err := r.acc.document.Parse(text[:n])
	if err != nil {
		r.warn("usage", phrase.FieldNoJSON.Text())
		return n
	}
	if v.Kind() == json.Array {
		r.read(v, 1)
	} else {
		r.readObject(v)
	}
	return n
}

// extent returns the length of the object or array at the beginning of a text, or 0 if it is incomplete.
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
