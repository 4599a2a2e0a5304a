// Copyright The ctx-lsp authors. MIT licence.

// Package configfile reads the settings of other programs, in JSON, TOML and YAML, and changes members of a JSON file
// that a user maintains. A change leaves every other byte of the file as it was: order, indentation and line ends. A
// change can be shown before it is made.
package configfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A Change replaces a part of a text.
type Change struct {
	From, To int    // offsets in the file before the change
	Text     string // the replacement
}

// A Member is a member of an object, with the JSON of its value.
type Member struct{ Name, Value string }

// Text returns a member with a string as its value.
func Text(name, value string) Member { return Member{name, quoted(value)} }

func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a command may contain < and &
	_ = e.Encode(text)     // a string can always be encoded
	return strings.TrimSpace(b.String())
}

// Apply returns the text with the changes applied. They must not overlap.
func Apply(text []byte, changes []Change) []byte {
	changes = slices.Clone(changes)
	slices.SortFunc(changes, func(a, b Change) int { return b.From - a.From })
	for _, c := range changes {
		text = slices.Concat(text[:c.From], []byte(c.Text), text[c.To:])
	}
	return text
}

// Value returns the JSON of the member at a path, nil if there is none.
func Value(text []byte, path ...string) ([]byte, error) {
	m, err := find(text, path)
	if err != nil || m == nil {
		return nil, err
	}
	return text[m.from:m.to], nil
}

// find returns the member at a path, or nil if there is none.
func find(text []byte, path []string) (*place, error) {
	f, err := read(text)
	if err != nil || f.empty {
		return nil, err
	}
	return f.find(f.start, path)
}

// Set returns the changes after which the object at a path has these members. Its other members stay.
func Set(text []byte, path []string, members []Member) ([]Change, error) {
	f, err := read(text)
	if err != nil {
		return nil, err
	}
	if f.empty {
		return []Change{{0, len(text), "{" + f.end() + f.nested(path, members, f.unit()) + f.end() + "}" + f.end()}}, nil
	}
	at, depth := f.start, 0
	for ; depth < len(path); depth++ {
		m, err := f.find(at, path[depth:depth+1])
		if err != nil {
			return nil, err
		}
		if m == nil || text[m.from] != '{' {
			if m == nil {
				return []Change{f.insert(at, func(indent string) string { return f.nested(path[depth:], members, indent) })}, nil
			}
			// The object replaces a value of another kind.
			indent := f.indentAt(m.from)
			return []Change{{m.from, m.to, f.object(path[depth+1:], members, indent)}}, nil
		}
		at = m.from
	}
	var changes []Change
	var missing []Member
	for _, want := range members {
		switch m, err := f.find(at, []string{want.Name}); {
		case err != nil:
			return nil, err
		case m == nil:
			missing = append(missing, want)
		case !same(text[m.from:m.to], []byte(want.Value)):
			changes = append(changes, Change{m.from, m.to, want.Value})
		}
	}
	if len(missing) > 0 {
		changes = append(changes, f.insert(at, func(indent string) string { return f.list(missing, indent) }))
	}
	return changes, nil
}

// Restore returns the changes after which the member at a path has the given value, or is removed if the value is nil.
func Restore(text, value []byte, path ...string) ([]Change, error) {
	m, err := find(text, path)
	if err != nil || m == nil {
		return nil, err
	}
	if value != nil {
		return []Change{{m.from, m.to, string(value)}}, nil
	}
	switch {
	case m.next > 0:
		return []Change{{m.key, m.next, ""}}, nil
	case m.before > 0:
		return []Change{{m.before, m.to, ""}}, nil
	}
	return []Change{{m.object + 1, m.end, ""}}, nil
}

