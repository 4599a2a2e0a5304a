// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// value is a string, a []value, an object, a function, a bool, a float64 as a json.Number, or nil.
type value any

// object is an object that keeps the order of its members.
type object struct {
	keys   []string
	values map[string]value
}

// function is a function's parameter names and the source of its body.
type function struct {
	params []string
	body   string
	plain  bool // the body is an expression
}

// number is a number as written.
type number string

// member returns a member of a value. The path and trim methods of a text return the text unchanged.
func member(v value, name string) value {
	switch v := v.(type) {
	case *object:
		return v.values[name]
	case string:
		switch name {
		case "toPosix", "trim":
			return func() value { return v }
		}
	}
	return nil
}

// constant returns a function that always returns a text.
func constant(text string) *function { return &function{body: quoted(text), plain: true} }

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string can always be encoded
	return string(b)
}

// text returns a value as a template shows it.
func text(v value) string {
	switch v := v.(type) {
	case string:
		return v
	case number:
		return string(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// holds reports whether a value is true in a condition.
func holds(v value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case number:
		return v != "0"
	}
	return true
}

// encoded returns a value as JSON, with the members in the order in which they were written.
func encoded(v value) ([]byte, error) {
	switch v := v.(type) {
	case *object:
		out := []byte{'{'}
		for i, key := range v.keys {
			if i > 0 {
				out = append(out, ',')
			}
			inner, err := encoded(v.values[key])
			if err != nil {
				return nil, err
			}
			out = append(append(append(out, quoted(key)...), ':'), inner...)
		}
		return append(out, '}'), nil
	case []value:
		out := []byte{'['}
		for i, each := range v {
			if i > 0 {
				out = append(out, ',')
			}
			inner, err := encoded(each)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
		}
		return append(out, ']'), nil
	case number:
		return []byte(v), nil
	case string, bool, nil:
		return json.Marshal(v)
	}
	return nil, fmt.Errorf("a %T is no JSON", v)
}
