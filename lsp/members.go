// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// A member is one name of a JSON object and the bytes of its value, both as they stand in the message.
type member struct {
	name  []byte // without the quotes; escapes are left as they are, no name of the protocol has any
	value []byte
}

// members calls each for every member of a JSON object that is already known to be valid, until each returns false.
// It says false when the value is no object. Params of a megabyte are forwarded without ever becoming Go values.
func members(object []byte, each func(member) bool) bool {
	at := skipSpace(object, 0)
	if at >= len(object) || object[at] != '{' {
		return false
	}
	at = skipSpace(object, at+1)
	for at < len(object) && object[at] == '"' {
		nameEnd := skipValue(object, at)
		name := object[at+1 : nameEnd-1]
		at = skipSpace(object, nameEnd)  // the colon
		start := skipSpace(object, at+1) // the value
		at = skipValue(object, start)    // its end
		value := object[start:at]
		if !each(member{name, value}) {
			return true
		}
		at = skipSpace(object, at)
		if at < len(object) && object[at] == ',' {
			at = skipSpace(object, at+1)
		}
	}
	return true
}

// memberOf returns the value of one member, nil when there is none.
func memberOf(object []byte, name string) []byte {
	var found []byte
	members(object, func(m member) bool {
		if string(m.name) == name {
			found = m.value
		}
		return true
	})
	return found
}

// text is the string that a JSON string stands for.
func text(quoted []byte) string {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // it is known to be a string
	return s
}

func skipSpace(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t') {
		at++
	}
	return at
}

// skipValue returns the offset behind the JSON value that starts at b[at].
func skipValue(b []byte, at int) int {
	depth := 0
	for at < len(b) {
		switch b[at] {
		case '"':
			at = skipString(b, at)
			if depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
			if depth == 0 {
				return at + 1
			}
		case ',', ' ', '\n', '\r', '\t', ':':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}

func skipString(b []byte, at int) int {
	for at++; at < len(b); at++ {
		switch b[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(b)
}
