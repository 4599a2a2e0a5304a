// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// scopeOf returns the scope of the client that owns a session. Other clients cannot know it; these tests assume the
// worst.
func scopeOf(t *testing.T, s *Server, owning string) string {
	t.Helper()
	for _, each := range s.all(func(each *session) bool { return each.id == owning }) {
		return each.scope
	}
	t.Fatalf("no session %s", owning)
	return ""
}

// TestANameWithAnEscapeReachesNoOtherClient checks that the daemon and the core decode member names in the same way:
// with "\u0069d" or "sc\u006fpe" no client reaches the session of another, even if it knows the scope.
func TestANameWithAnEscapeReachesNoOtherClient(t *testing.T) {
	for _, name := range engines {
		t.Run(name, func(t *testing.T) {
			s := newTestServer(t, Options{Engine: realEngine(t, name)})
			victim, thief := start(t, s), start(t, s)
			victim.call("ctx/session/open", `{"id":"chat","label":"secret plans"}`)
			victim.call("ctx/document/open", `{"id":"d","set":"s","path":"AGENTS.md","text":"# one"}`)
			thief.call("ctx/session/open", `{"id":"mine"}`)
			scope := scopeOf(t, s, "chat")
			for _, call := range []struct{ method, params string }{
				{"ctx/session/reading", `{"id":"chat","scope":%q}`},
				{"ctx/session/reading", `{"id":"chat","sc\u006fpe":%q}`},
				{"ctx/session/reading", `{"scope":"","sc\u006fpe":%q,"id":"chat"}`},
				{"ctx/session/update", `{"id":"chat","\u0073cope":%q,"system":{"tokens":900000}}`},
				{"ctx/session/close", `{"id":"chat","scope":%q}`},
				{"ctx/session/open", `{"id":"below","parent":"chat","scope":%q}`},
				{"ctx/session/records", `{"id":"below2","agent":"claude-code","records":[],"open":{"parent":"chat","scope":%q}}`},
				{"ctx/session/restore", `{"id":"below3","ledger":{},"scope":%q}`},
				{"ctx/sessions", `{"scope":%q}`},
				{"ctx/document/view", `{"id":"d","set":"s","scope":%q}`},
			} {
				if m := thief.ask(call.method, fmt.Sprintf(call.params, scope)); m.Error == nil {
					t.Errorf("%s %s is answered: %.200s", call.method, fmt.Sprintf(call.params, scope), m.Result)
				}
			}
			for _, key := range []string{keyOf(scope, "chat"), scope + "chat"} {
				for _, call := range []struct{ method, params string }{
					{"ctx/session/reading", `{"id":"mine","\u0069d":%q}`},
					{"ctx/session/reading", `{"\u0069d":%q,"id":"mine"}`},
					{"ctx/session/reading", `{"i\u0064":%q}`},
					{"ctx/session/reading", `{"id":%q}`},
					{"ctx/session/items", `{"id":"mine","\u0069d":%q}`},
					{"ctx/session/save", `{"id":"mine","i\u0064":%q}`},
					{"ctx/session/update", `{"id":"mine","\u0069d":%q,"system":{"tokens":900000}}`},
					{"ctx/session/close", `{"id":"mine","\u0069d":%q}`},
					{"ctx/session/open", `{"id":"below","\u0070arent":%q}`},
					{"ctx/session/open", `{"id":"below","parent":%q}`},
					{"ctx/session/records", `{"id":"below2","agent":"claude-code","records":[],"open":{"\u0070arent":%q}}`},
					{"ctx/session/records", `{"id":"below3","agent":"claude-code","records":[],"open":{"parent":%q}}`},
				} {
					if m := thief.ask(call.method, fmt.Sprintf(call.params, key)); m.Error == nil {
						t.Errorf("%s %s is answered: %.200s", call.method, fmt.Sprintf(call.params, key), m.Result)
					}
				}
			}
			for _, set := range []string{"s", scope + "s"} {
				if m := thief.ask("ctx/document/view", fmt.Sprintf(`{"id":"d","\u0073et":%q}`, set)); m.Error == nil {
					t.Errorf("another's document is shown: %.200s", m.Result)
				}
			}
			if reading := victim.call("ctx/session/reading", `{"id":"chat"}`); used(t, reading) > 1000 {
				t.Errorf("the victim's session was changed: %d", used(t, reading))
			}
			// An escaped name that means only itself is understood.
			if m := thief.ask("ctx/session/reading", `{"\u0069d":"mine"}`); m.Error != nil {
				t.Errorf("an id whose name has an escape: %+v", m.Error)
			}
		})
	}
}