// same reports whether two JSON values are equal except for white space.
func same(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// Same reports whether two JSON values are equal except for white space. nil, for a missing value, equals only nil.
func Same(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return same(a, b)
}

// file is a text that is one JSON object, or empty.
type file struct {
	text  []byte
	start int // the offset of the object
	empty bool
}

// mark is the byte order mark with which some editors start a file.
var mark = []byte("\ufeff")

func read(text []byte) (file, error) {
	rest := bytes.TrimPrefix(text, mark)
	f := file{text: text, start: len(text) - len(rest)}
	if len(bytes.TrimSpace(rest)) == 0 {
		f.empty = true
		return f, nil
	}
	f.start += len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
	if !json.Valid(rest) {
		var v any
		err := json.Unmarshal(rest, &v)
		var where *json.SyntaxError
		if errors.As(err, &where) {
			line := 1 + bytes.Count(rest[:min(int(where.Offset), len(rest))], []byte("\n"))
			return f, fmt.Errorf("line %d is not plain JSON; comments and trailing commas are not supported", line)
		}
		return f, errors.New("it is not plain JSON")
	}
	if text[f.start] != '{' {
		return f, errors.New("it is JSON, but not an object")
	}
	return f, nil
}

// place is the position of a member: its name at key, and its value from from to to, in the object that starts at
// object and ends with the brace at end. next is the next member's name, and before the end of the previous value; 0 if
// there is none.
type place struct {
	key, from, to, next, before, object, end int
}

// find follows a path of names from the object at at; it returns nil if there is no such member.
func (f file) find(at int, path []string) (*place, error) {
	var found *place
	for i, name := range path {
		if i > 0 {
			if at = found.from; f.text[at] != '{' {
				return nil, nil
			}
		}
		found = nil
		before := 0
		i := f.skipSpace(at + 1)
		var last *place
		for f.text[i] != '}' {
			m := &place{key: i, object: at, before: before}
			end := f.skipValue(i)
			var key string
			if err := json.Unmarshal(f.text[i:end], &key); err != nil {
				return nil, err
			}
			m.from = f.skipSpace(f.skipSpace(end) + 1) // after the colon
			m.to = f.skipValue(m.from)
			if last != nil {
				last.next = m.key
			}
			before, last = m.to, m
			if key == name {
				if found != nil {
					return nil, fmt.Errorf("it contains %q twice", name)
				}
				found = m
			}
			if i = f.skipSpace(m.to); f.text[i] == ',' {
				i = f.skipSpace(i + 1)
			}
		}
		if found == nil {
			return nil, nil
		}
		found.end = i
	}
	return found, nil
}

func (f file) skipSpace(i int) int { return ownjson.SkipSpace(f.text, i) }

func (f file) skipValue(i int) int { return ownjson.SkipValue(f.text, i) }

// insert adds members at the start of an object, so that no existing line changes. made returns their text for an
// indentation.
func (f file) insert(at int, made func(indent string) string) Change {
	first := f.skipSpace(at + 1)
	gap := string(f.text[at+1 : first])
	if f.text[first] == '}' {
		outer := f.indentAt(at)
		return Change{at + 1, first, f.end() + made(outer+f.unit()) + f.end() + outer}
	}
	if !strings.Contains(gap, "\n") { // all on one line
		line := strings.Join(strings.Fields(made("")), " ")
		return Change{first, first, line + ", "}
	}
	indent := f.indentAt(first)
	return Change{first, first, strings.TrimPrefix(made(indent), indent) + "," + gap}
}

// nested returns the text of the members below a path, at an indentation.
func (f file) nested(path []string, members []Member, indent string) string {
	if len(path) == 0 {
		return f.list(members, indent)
	}
	return indent + quoted(path[0]) + ": " + f.object(path[1:], members, indent)
}

// object returns the text of an object at an indentation.
func (f file) object(path []string, members []Member, indent string) string {
	inner := indent + f.unit()
	return "{" + f.end() + f.nested(path, members, inner) + f.end() + indent + "}"
}

func (f file) list(members []Member, indent string) string {
	var lines []string
	for _, m := range members {
		lines = append(lines, indent+quoted(m.Name)+": "+m.Value)
	}
	return strings.Join(lines, ","+f.end())
}

// indentAt returns the white space at the start of the line that contains at.
func (f file) indentAt(at int) string {
	line := f.text[bytes.LastIndexByte(f.text[:at], '\n')+1 : at]
	line = bytes.TrimPrefix(line, mark)
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit returns one step of indentation as the file uses it, two spaces by default.
func (f file) unit() string {
	if !f.empty {
		if first := f.skipSpace(f.start + 1); first < len(f.text) && f.text[first] == '"' {
			if unit := f.indentAt(first); unit != "" && bytes.IndexByte(f.text[f.start:first], '\n') >= 0 {
				return unit
			}
		}
	}
	return "  "
}

// end returns the line end that the file uses.
func (f file) end() string {
	if bytes.Contains(f.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
