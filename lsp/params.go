// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// The core checks its own parameters: the daemon passes wrong ones on, so that a wrong call gets the same error from
// every host. Only parameters and methods that the core does not have are checked here, with the same messages.

// unusable returns the error for parameters that cannot be passed on, or nil.
func unusable(r *request, ofCore bool) *api.Error {
	switch r.kind {
	case ownjson.Missing, ownjson.Null:
		return nil
	case ownjson.Object:
	case ownjson.Array:
		if len(bytes.TrimSpace(r.params[1:len(r.params)-1])) > 0 {
			return api.NotAnObject(r.kind)
		}
		r.params = nil // Lua and PHP encode an empty table like this
		return nil
	default:
		return api.NotAnObject(r.kind)
	}
	if ofCore && r.fields.Get("scope") != nil && api.MethodOf(r.method).Scoped() {
		return api.Invalid("scope", "is set by the daemon, so that each client has its own ids.")
	}
	if r.twice != "" && (!ofCore || slices.Contains(daemonOnly, r.twice)) {
		return api.Duplicate(r.twice)
	}
	return nil
}

// daemonOnly lists parameters that only the daemon reads, although the core has the method.
var daemonOnly = []string{"shared", "resume", "exact"}

// read decodes the parameters of a method that only the daemon has. It refuses unknown ones.
func (r *request) read(into any) *api.Error {
	known := fieldNames(reflect.TypeOf(into).Elem())
	for _, m := range r.fields {
		if !slices.Contains(known, m.Name) {
			return api.NoParameter(m.Name, known)
		}
	}
	return r.decode(into)
}

// decode decodes the parameters of an LSP method, ignoring unknown members.
func (r *request) decode(into any) *api.Error {
	if len(r.params) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.params, into); err != nil {
		return unfit("", err)
	}
	return nil
}

// fieldNames lists the JSON names of a struct's fields.
func fieldNames(of reflect.Type) []string {
	var names []string
	for i := range of.NumField() {
		if name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// boolParam returns a parameter that must be true or false; a missing one is false.
func boolParam(fields wire.Fields, name string) (bool, *api.Error) {
	var set bool
	if value := fields.Get(name); value != nil {
		if err := json.Unmarshal(value, &set); err != nil {
			return set, unfit(name, err)
		}
	}
	return set, nil
}

// unfit returns the error for a value that the standard library could not decode. within is the name of the value that
// contains it, or empty.
func unfit(within string, err error) *api.Error {
	field, problem := misfit(within, err)
	if field == "" {
		return &api.Error{Kind: api.InvalidParams, Message: "The parameters cannot be read: " + problem + "."}
	}
	return api.Invalid(field, problem+".")
}

// misfit returns the name of the value that the standard library could not decode, and the problem with it. The
// library's own message contains names of Go types, which mean nothing to a client.
func misfit(within string, err error) (field, problem string) {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return within, "cannot be read: " + err.Error()
	}
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
		wanted = "an array"
	}
	found, isNumber := strings.CutPrefix(kind.Value, "number ")
	switch {
	case isNumber: // the value is the number itself
	case kind.Value == "array" || kind.Value == "object":
		found = "an " + kind.Value
	case kind.Value == "bool":
		found = "a boolean"
	default:
		found = "a " + kind.Value
	}
	return strings.Trim(within+"."+kind.Field, "."), "must be " + wanted + ", not " + found
}