// TestANameGivenTwiceIsAnError checks that a call with two equal names is refused, so that it does not matter which of
// them would be used.
func TestANameGivenTwiceIsAnError(t *testing.T) {
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	for _, params := range []string{`{"id":"a","id":"b"}`, `{"id":"a","\u0069d":"a"}`, `{"model":"m","id":"a","model":"n"}`, `{"id":"a","shared":true,"shared":false}`} {
		m := c.ask("ctx/session/open", params)
		if m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) || !strings.Contains(m.Error.Message, "twice") {
			t.Errorf("%s: %+v", params, m.Error)
		}
	}
	if m := c.ask("ctx/watch", `{"workspace":"/w","workspace":"/x"}`); m.Error == nil || !strings.Contains(m.Error.Message, "twice") {
		t.Errorf("of a method that only the daemon has: %+v", m.Error)
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ctx/sessions","i\u0064":2}`)
	if m := c.note("(answer)"); m.Error == nil || m.Error.Code != api.Code(api.InvalidRequest) || string(m.ID) != "null" {
		t.Errorf("a message with two ids: %+v", m)
	}
	c.call("ctx/sessions", "{}")
}

// TestASharedSessionCannotReplaceAnother checks that no id that a client may choose is the key of another
// client's session.
func TestASharedSessionCannotReplaceAnother(t *testing.T) {
	s := newTestServer(t, Options{})
	squatter, victim := start(t, s), start(t, s)
	victim.call("ctx/session/open", `{"id":"first"}`)
	scope := scopeOf(t, s, "first")
	for _, id := range []string{keyOf(scope, "chat"), "/chat", "chat"} {
		if m := squatter.ask("ctx/session/open", fmt.Sprintf(`{"id":%q,"shared":true}`, id)); m.Error != nil {
			t.Errorf("an id like any other: %+v", m.Error)
		}
	}
	victim.call("ctx/session/open", `{"id":"chat"}`)
	for range 2 {
		start(t, s).call("ctx/session/open", `{"id":"chat"}`)
	}
	scopes := map[string]bool{}
	for _, each := range s.all(func(each *session) bool { return each.owner != nil }) {
		if len(each.scope) < 24 || strings.Contains(each.scope, "/") {
			t.Errorf("the scope %q can be guessed, or ends early", each.scope)
		}
		scopes[each.scope] = true
	}
	if len(scopes) != 3 {
		t.Errorf("%d scopes of three connections", len(scopes))
	}
}

// TestNoAnswerHoldsAScope checks that results, errors, notifications and ledgers contain no scope, but the ids that the
// client uses.
func TestNoAnswerHoldsAScope(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"chat"}`)
	c.call("ctx/session/open", `{"id":"child","parent":"chat"}`)
	scope := scopeOf(t, s, "chat")
	var seen []json.RawMessage
	for _, id := range []string{`C:\\work\\\"x\"`, `\u0000`, `line\nline`, `\u202e`} { // JSON escapes these
		opened := c.call("ctx/session/open", `{"id":"`+id+`","parent":"chat"}`)
		if !strings.Contains(string(opened), `"session":"`+id+`"`) && id != `\u202e` {
			t.Errorf("the session %s is opened as %.80s", id, opened)
		}
		seen = append(seen, opened)
		for _, method := range []string{"ctx/session/reading", "ctx/session/save", "ctx/session/items"} {
			seen = append(seen, c.call(method, `{"id":"`+id+`"}`))
		}
		if m := c.ask("ctx/session/open", `{"id":"`+id+`"}`); m.Error != nil {
			seen = append(seen, []byte(m.Error.Message), m.Error.Data)
		}
		seen = append(seen, c.call("ctx/session/reading", `{"id":"chat"}`), c.call("ctx/session/save", `{"id":"chat"}`), c.call("ctx/sessions", "{}"))
		c.call("ctx/session/close", `{"id":"`+id+`"}`)
	}
	first := len(seen)
	for _, method := range []string{"ctx/session/reading", "ctx/session/items", "ctx/session/history", "ctx/session/save"} {
		seen = append(seen, c.call(method, `{"id":"child"}`), c.call(method, `{"id":"chat"}`))
	}
	seen = append(seen, c.call("ctx/sessions", "{}"), c.call("ctx/session/records", `{"id":"chat","agent":"claude-code","steps":true,"records":[]}`))
	seen = append(seen, c.note("ctx/reading").Params)
	for _, refused := range []struct{ method, params string }{
		{"ctx/session/open", `{"id":"chat"}`},
		{"ctx/session/open", `{"id":"x","parent":"nobody"}`},
		{"ctx/session/reading", `{"id":"nobody"}`},
		{"ctx/session/update", `{"id":"chat","nothing":1}`},
	} {
		m := c.ask(refused.method, refused.params)
		if m.Error == nil {
			t.Fatalf("%s %s is answered", refused.method, refused.params)
		}
		seen = append(seen, []byte(m.Error.Message), m.Error.Data)
	}
	for _, each := range seen {
		if strings.Contains(string(each), scope) {
			t.Errorf("a scope: %s", each)
		}
	}
	if !strings.Contains(string(seen[first]), `"session":"child"`) || !strings.Contains(string(seen[first]), `"parent":"chat"`) {
		t.Errorf("the reading is %.200s", seen[first])
	}
}

