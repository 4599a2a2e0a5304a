// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestReadingsHaveTheLinesThatTheirClientWants holds every message that brings a Reading to what ctx/watch asked for,
// and keeps the lines of one client from another.
func TestReadingsHaveTheLinesThatTheirClientWants(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c, other := start(t, s), start(t, s)
	c.call("ctx/watch", `{"lines":{"status":["{linePercent} {toLine}","{percent}{mark}"]},"words":{"toLine":"der Linie"}}`)
	line := func(at string, reading json.RawMessage) string {
		t.Helper()
		var r struct {
			Session string
			Lines   map[string]string
		}
		if err := json.Unmarshal(reading, &r); err != nil || r.Session == "" {
			t.Fatalf("%s: %v: %s", at, err, reading)
		}
		return r.Lines["status"]
	}
	want := func(at, want string, reading json.RawMessage) {
		t.Helper()
		if got := line(at, reading); got != want {
			t.Errorf("%s has the line %q, want %q", at, got, want)
		}
	}
	inside := func(m testMessage) json.RawMessage {
		var p struct{ Reading json.RawMessage }
		json.Unmarshal(m.Params, &p)
		return p.Reading
	}
	want("an opened session", "0%~", c.call("ctx/session/open", `{"id":"a","shared":true,"limits":{"window":1000}}`))
	want("a shared one, for another client,", "", other.call("ctx/session/open", `{"id":"a","shared":true}`))
	want("usage", "50%", c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":490,"out":10}}`))
	want("ctx/session/reading", "50%", c.call("ctx/session/reading", `{"id":"a"}`))
	for {
		if got := line("ctx/reading", c.note("ctx/reading").Params); got == "50%" {
			break
		}
	}
	want("ctx/reading of another client", "", other.note("ctx/reading").Params)
	want("ctx/focus", "50%", c.call("ctx/focus", `{"session":"a"}`))
	c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":990,"out":10}}`)
	want("ctx/level", "100%", inside(c.note("ctx/level")))
	want("ctx/level of another client", "", inside(other.note("ctx/level")))

	var watched struct{ Sessions []json.RawMessage }
	json.Unmarshal(c.call("ctx/watch", `{"lines":{"status":"{used}"}}`), &watched)
	if len(watched.Sessions) != 1 || line("ctx/watch", watched.Sessions[0]) != "1k" {
		t.Errorf("another template gives %s", watched.Sessions)
	}
	refused := c.ask("ctx/watch", `{"lines":{"status":"{used} {nothing}"}}`)
	if refused.Error == nil || !strings.Contains(refused.Error.Message, "{nothing}") || !strings.Contains(string(refused.Error.Data), `"field":"lines.status"`) {
		t.Errorf("a field that does not exist is answered by %+v", refused.Error)
	}
	want("after a refusal", line("before", watched.Sessions[0]), c.call("ctx/session/reading", `{"id":"a"}`))
	c.call("ctx/unwatch", `{}`)
	want("after ctx/unwatch", "", c.call("ctx/session/reading", `{"id":"a"}`))
}
