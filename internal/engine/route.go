// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"encoding/json"
)

// scope is what a method reaches.
type scope int

const (
	anyInstance   scope = iota // nothing that lasts: counting, models, and what the core will refuse
	oneSession                 // the session named by id
	oneDocument                // the set of documents named by set
	everySession               // all of them
	everyInstance              // what is known to all
	lessons                    // what the sessions of all have taught
)

func scopeOf(method string) scope {
	switch method {
	case "ctx/session/open", "ctx/session/update", "ctx/session/usage", "ctx/session/error", "ctx/session/compacted",
		"ctx/session/records", "ctx/session/reading", "ctx/session/close", "ctx/session/history", "ctx/session/items",
		"ctx/session/save", "ctx/session/restore":
		return oneSession
	case "ctx/document/open", "ctx/document/change", "ctx/document/view", "ctx/document/close":
		return oneDocument
	case "ctx/sessions":
		return everySession
	case "ctx/learned/set":
		return everyInstance
	case "ctx/learned/get":
		return lessons
	}
	return anyInstance
}

// makesSession is true of the methods after which a session may exist that did not before.
func makesSession(method string) bool {
	return method == "ctx/session/open" || method == "ctx/session/restore" || method == "ctx/session/records"
}

// changesSession is true of the methods that must be repeated to bring a session back.
func changesSession(method string) bool {
	switch method {
	case "ctx/session/reading", "ctx/session/history", "ctx/session/items", "ctx/session/save", "ctx/session/close":
		return false
	}
	return true
}

// sessionID finds the session a call is about.
func sessionID(method string, params []byte) (string, bool) {
	if id, ok := stringField(params, "id"); ok {
		return id, true
	}
	if method == "ctx/session/restore" {
		if ledger, ok := field(params, "ledger"); ok {
			return stringField(ledger, "session")
		}
	}
	return "", false
}

// parentID finds the parent of the session that a call makes.
func parentID(method string, params []byte) (string, bool) {
	if parent, ok := stringField(params, "parent"); ok && parent != "" {
		return parent, true
	}
	inside := map[string]string{"ctx/session/restore": "ledger", "ctx/session/records": "open"}[method]
	if inside == "" {
		return "", false
	}
	object, _ := field(params, inside)
	parent, ok := stringField(object, "parent")
	return parent, ok && parent != ""
}

// withID puts an id into the parameters of a call that has none. What is no object stays as it is, for the core to
// refuse.
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
	raw, ok := field(object, name)
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

// printable is true of text that means itself in JSON.
func printable(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// field finds a value at the top level of an object without decoding the others. It does not check the JSON, which is
// the core's to do: of text that is none it finds something or nothing.
func field(object []byte, name string) ([]byte, bool) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return nil, false
	}
	for i++; ; i++ {
		i = skipSpace(object, i)
		if i >= len(object) || object[i] != '"' {
			return nil, false
		}
		end := skipString(object, i)
		key := object[i:end]
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return nil, false
		}
		start := skipSpace(object, i+1)
		end = skipValue(object, start)
		if len(key) >= 2 && string(key[1:len(key)-1]) == name {
			return object[start:end], true
		}
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ',' {
			return nil, false
		}
	}
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the position after the string that begins at i.
func skipString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n
		backslashes := 0
		for text[i-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
	return len(text)
}

// skipValue returns the position after the value that begins at i.
func skipValue(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}