// TestALedgerFindsItsParentAgain checks that parent and child are restored as a family, whatever their names inside the
// daemon were.
func TestALedgerFindsItsParentAgain(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"chat"}`)
	c.call("ctx/session/open", `{"id":"child","parent":"chat"}`)
	var saved struct{ Ledger json.RawMessage }
	if err := json.Unmarshal(c.call("ctx/session/save", `{"id":"child"}`), &saved); err != nil {
		t.Fatal(err)
	}
	c.conn.Close()
	c.exitCode()
	next := start(t, s)
	next.call("ctx/session/open", `{"id":"chat","resume":true}`)
	for _, each := range []struct{ method, params string }{
		{"ctx/session/restore", `{"id":"other","ledger":` + string(saved.Ledger) + `}`},
		{"ctx/session/open", `{"id":"child","resume":true}`},
	} {
		if reading := next.call(each.method, each.params); !strings.Contains(string(reading), `"parent":"chat"`) {
			t.Errorf("%s: %.300s", each.method, reading)
		}
	}
}

// TestRecordsOpenTheirSessionWithParameters checks the description of "open" in docs/protocol.md.
func TestRecordsOpenTheirSessionWithParameters(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c := start(t, s)
	reading := c.call("ctx/session/records", `{"id":"r","agent":"claude-code","records":[],"open":{"model":"claude-sonnet-4-5","label":"first","id":"other","shared":true}}`)
	if !strings.Contains(string(reading), `"session":"r"`) || !strings.Contains(string(reading), `"label":"first"`) {
		t.Errorf("the reading is %.300s", reading)
	}
	c.call("ctx/session/records", `{"id":"below","agent":"claude-code","records":[],"open":{"parent":"r"}}`)
	c.call("ctx/session/records", `{"id":"plain","agent":"claude-code","records":[],"open":true}`)
	for _, params := range []string{
		`{"id":"x","agent":"claude-code","records":[],"open":"yes"}`,
		`{"id":"x","agent":"claude-code","records":[],"open":{"label":"a","label":"b"}}`,
		`{"id":"x","agent":"claude-code","records":[]}`,
	} {
		if m := c.ask("ctx/session/records", params); m.Error == nil {
			t.Errorf("%s is answered", params)
		}
	}
	if n := len(s.all(func(*session) bool { return true })); n != 3 {
		t.Errorf("%d sessions", n)
	}
}

// TestParamsByPositionAreRefused checks that positional params, which no method reads, are not treated as missing.
func TestParamsByPositionAreRefused(t *testing.T) {
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	for _, method := range []string{"ctx/session/open", "ctx/count", "textDocument/hover", "ctx/sessions"} {
		m := c.ask(method, `["chat"]`)
		if m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) {
			t.Errorf("%s is answered: %s %+v", method, m.Result, m.Error)
		}
	}
	if sessions := c.call("ctx/sessions", `{}`); !strings.Contains(string(sessions), `"sessions":[]`) {
		t.Errorf("there are %s", sessions)
	}
}
