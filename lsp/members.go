// Copyright The ctx-lsp authors. MIT licence.

package lsp

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

// A member is one name of a JSON object, decoded, and the bytes of its value as they stand in the text.
type member struct {
	name  string
	value []byte
}

// fields are the members of an object that a client sent. No name is there twice.
type fields []member

// maxFields is how many members the params of a request may have: no method has a tenth of them.
const maxFields = 1000

var errNoObject = errors.New("it is no object")

// fieldsOf takes an object apart.
func fieldsOf(object []byte) (fields, error) {
	var list fields
	var fault error
	isObject := read1(object, func(v json.Value) { list, fault = fieldsIn(v) })
	if fault == nil && !isObject {
		fault = errNoObject
	}
	return list, fault
}

// fieldsIn is fieldsOf where the text was read already.
func fieldsIn(v json.Value) (fields, error) {
	if v.Kind() != json.Object {
		return nil, errNoObject
	}
	var list fields
	var seen map[string]bool // only where there are many
	for f := v.Fields(); f.Next(); {
		name := string(f.Name())
		twice := seen[name]
		if len(list) < 16 {
			twice = list.get(name) != nil
		} else if seen == nil {
			seen = make(map[string]bool, 2*len(list))
			for _, m := range list {
				seen[m.name] = true
			}
			twice = seen[name]
		}
		if twice {
			return nil, fmt.Errorf("%q is there twice", shortened(name))
		}
		if len(list) == maxFields {
			return nil, fmt.Errorf("it has more than %d members", maxFields)
		}
		if seen != nil {
			seen[name] = true
		}
		list = append(list, member{name, f.Value.Raw()})
	}
	return list, nil
}

// get returns the value of one member, nil when there is none.
func (list fields) get(name string) []byte {
	for _, m := range list {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a member that should be a string.
func (list fields) text(name string) (value string, there bool, err *wireError) {
	raw := list.get(name)
	if raw == nil || string(raw) == "null" {
		return "", false, nil
	}
	if raw[0] != '"' {
		return "", true, invalid(`"` + name + `" is a string.`)
	}
	return text(raw), true, nil
}

// flag returns a member that should be true or false; what is not there is false.
func (list fields) flag(name string) (bool, *wireError) {
	switch string(list.get(name)) {
	case "", "null", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, invalid(`"` + name + `" is true or false.`)
}

// appendMember writes a member behind what an object holds so far.
func appendMember(out []byte, name string, value []byte) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(json.AppendString(out, name), ':')
	return append(out, value...)
}

// quoted is a text as JSON.
func quoted(text string) []byte { return json.AppendString(nil, text) }

func shortened(name string) string {
	if len(name) > 80 {
		return name[:80] + "…"
	}
	return name
}

// members calls each for every member of an object of our own or of the engine's, until each returns false. It says
// false when the text is no object.
func members(object []byte, each func(member) bool) bool {
	return read1(object, func(v json.Value) {
		for f := v.Fields(); f.Next(); {
			if !each(member{string(f.Name()), f.Value.Raw()}) {
				return
			}
		}
	})
}

// memberOf returns the value of one member of an object, nil when there is none.
func memberOf(object []byte, name string) []byte {
	var found []byte
	read1(object, func(v json.Value) { found = v.Get(name).Raw() })
	return found
}

// text is the string that a JSON string stands for.
func text(quoted []byte) string {
	s := ""
	read1(quoted, func(v json.Value) { s = v.String() })
	return s
}

// indexes are documents that wait to be used again.
var indexes = sync.Pool{New: func() any { return new(json.Document) }}

// read1 reads one JSON text and hands its value to use, which must not keep it. It says whether that is an object.
func read1(raw []byte, use func(json.Value)) bool {
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

// numberText is a whole number as JSON.
func numberText(n int64) []byte { return strconv.AppendInt(nil, n, 10) }
