// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// Unfit is the answer to a request whose parameters have a value of another kind than they should. What begins the
// sentence and ends in a verb: "The focus cannot be read".
func Unfit(what string, err error) *Fault {
	return Invalid(what + ": " + Misfit("", err) + ".")
}

// Misfit says in words which value the standard library could not decode, and what it should be. The names of Go's
// types, of which the library's own message speaks, tell a client nothing. Within names the value in which the
// decoded one stands, or is empty.
func Misfit(within string, err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return strings.TrimPrefix(within+": ", ": ") + err.Error()
	}
	name := strings.Trim(within+"."+kind.Field, ".")
	wanted := "another kind of value"
	switch kind.Type.Kind() {
	case reflect.Bool:
		wanted = "true or false"
	case reflect.String:
		wanted = "a string"
	case reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64:
		wanted = "a whole number"
	case reflect.Float64:
		wanted = "a number"
	case reflect.Struct, reflect.Map:
		wanted = "an object"
	case reflect.Slice:
		wanted = "a list"
	}
	found, isNumber := strings.CutPrefix(kind.Value, "number ")
	switch {
	case isNumber: // the library names a number that does not fit by its digits
	case kind.Value == "array" || kind.Value == "object":
		found = "an " + kind.Value
	case kind.Value == "bool":
		found = "true or false"
	default:
		found = "a " + kind.Value
	}
	if name == "" {
		return "it must be " + wanted + ", not " + found
	}
	return name + " must be " + wanted + ", not " + found
}
