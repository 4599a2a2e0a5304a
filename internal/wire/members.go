// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"strconv"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// The core's JSON reader also decides here what a name is and where a value ends. If the daemon and the core used
// different readers, a client could reach another client's data: the daemon would check one member, and the core would
// use another.

// A Member is one member of a JSON object: its decoded name, and its value as written.
type Member struct {
	Name  string
	Value []byte
}

// Fields are the members of an object that a client sent, in order. A name may occur twice; the core refuses such
// parameters.
type Fields []Member

// maxFields is the maximum number of members kept. No method has a tenth as many, so an object with more contains a
// member that is refused.
const maxFields = 1000

// FieldsOf splits an object into its members.
func FieldsOf(object []byte) Fields {
	var list Fields
	ReadValue(object, func(v json.Value) { list = fieldsIn(v) })
	return list
}

// fieldsIn is FieldsOf for a value that was parsed already.
func fieldsIn(v json.Value) Fields {
	var list Fields
	for f := v.Fields(); f.Next() && len(list) < maxFields; {
		list = append(list, Member{string(f.Name()), f.Value.Raw()})
	}
	return list
}

// Get returns the value of a member, or nil. If a name occurs twice, it returns the last value, like the core.
func (list Fields) Get(name string) []byte {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Name == name {
			return list[i].Value
		}
	}
	return nil
}

// Text returns the value of a member if it is a string, otherwise "".
func (list Fields) Text(name string) string {
	if raw := list.Get(name); len(raw) > 0 && raw[0] == '"' {
		return Text(raw)
	}
	return ""
}

// AppendMember appends a member to an object that is being written.
func AppendMember(out []byte, name string, value []byte) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(json.AppendString(out, name), ':')
	return append(out, value...)
}

// Quoted returns a text as a JSON string.
func Quoted(text string) []byte { return json.AppendString(nil, text) }

// EachMember calls each for every member of an object written by the daemon or the engine, until each returns false. It
// returns false if the text is not an object.
func EachMember(object []byte, each func(Member) bool) bool {
	return ReadValue(object, func(v json.Value) {
		for f := v.Fields(); f.Next(); {
			if !each(Member{string(f.Name()), f.Value.Raw()}) {
				return
			}
		}
	})
}

// MemberOf returns the value of one member of an object, nil if there is none.
func MemberOf(object []byte, name string) []byte {
	var found []byte
	ReadValue(object, func(v json.Value) { found = v.Get(name).Raw() })
	return found
}

// MemberText returns the value of a member if it is a string, otherwise "".
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

// indexes contains documents that can be reused.
var indexes = sync.Pool{New: func() any { return new(json.Document) }}

// ReadValue parses a JSON text and calls use with its value, which use must not keep. It reports whether the value is
// an object.
func ReadValue(raw []byte, use func(json.Value)) bool {
	index := indexes.Get().(*json.Document)
	v, err := index.Parse(raw)
	if err != nil {
		return false // texts from clients are checked on arrival; any other invalid text is ignored
	}
	use(v)
	isObject := v.Kind() == json.Object
	if len(raw) <= keptIndex {
		indexes.Put(index)
	}
	return isObject
}

// NumberText returns an integer as JSON.
func NumberText(n int64) []byte { return strconv.AppendInt(nil, n, 10) }
