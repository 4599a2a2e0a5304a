// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestRefusalsAreThoseOfTheDocuments makes the wrong calls of which docs/protocol.md and docs/hosts.md state what
// happens. A refused call leaves the session as it was.
func TestRefusalsAreThoseOfTheDocuments(t *testing.T) {
	for _, c := range []struct {
		before, method, params string
		kind                   string
		field                  string
		known                  bool
	}{
		{"", "ctx/session/update", `{"id":"a","appendd":[]}`, InvalidParams, "appendd", true},
		{"", "ctx/session/open", `{"id":"b","agent":"no-such-agent"}`, InvalidParams, "agent", true},
		{"", "ctx/session/open", `{"id":"b","rule":"no-such-rule"}`, InvalidParams, "rule", true},
		{"", "ctx/session/open", `{"id":"b","limits":{"window":0}}`, InvalidParams, "limits.window", false},
		{"", "ctx/session/open", `{"id":"a"}`, SessionExists, "", false},
		{"", "ctx/session/reading", `{"id":"c"}`, UnknownSession, "", false},
		{"", "ctx/session/update", `{"id":"a","append":[{"kind":"user","tokens":3}],"replace":[{"index":9,"item":{"kind":"user","tokens":1}}]}`, InvalidParams, "", false},
		{
			`{"id":"r","open":true,"agent":"claude-code","records":[{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}]}`,
			"ctx/session/messages", `{"id":"r","messages":[{"role":"user","content":"hi"}]}`, InvalidParams, "", false,
		},
		{"", "ctx/session/restore", `{"id":"d","ledger":{"schema":"other","names":[],"state":"AAAA"}}`, BadLedger, "", false},
		{"", "ctx/lines", `{"reading":{},"lines":{"bar":"{sep=` + strings.Repeat("-", 33) + `}"}}`, InvalidParams, "", false},
		{"", "ctx/no/method", `{}`, UnknownMethod, "", true},
		{"", "ctx/session/update", `{"id":`, ParseError, "", false},
		{"", "ctx/session/update", `{"id":"a","model":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, LimitExceeded, "", false},
	} {
		core := withVocabularies(t)
		open := func(method, params string) {
			t.Helper()
			if _, refused := Outcome(core.Call(method, []byte(params))); refused != nil {
				t.Fatalf("%s %s: %+v", method, params, refused)
			}
		}
		open("ctx/session/open", `{"id":"a","limits":{"window":100000}}`)
		open("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5000,"out":10}}`)
		if c.before != "" {
			open("ctx/session/records", c.before)
		}
		before := bytes.Clone(core.Call("ctx/session/reading", []byte(`{"id":"a"}`)))
		_, refused := Outcome(core.Call(c.method, []byte(c.params)))
		name := fmt.Sprintf("%s %.80s", c.method, c.params)
		switch {
		case refused == nil:
			t.Errorf("%s is not refused", name)
		case refused.Kind != c.kind || c.field != "" && refused.Field != c.field || c.known && len(refused.Known) == 0:
			t.Errorf("%s is refused with %#v", name, refused)
		case refused.Message == "":
			t.Errorf("%s is refused without a message", name)
		}
		if after := core.Call("ctx/session/reading", []byte(`{"id":"a"}`)); !bytes.Equal(before, after) {
			t.Errorf("%s is refused and has changed the session:\n%s\n%s", name, before, after)
		}
	}
}

// TestWarningsAreThoseOfTheDocuments makes the calls after which, as docs/protocol.md states, the Reading has a
// warning, or changes nothing.
func TestWarningsAreThoseOfTheDocuments(t *testing.T) {
	warnings := func(core *Core, method, params string) string {
		t.Helper()
		result, refused := Outcome(core.Call(method, []byte(params)))
		var reading struct{ Warnings []string }
		if refused != nil || json.Unmarshal(result, &reading) != nil {
			t.Fatalf("%s %s: %+v", method, params, refused)
		}
		return strings.Join(reading.Warnings, "\n")
	}
	core := withVocabularies(t)
	warnings(core, "ctx/session/open", `{"id":"a","model":"gpt-5.5","complete":true}`)
	got := warnings(core, "ctx/session/messages", `{"id":"a","messages":[{"role":"user","content":[{"type":"hologram","data":"xyz"}],"mood":"good"}]}`)
	if !strings.Contains(got, "hologram") || !strings.Contains(got, "mood") {
		t.Errorf("an unknown part and an unknown field give the warnings %q", got)
	}
	before := bytes.Clone(core.Call("ctx/session/reading", []byte(`{"id":"a"}`)))
	core.Call("ctx/session/error", []byte(`{"id":"a","error":"rate limit reached, try again in 20s"}`))
	if after := core.Call("ctx/session/reading", []byte(`{"id":"a"}`)); !bytes.Equal(before, after) {
		t.Errorf("a rate limit has changed the session:\n%s\n%s", before, after)
	}
	// Complete: the estimated rows are stretched.
	warnings(core, "ctx/session/open", `{"id":"b","model":"claude-opus-4-6","complete":true}`)
	warnings(core, "ctx/session/update", `{"id":"b","append":[{"kind":"user","text":"`+strings.Repeat("some words of a text ", 200)+`"}]}`)
	if got := warnings(core, "ctx/session/usage", `{"id":"b","provider":"ctx","usage":{"in":1500,"out":10}}`); !strings.Contains(got, "scaled") {
		t.Errorf("rows that were stretched give the warnings %q", got)
	}
}
