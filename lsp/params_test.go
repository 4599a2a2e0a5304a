// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestParametersThatDoNotFitAreNamed checks the messages for values of the wrong type, which are those of the core.
func TestParametersThatDoNotFitAreNamed(t *testing.T) {
	var p struct {
		Position struct {
			Line int `json:"line"`
		} `json:"position"`
		Open  bool     `json:"open"`
		Names []string `json:"names"`
		Share float64  `json:"share"`
	}
	for given, want := range map[string]string{
		`{"position":{"line":1e99}}`:  `The parameter "position.line" must be a whole number, not 1e99.`,
		`{"position":{"line":"one"}}`: `The parameter "position.line" must be a whole number, not a string.`,
		`{"position":[1]}`:            `The parameter "position" must be an object, not an array.`,
		`{"open":{}}`:                 `The parameter "open" must be true or false, not an object.`,
		`{"names":false}`:             `The parameter "names" must be an array, not a boolean.`,
		`{"share":"all"}`:             `The parameter "share" must be a number, not a string.`,
		`7`:                           `The parameters cannot be read: must be an object, not a number.`,
	} {
		err := json.Unmarshal([]byte(given), &p)
		if err == nil {
			t.Fatalf("%s was read", given)
		}
		refused := unfit("", err)
		if refused.Message != want || strings.Contains(refused.Message, "Go ") {
			t.Errorf("of %s: %s", given, refused.Message)
		}
	}
}

// TestWrongParametersAreNamed checks, for each method that the daemon reads itself, that a value of the wrong type is
// an error that names the parameter, and that the connection still works.
func TestWrongParametersAreNamed(t *testing.T) {
	c := newMachine(t).daemon()
	c.call("ctx/session/open", `{"id":"there","shared":true}`)
	uri := `"textDocument":{"uri":"file:///w/CLAUDE.md"}`
	for _, test := range []struct{ method, params, message string }{
		{"ctx/session/open", `{"id":"a","shared":"yes"}`, `"shared" must be true or false, not a string.`},
		{"ctx/session/open", `{"id":"a","resume":1}`, `"resume" must be true or false, not a number.`},
		{"ctx/session/restore", `{"shared":[],"ledger":{}}`, `"shared" must be true or false, not an array.`},
		{"ctx/session/records", `{"id":"a","open":true,"shared":0,"records":[]}`, `"shared" must be true or false, not a number.`},
		{"ctx/focus", `{"session":7}`, `"session" must be a string, not a number.`},
		{"ctx/focus", `{"sesion":"a"}`, `"sesion"`},
		{"ctx/terminals", `{"pids":"all"}`, `"pids" must be an array, not a string.`},
		{"ctx/handover", `{"id":7}`, `"id" must be a string, not a number.`},
		{"ctx/forgot", `{"id":"a","compaction":"last"}`, `"compaction" must be a whole number, not a string.`},
		{"ctx/vocabulary", `{"name":true}`, `"name" must be a string, not a boolean.`},
		{"workspace/executeCommand", `{"command":7}`, `"command" must be a string, not a number.`},
		{"textDocument/codeLens", `{}`, `"textDocument.uri" is missing`},
		{"textDocument/inlayHint", `{` + uri + `,"range":7}`, `"range" must be an object, not a number.`},
		{"textDocument/hover", `{` + uri + `,"position":{"line":"x"}}`, `"position.line" must be a whole number, not a string.`},
		{"textDocument/documentLink", `{"textDocument":{}}`, `"textDocument.uri" is missing`},
		{"textDocument/diagnostic", `{"textDocument":7}`, `"textDocument" must be an object, not a number.`},
		{"textDocument/didOpen", `{}`, `"textDocument.uri" is missing`},
		{"textDocument/didChange", `{}`, `"textDocument.uri" is missing`},
		{"textDocument/didClose", `{}`, `"textDocument.uri" is missing`},
		{"inlayHint/resolve", `{"position":7}`, `"position" must be an object, not a number.`},
		{"workspace/didChangeWorkspaceFolders", `{"event":7}`, `"event" must be an object, not a number.`},
	} {
		m := c.ask(test.method, test.params)
		if m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) || !strings.Contains(m.Error.Message, test.message) {
			t.Errorf("%s %s: %+v", test.method, test.params, m.Error)
		}
	}
	if got := string(c.call("ctx/terminals", `{"pids":[0,-1]}`)); strings.Count(got, `"No known agent runs in this terminal."`) != 2 {
		t.Errorf("terminals that do not exist: %s", got)
	}
	if got := string(c.call("ctx/terminals", `[]`)); got != `{"terminals":[]}` {
		t.Errorf("an empty array is read as %s", got)
	}
	var saved struct{ Ledger json.RawMessage }
	json.Unmarshal(c.call("ctx/session/save", `{"id":"there"}`), &saved)
	if m := c.ask("ctx/session/restore", `{"shared":true,"ledger":`+string(saved.Ledger)+`}`); m.Error == nil || m.Error.Code != api.Code(api.SessionExists) {
		t.Errorf("a session that is open is restored: %+v", m.Error)
	}
	c.call("ctx/session/close", `{"id":"there"}`)
	if used(t, c.call("ctx/session/restore", `{"ledger":`+string(saved.Ledger)+`}`)) != 0 {
		t.Error("the restored session has another size")
	}
	c.call("ctx/session/reading", `{"id":"there"}`) // a restored session has the id in its ledger
	d := connect(t, newTestServer(t, Options{}))
	if m := d.ask("initialize", `{"capabilities":7}`); m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) {
		t.Errorf("initialize with a number: %+v", m)
	}
	d.call("initialize", `{"capabilities":{}}`) // it may try again
}
