// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// What a name is, and where a value ends, is decided by the JSON reader that the core has too. Two readers that
// disagree are how one client would reach what belongs to another: the daemon would look at one member, the core at
// another.

// A Member is one name of a JSON object, decoded, and the bytes of its value as they stand in the text.
type Member struct {
	Name  string
	Value []byte
}

// Fields are the members of an object that a client sent. No name is there twice.
type Fields []Member

// maxFields is how many members the params of a request may have: no method has a tenth of them.
const maxFields = 1000

var errNoObject = errors.New("it is no object")

// FieldsOf takes an object apart.
func FieldsOf(object []byte) (Fields, error) {
	var list Fields
	var fault error
	isObject := ReadValue(object, func(v json.Value) { list, fault = fieldsIn(v) })
	if fault == nil && !isObject {
		fault = errNoObject
	}
	return list, fault
}

// fieldsIn is FieldsOf where the text was read already.
func fieldsIn(v json.Value) (Fields, error) {
	if v.Kind() != json.Object {
		return nil, errNoObject
	}
	if v.Len() > maxFields {
		return nil, fmt.Errorf("it has more than %d members", maxFields)
	}
	if f, twice := v.Twice(); twice {
		return nil, fmt.Errorf("%q is there twice", shortened(f.Key.String()))
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

// Text returns a member that should be a string.
func (list Fields) Text(name string) (value string, there bool, err *Fault) {
	raw := list.Get(name)
	if raw == nil || string(raw) == "null" {
		return "", false, nil
	}
	if raw[0] != '"' {
		return "", true, Invalid(`"` + name + `" is a string.`)
	}
	return Text(raw), true, nil
}

// Flag returns a member that should be true or false; what is not there is false.
func (list Fields) Flag(name string) (bool, *Fault) {
	switch string(list.Get(name)) {
	case "", "null", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, Invalid(`"` + name + `" is true or false.`)
}

// AppendMember writes a member behind what an object holds so far.
func AppendMember(out []byte, name string, value []byte) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(json.AppendString(out, name), ':')
	return append(out, value...)
}

// Quoted is a text as JSON.
func Quoted(text string) []byte { return json.AppendString(nil, text) }

func shortened(name string) string {
	if len(name) > 80 {
		return name[:80] + "…"
	}
	return name
}

// EachMember calls each for every member of an object of our own or of the engine's, until each returns false. It says
// false when the text is no object.
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

// MemberText returns a member that is a string, and nothing where it is none.
func MemberText(object []byte, name string) string {
	if raw := MemberOf(object, name); len(raw) > 0 && raw[0] == '"' {
		return Text(raw)
	}
	return ""
}

// Text is the string that a JSON string stands for.
func Text(quoted []byte) string {
	s := ""
	ReadValue(quoted, func(v json.Value) { s = v.String() })
	return s
}

// indexes are documents that wait to be used again.
var indexes = sync.Pool{New: func() any { return new(json.Document) }}

// ReadValue reads one JSON text and hands its value to use, which must not keep it. It says whether that is an object.
func ReadValue(raw []byte, use func(json.Value)) bool {
	index := indexes.Get().(*json.Document)
	v, err := index.Parse(raw)
	if err != nil {
		return false // it is asked of what was read before; of anything else there is nothing to say here
	}
	use(v)
	isObject := v.Kind() == json.Object
	if len(raw) <= keptIndex {
		indexes.Put(index)
	}
	return isObject
}

// NumberText is a whole number as JSON.
func NumberText(n int64) []byte { return strconv.AppendInt(nil, n, 10) }
