// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A Form is a notation of settings.
type Form int

// The notations of settings.
const (
	InJSON Form = iota // comments are allowed
	InTOML
)

// A Span is a part of a text, in bytes.
type Span struct{ From, To int }

// A Written is a setting as written in a file.
type Written struct {
	Keys   []string // its path
	Value  string   // a scalar as text; "" for an object or a list
	Scalar bool
	Quoted bool // the value is a string
	Key    Span // the last key, with its quotes
	At     Span // the value, with its quotes
}

// Name returns the keys with dots between them.
func (w *Written) Name() string { return strings.Join(w.Keys, ".") }

// Find returns the settings of a text that match one of the patterns: keys with dots between them, where * is any key.
// An element of a list is named by its id, or by its index. It returns false if the text cannot be read.
func Find(form Form, text []byte, patterns ...string) (found []Written, ok bool) {
	split := make([][]string, len(patterns))
	for i, pattern := range patterns {
		split[i] = strings.Split(pattern, ".")
	}
	if form == InTOML {
		return findTOML(text, split), true
	}
	v, ok := ParseJSON(text)
	if !ok {
		return nil, false
	}
	for _, pattern := range split {
		findJSON(v, pattern, nil, func(w Written) { found = append(found, w) })
	}
	return found, true
}

// maxKey is the maximum length of a key that matches *.
const maxKey = 200

func findJSON(v json.Value, pattern, keys []string, see func(Written)) {
	last := len(pattern) == 1
	take := func(name string, key Span, value json.Value) {
		keys := append(keys[:len(keys):len(keys)], name)
		if !last {
			findJSON(value, pattern[1:], keys, see)
			return
		}
		w := Written{Keys: keys, Key: key, At: spanOf(value), Quoted: value.Kind() == json.String}
		w.Value, w.Scalar = Scalar(value)
		see(w)
	}
	switch {
	case v.Kind() == json.Object:
		for f := v.Fields(); f.Next(); {
			if pattern[0] == "*" && f.Key.TextLen() <= maxKey || f.KeyIs(pattern[0]) {
				take(f.Key.String(), spanOf(f.Key), f.Value)
			}
		}
	case v.Kind() == json.Array && pattern[0] == "*":
		i := 0
		for e := v.Elements(); e.Next(); i++ {
			name, key := strconv.Itoa(i), spanOf(e.Value)
			if id := e.Value.Get("id"); id.Kind() == json.String && id.TextLen() <= maxKey {
				name, key = id.String(), spanOf(id)
			}
			take(name, key, e.Value)
		}
	}
}

func spanOf(v json.Value) Span {
	from := v.Offset()
	return Span{from, from + len(v.Raw())}
}

func matches(pattern, keys []string) bool {
	if len(pattern) != len(keys) {
		return false
	}
	for i, want := range pattern {
		if want != "*" && want != keys[i] {
			return false
		}
	}
	return true
}

// findTOML finds values and tables. It skips the insides of lists and inline tables, and returns values of several
// lines without their text.
func findTOML(text []byte, patterns [][]string) (found []Written) {
	see := func(w Written) {
		for _, pattern := range patterns {
			if matches(pattern, w.Keys) {
				found = append(found, w)
				return
			}
		}
	}
	var table []string
	for at := 0; at < len(text); {
		at = skipTOML(text, at)
		if at == len(text) {
			break
		}
		if text[at] == '[' {
			from := at
			for at < len(text) && text[at] == '[' {
				at++
			}
			var ok bool
			if table, _, at, ok = tomlKeys(text, at); ok {
				end := at
				for end < len(text) && text[end] == ']' {
					end++
				}
				see(Written{Keys: table, Key: Span{from, end}, At: Span{from, end}})
			}
			at = tomlLineEnd(text, at)
			continue
		}
		keys, key, next, ok := tomlKeys(text, at)
		if !ok || next == len(text) || text[next] != '=' {
			at = tomlLineEnd(text, at)
			continue
		}
		at = next + 1
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		w := Written{Keys: append(table[:len(table):len(table)], keys...), Key: key}
		from := at
		w.Value, w.Quoted, w.Scalar, at = tomlValue(text, at)
		w.At = Span{from, at}
		see(w)
		at = tomlLineEnd(text, at)
	}
	return found
}

// skipTOML skips blanks, line breaks and comments.
func skipTOML(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\n', '\r':
			at++
		case '#':
			at = tomlLineEnd(text, at)
		default:
			return at
		}
	}
	return at
}

func tomlLineEnd(text []byte, at int) int {
	if end := bytes.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(text)
}

// tomlKeys reads keys with dots between them, and returns them, the position of the last one, and where they end.
func tomlKeys(text []byte, at int) (keys []string, last Span, end int, ok bool) {
	blanks := func() {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
	}
	for {
		blanks()
		from, key := at, ""
		if at < len(text) && (text[at] == '"' || text[at] == '\'') {
			if key, at, ok = tomlString(text, at); !ok {
				return nil, last, at, false
			}
		} else {
			for at < len(text) && isBareKey(text[at]) {
				at++
			}
			if key = string(text[from:at]); key == "" {
				return nil, last, at, false
			}
		}
		keys, last = append(keys, key), Span{from, at}
		blanks()
		if at == len(text) || text[at] != '.' {
			return keys, last, at, true
		}
		at++
	}
}

func isBareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// tomlString reads a string on one line.
func tomlString(text []byte, at int) (value string, end int, ok bool) {
	quote := text[at]
	for i := at + 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote:
			inner := string(text[at+1 : i])
			if quote == '"' {
				if plain, err := strconv.Unquote(string(text[at : i+1])); err == nil {
					inner = plain
				}
			}
			return inner, i + 1, true
		}
	}
	return "", tomlLineEnd(text, at), false
}

// tomlValue reads a value and returns its end. For a list, an inline table or a string of several lines, value is empty
// and scalar is false.
func tomlValue(text []byte, at int) (value string, quoted, scalar bool, end int) {
	rest := text[at:]
	for _, quotes := range []string{`"""`, "'''"} {
		if bytes.HasPrefix(rest, []byte(quotes)) {
			if i := bytes.Index(rest[3:], []byte(quotes)); i >= 0 {
				return "", true, false, at + 3 + i + 3
			}
			return "", true, false, len(text)
		}
	}
	if len(rest) == 0 {
		return "", false, false, at
	}
	switch rest[0] {
	case '"', '\'':
		value, end, scalar = tomlString(text, at)
		return value, true, scalar, end
	case '[', '{':
		depth := 0
		for i := at; i < len(text); i++ {
			switch text[i] {
			case '"', '\'':
				_, next, _ := tomlString(text, i)
				i = next - 1
			case '#':
				i = tomlLineEnd(text, i) - 1
			case '[', '{':
				depth++
			case ']', '}':
				if depth--; depth == 0 {
					return "", false, false, i + 1
				}
			}
		}
		return "", false, false, len(text)
	}
	end = at
	for end < len(text) && text[end] != '\n' && text[end] != '#' {
		end++
	}
	value = strings.TrimRight(string(text[at:end]), " \t\r")
	end = at + len(value)
	return strings.ReplaceAll(value, "_", ""), false, value != "", end
}
