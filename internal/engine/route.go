// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// methodOf returns the protocol's entry for a method; it is empty for an unknown method, which the core will refuse.
func methodOf(method string) *api.Method {
	if m := api.MethodOf(method); m != nil {
		return m
	}
	return &api.Method{}
}

// makesSession reports whether a method may create a session.
func makesSession(method string) bool { return methodOf(method).Effect == api.Makes }

// A name identifies a session: its id, and the scope of that id.
type name struct{ scope, id string }

// sessionOf returns the session that a call is about. named is false if the call contains no id.
func sessionOf(method string, params []byte) (of name, named bool) {
	of.scope = scopeIn(params)
	if of.id, named = stringField(params, "id"); !named {
		of.id, named = stringField(inside(method, params), "session")
	}
	return of, named
}

// scopeIn returns the scope of a call. Most calls with large parameters have none, and searching for the name is faster
// than reading every member.
func scopeIn(params []byte) string {
	if !bytes.Contains(params, []byte(`"scope"`)) {
		return ""
	}
	scope, _ := stringField(params, "scope")
	return scope
}

// parentOf returns the parent of the session that a call makes in a scope.
func (p *Pool) parentOf(scope, method string, params []byte) (parent name, some bool) {
	for _, object := range [][]byte{params, inside(method, params)} {
		if id, ok := stringField(object, "parent"); ok && id != "" {
			return p.visible(scope, id), true
		}
	}
	return name{}, false
}

// inside returns the part of the parameters that contains the session's id, for methods whose parameters do not contain
// it at the top level.
func inside(method string, params []byte) []byte {
	name := methodOf(method).Inside
	if name == "" {
		return nil
	}
	object, _ := ownjson.Member(params, name)
	return object
}

// empty reports whether there are no parameters. An empty array means the same.
func empty(params []byte) bool {
	rest := bytes.TrimSpace(params)
	return len(rest) == 0 || rest[0] == '[' && len(bytes.TrimSpace(rest[1:])) == 1 && rest[len(rest)-1] == ']'
}

// withID adds an id to the parameters of a call without one. Parameters that are not an object are left as they are,
// for the core to refuse.
func withID(params []byte, id string) []byte {
	at := bytes.IndexByte(params, '{')
	if at < 0 || len(bytes.TrimSpace(params[:at])) > 0 {
		return params
	}
	rest := params[at+1:]
	quoted, _ := json.Marshal(id)
	named := make([]byte, 0, len(params)+len(quoted)+6)
	named = append(append(append(named, params[:at+1]...), `"id":`...), quoted...)
	if after := bytes.TrimLeft(rest, " \t\r\n"); len(after) > 0 && after[0] != '}' {
		named = append(named, ',')
	}
	return append(named, rest...)
}

// stringField returns a string at the top level of an object.
func stringField(object []byte, name string) (string, bool) {
	raw, ok := ownjson.Member(object, name)
	if !ok || len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	if len(raw) >= 2 && raw[len(raw)-1] == '"' && bytes.IndexByte(raw, '\\') < 0 && printable(raw) {
		return string(raw[1 : len(raw)-1]), true
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// printable reports whether JSON contains the text exactly as it is.
func printable(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
