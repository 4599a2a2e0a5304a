// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// The JSON reader of the core decides here too what a name is and where a value ends. If the daemon and the core had
// different readers, a client could reach what belongs to another: the daemon would look at one member, and the core at
// another.

// A Member is one name of a JSON object, decoded, and the bytes of its value as they stand in the text.
type Member struct {
	Name  string
	Value []byte
}

// Fields are the members of an object that a client sent. No name occurs twice.
type Fields []Member

// maxFields is how many members the params of a request may have; no method has a tenth of them.
const maxFields = 1000

var errNoObject = errors.New("it is not an object")

// FieldsOf splits an object into its members.
func FieldsOf(object []byte) (Fields, error) {
	var list Fields
	var fault error
	isObject := ReadValue(object, func(v json.Value) { list, fault = fieldsIn(v) })
	if fault == nil && !isObject {
		fault = errNoObject
	}
	return list, fault
}

// fieldsIn is FieldsOf for a value that was parsed already.
func fieldsIn(v json.Value) (Fields, error) {
	if v.Kind() != json.Object {
		return nil, errNoObject
	}
	if v.Len() > maxFields {
		return nil, fmt.Errorf("it has more than %d members", maxFields)
	}
	if f, twice := v.Twice(); twice {
		return nil, fmt.Errorf("%q occurs twice", shortened(f.Key.String()))
	}
	var list Fields
	for f := v.Fields(); f.Next(); {
		list = append(list, Member{string(f.Name()), f.Value.Raw()})
	}
	return list, nil
}

// Get returns the value of one member, nil when there is none.
func (list Fields) Get(name string) []byte {
	for _, m := range list {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Text returns a member that must be a string.
func (list Fields) Text(name string) (value string, there bool, err *Fault) {
	raw := list.Get(name)
	if raw == nil || string(raw) == "null" {
		return "", false, nil
	}
	if raw[0] != '"' {
		return "", true, Invalid(`"` + name + `" must be a string.`)
	}
	return Text(raw), true, nil
}

// Flag returns a member that must be true or false; a missing one is false.
func (list Fields) Flag(name string) (bool, *Fault) {
	switch string(list.Get(name)) {
	case "", "null", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, Invalid(`"` + name + `" must be true or false.`)
}

// AppendMember adds a member to an object that is being written.
func AppendMember(out []byte, name string, value []byte) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(json.AppendString(out, name), ':')
	return append(out, value...)
}

// Quoted writes a text as a JSON string.
func Quoted(text string) []byte { return json.AppendString(nil, text) }

func shortened(name string) string {
	if len(name) > 80 {
		return name[:80] + "…"
	}
	return name
}

// EachMember calls each for every member of an object that the daemon or the engine has written, until each returns
// false. It returns false when the text is no object.
func EachMember(object []byte, each func(Member) bool) bool {
	return ReadValue(object, func(v json.Value) {
		for f := v.Fields(); f.Next(); {
			if !each(Member{string(f.Name()), f.Value.Raw()}) {
				return
			}
		}
	})
}

// MemberOf returns the value of one member of an object, nil when there is none.
func MemberOf(object []byte, name string) []byte {
	var found []byte
	ReadValue(object, func(v json.Value) { found = v.Get(name).Raw() })
	return found
}

// MemberText returns a member that is a string, and "" for anything else.
func MemberText(object []byte, name string) string {
	if raw := MemberOf(object, name); len(raw) > 0 && raw[0] == '"' {
		return Text(raw)
	}
	return ""
}

// Text decodes a JSON string.
func Text(quoted []byte) string {
	s := ""
	ReadValue(quoted, func(v json.Value) { s = v.String() })
	return s
}

// indexes holds documents that can be used again.
var indexes = sync.Pool{New: func() any { return new(json.Document) }}

// ReadValue parses one JSON text and calls use with its value, which use must not keep. It says whether the value is an
// object.
func ReadValue(raw []byte, use func(json.Value)) bool {
	index := indexes.Get().(*json.Document)
	v, err := index.Parse(raw)
	if err != nil {
		return false // the text was checked when it came in; for any other there is nothing to do
	}
	use(v)
	isObject := v.Kind() == json.Object
	if len(raw) <= keptIndex {
		indexes.Put(index)
	}
	return isObject
}

// NumberText writes a whole number as JSON.
func NumberText(n int64) []byte { return strconv.AppendInt(nil, n, 10) }
