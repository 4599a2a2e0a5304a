// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// value is a string, a []value, an object, a function, a bool, a float64 as a json.Number, or nil.
type value any

// object keeps the order of its members.
type object struct {
	keys   []string
	values map[string]value
}

// function is the source of a function's body and the names of its parameters.
type function struct {
	params []string
	body   string
	plain  bool // the body is an expression
}

// number is a number as it is written.
type number string

// member is a part of a value. A text as a path of another system stays itself.
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

// constant is a function with one value.
func constant(text string) *function { return &function{body: quoted(text), plain: true} }

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}

// text is a value as a template shows it.
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

// holds says whether a value counts as true.
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

// encoded is a value as JSON, in the order in which it was written.
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
