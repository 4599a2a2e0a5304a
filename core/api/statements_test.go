// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TestRefusalsAreThoseOfTheDocuments makes the wrong calls whose results docs/protocol.md and docs/hosts.md describe. A
// refused call does not change the session.
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
		host := withVocabularies(t)
		open := func(method, params string) {
			t.Helper()
			if _, refused := Outcome(host.Call(method, []byte(params))); refused != nil {
				t.Fatalf("%s %s: %+v", method, params, refused)
			}
		}
		open("ctx/session/open", `{"id":"a","limits":{"window":100000}}`)
		open("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":5000,"out":10}}`)
		if c.before != "" {
			open("ctx/session/records", c.before)
		}
		before := bytes.Clone(host.Call("ctx/session/reading", []byte(`{"id":"a"}`)))
		_, refused := Outcome(host.Call(c.method, []byte(c.params)))
		name := fmt.Sprintf("%s %.80s", c.method, c.params)
		switch {
		case refused == nil:
			t.Errorf("%s is not refused", name)
		case refused.Kind != c.kind || c.field != "" && refused.Field != c.field || c.known && len(refused.Known) == 0:
			t.Errorf("%s is refused with %#v", name, refused)
		case refused.Message == "":
			t.Errorf("%s is refused without a message", name)
		}
		if after := host.Call("ctx/session/reading", []byte(`{"id":"a"}`)); !bytes.Equal(before, after) {
			t.Errorf("%s is refused and has changed the session:\n%s\n%s", name, before, after)
		}
	}
}

// TestWarningsAreThoseOfTheDocuments makes the calls after which the Reading has a warning, or does not change,
// according to docs/protocol.md.
func TestWarningsAreThoseOfTheDocuments(t *testing.T) {
	warnings := func(host *Core, method, params string) string {
		t.Helper()
		result, refused := Outcome(host.Call(method, []byte(params)))
		var reading struct{ Warnings []Text }
		if refused != nil || stdjson.Unmarshal(result, &reading) != nil {
			t.Fatalf("%s %s: %+v", method, params, refused)
		}
		return strings.Join(Sentences(reading.Warnings), "\n")
	}
	host := withVocabularies(t)
	warnings(host, "ctx/session/open", `{"id":"a","model":"gpt-5.5","complete":true}`)
	got := warnings(host, "ctx/session/messages", `{"id":"a","messages":[{"role":"user","content":[{"type":"hologram","data":"xyz"}],"mood":"good"}]}`)
	if !strings.Contains(got, "hologram") || !strings.Contains(got, "mood") {
		t.Errorf("an unknown part and an unknown field give the warnings %q", got)
	}
	before := bytes.Clone(host.Call("ctx/session/reading", []byte(`{"id":"a"}`)))
	host.Call("ctx/session/error", []byte(`{"id":"a","error":"rate limit reached, try again in 20s"}`))
	if after := host.Call("ctx/session/reading", []byte(`{"id":"a"}`)); !bytes.Equal(before, after) {
		t.Errorf("a rate limit has changed the session:\n%s\n%s", before, after)
	}
	// Complete: the estimated rows are stretched.
	warnings(host, "ctx/session/open", `{"id":"b","model":"claude-opus-4-6","complete":true}`)
	warnings(host, "ctx/session/update", `{"id":"b","append":[{"kind":"user","text":"`+strings.Repeat("some words of a text ", 200)+`"}]}`)
	if got := warnings(host, "ctx/session/usage", `{"id":"b","provider":"ctx","usage":{"in":1500,"out":10}}`); !strings.Contains(got, "scaled") {
		t.Errorf("rows that were stretched give the warnings %q", got)
	}
}

// TestLimitsAreThoseOfTheDocuments compares the limits that docs/protocol.md lists with those of the code.
func TestLimitsAreThoseOfTheDocuments(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("- Limits: %d MB a call, %d levels of nesting, %d million values, %d,000 items a call, %d,000 items a session, %d,000 sessions. ",
		MaxParams>>20, json.MaxDepth, json.MaxValues>>20, itemsPerCall/1000, core.MaxItems/1000, MaxSessions/1000)
	if core.MaxItems%1000 != 0 || MaxSessions%1000 != 0 || !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("docs/protocol.md does not say: %s", want)
	}
}
