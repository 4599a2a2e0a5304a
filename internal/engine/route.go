// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// methodOf is the protocol's entry for a method; it is empty for an unknown one, which the core will refuse.
func methodOf(method string) *api.Method {
	if m := api.MethodOf(method); m != nil {
		return m
	}
	return &api.Method{}
}

// makesSession is true of methods that may create a session.
func makesSession(method string) bool { return methodOf(method).Effect == api.Makes }

// sessionID finds the session a call is about.
func sessionID(method string, params []byte) (string, bool) {
	if id, ok := stringField(params, "id"); ok {
		return id, true
	}
	return stringField(inside(method, params), "session")
}

// parentID finds the parent of the session that a call makes.
func parentID(method string, params []byte) (string, bool) {
	for _, object := range [][]byte{params, inside(method, params)} {
		if parent, ok := stringField(object, "parent"); ok && parent != "" {
			return parent, true
		}
	}
	return "", false
}

// inside returns the part of the parameters in which the session is named, for methods whose parameters do not name it
// themselves.
func inside(method string, params []byte) []byte {
	name := methodOf(method).Inside
	if name == "" {
		return nil
	}
	object, _ := ownjson.Member(params, name)
	return object
}

// empty reports whether there are no parameters. An empty array says so too.
func empty(params []byte) bool {
	rest := bytes.TrimSpace(params)
	return len(rest) == 0 || rest[0] == '[' && len(bytes.TrimSpace(rest[1:])) == 1 && rest[len(rest)-1] == ']'
}

// withID adds an id to the parameters of a call that has none. Parameters that are not an object are left as they are,
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

// stringField finds a string at the top level of an object.
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

// printable is true of text that is written in JSON exactly as it is.
func printable(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
