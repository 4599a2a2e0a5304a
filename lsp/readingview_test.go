// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestReadingsHaveTheLinesThatTheirClientWants checks that every message with a Reading has the lines requested by
// ctx/watch, and not those of another client.
func TestReadingsHaveTheLinesThatTheirClientWants(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c, other := start(t, s), start(t, s)
	c.call("ctx/watch", `{"lines":{"status":["{thresholdPercent} {toLine}","{percent}{mark}"]},"words":{"toLine":"der Linie"}}`)
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
	if got := c.ask("ctx/watch", `{"mode":"half"}`); got.Error == nil || !strings.Contains(string(got.Error.Data), `"field":"mode"`) {
		t.Errorf("a mode that does not exist is answered by %+v", got)
	}
	c.call("ctx/unwatch", `{}`)
	want("after ctx/unwatch", "", c.call("ctx/session/reading", `{"id":"a"}`))
}

// countingReadings counts the calls for a Reading in another mode.
type countingReadings struct {
	Engine
	calls atomic.Int64
}

func (e *countingReadings) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if method == "ctx/session/reading" {
		e.calls.Add(1)
	}
	return e.Engine.Call(ctx, method, params)
}

// TestClientsOfOneModeShareAReading checks that a Reading in another mode is requested once for a change, however many
// clients want it.
func TestClientsOfOneModeShareAReading(t *testing.T) {
	inner, err := realEngine(t, "native")(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counting := &countingReadings{Engine: inner}
	s := newTestServer(t, Options{Engine: using(counting)})
	var clients []*testClient
	for range 3 {
		c := start(t, s)
		c.call("ctx/watch", `{"mode":"provider"}`)
		c.call("ctx/session/open", `{"id":"many","shared":true}`)
		clients = append(clients, c)
	}
	before := counting.calls.Load()
	clients[0].call("ctx/session/usage", `{"id":"many","provider":"ctx","usage":{"in":7000,"out":50}}`)
	for _, c := range clients {
		for used(t, c.kept("ctx/reading").Params) != 7000 {
		}
	}
	if n := counting.calls.Load() - before; n != 1 {
		t.Errorf("the engine is called %d times", n)
	}
	clients[0].call("ctx/session/close", `{"id":"many"}`)
}

// TestEachClientChoosesItsMode has two clients watch one session, one in provider mode: each gets its
// own number, and the levels for that number.
func TestEachClientChoosesItsMode(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c, other := start(t, s), start(t, s)
	type seen struct {
		Mode       string
		Used       int64
		Unmeasured struct{ Text string }
		Display    struct{ Percent string }
		Lines      map[string]string
	}
	parse := func(reading json.RawMessage) (r seen) {
		t.Helper()
		if err := json.Unmarshal(reading, &r); err != nil || r.Mode == "" {
			t.Fatalf("%v: %s", err, reading)
		}
		return r
	}
	want := func(at, mode string, used int64, percent string, reading json.RawMessage) {
		t.Helper()
		if r := parse(reading); r.Mode != mode || r.Used != used || r.Display.Percent != percent {
			t.Errorf("%s: %+v, want %s, %d, %s", at, r, mode, used, percent)
		}
	}
	c.call("ctx/watch", `{"mode":"provider","lines":{"s":["{percent} · {unmeasured}","{percent}"]}}`)
	opened := c.call("ctx/session/open", `{"id":"looked at","shared":true,"limits":{"window":10000},"rule":{"percent":80}}`)
	want("opened", "provider", 0, "0.0%", opened)
	if line := parse(opened).Lines["s"]; line != "0.0% · nothing measured yet" {
		t.Errorf("the line is %q", line)
	}
	other.call("ctx/session/open", `{"id":"looked at","shared":true}`)
	want("after usage", "provider", 7000, "70.0%", c.call("ctx/session/usage", `{"id":"looked at","provider":"ctx","usage":{"in":7000,"out":50}}`))
	want("for the other", "hybrid", 7050, "71%", other.call("ctx/session/reading", `{"id":"looked at"}`))
	want("asked for otherwise", "hybrid", 7050, "71%", c.call("ctx/session/reading", `{"id":"looked at","mode":"hybrid"}`))
	want("in focus", "provider", 7000, "70.0%", c.call("ctx/focus", `{"session":"looked at"}`))
	var list struct{ Sessions []struct{ Used int64 } }
	json.Unmarshal(c.call("ctx/sessions", `{}`), &list)
	if len(list.Sessions) != 1 || list.Sessions[0].Used != 7000 {
		t.Errorf("the list has %+v", list.Sessions)
	}

	// The new tokens are estimated to exceed the threshold. Only the client that uses estimates is notified.
	levelOf := func(m testMessage) string {
		var p struct {
			Level   string
			Crossed string
			Reading json.RawMessage
		}
		json.Unmarshal(m.Params, &p)
		return p.Level + " " + p.Crossed + " " + parse(p.Reading).Mode
	}
	if got := levelOf(c.kept("ctx/level")); got != "soon up provider" {
		t.Errorf("at 7000 of 8000 the client in provider mode hears %q", got)
	}
	if got := levelOf(other.kept("ctx/level")); got != "soon up hybrid" {
		t.Errorf("at 7050 of 8000 the other hears %q", got)
	}
	for parse(c.kept("ctx/reading").Params).Used != 7000 {
	}
	c.call("ctx/session/update", `{"id":"looked at","append":[{"kind":"user","tokens":2000}]}`)
	if got := levelOf(other.note("ctx/level")); got != "over up hybrid" {
		t.Errorf("with 2000 more the other hears %q", got)
	}
	c.quiet("ctx/level", 300*time.Millisecond)
	c.call("ctx/watch", `{}`)
	want("after another ctx/watch", "hybrid", 9050, "91%", c.call("ctx/session/reading", `{"id":"looked at"}`))
}

// TestAFoundSessionIsReadInTheClientsMode checks that the Readings of a session of this machine keep their other
// members in another mode.
func TestAFoundSessionIsReadInTheClientsMode(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	c := m.daemon()
	for _, mode := range []string{"provider", "hybrid"} {
		var watched struct {
			Sessions []struct{ Mode, File string }
		}
		json.Unmarshal(c.call("ctx/watch", fmt.Sprintf(`{"mode":%q}`, mode)), &watched)
		if len(watched.Sessions) != 1 || watched.Sessions[0].Mode != mode || !strings.HasSuffix(watched.Sessions[0].File, firstID+".jsonl") {
			t.Errorf("in the mode %s: %+v", mode, watched)
		}
	}
}

// TestAReadingNamesTheHostOfItsSession checks the members that are added to a Reading: a transcript that an editor can
// open, and the program that runs the session.
func TestAReadingNamesTheHostOfItsSession(t *testing.T) {
	for path, want := range map[string]string{
		"/w/a.jsonl": `{"a":1,"file":"/w/a.jsonl","host":"H"}`, "/w/a.json": `{"a":1,"file":"/w/a.json","host":"H"}`,
		"/w/a.db": `{"a":1,"host":"H"}`, "/w/a.jsonl.zst": `{"a":1,"host":"H"}`,
	} {
		if got := string(asFound([]byte(`{"a":1}`), &transcript.Session{Path: path, Host: "H"}, nil)); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := asFound(nil, &transcript.Session{Path: "/w/a.jsonl"}, nil); got != nil {
		t.Errorf("without a Reading: %s", got)
	}
}

// TestOnlyOtherModesAreReadAgain checks in which modes a session's Reading is made for its watchers, besides its own.
func TestOnlyOtherModesAreReadAgain(t *testing.T) {
	watcher := func(mode string) *connection { return &connection{watching: &watch{look: readingView{mode: mode}}} }
	for _, c := range []struct {
		own      string
		watchers []*connection
		want     []string
	}{
		{"hybrid", nil, nil},
		{"hybrid", []*connection{{}, watcher(""), watcher("hybrid")}, nil},
		{"provider", []*connection{watcher("provider"), watcher("provider")}, nil},
		{"hybrid", []*connection{watcher("provider"), watcher("hybrid"), watcher("provider")}, []string{"provider"}},
	} {
		s := &session{watchers: map[*connection]struct{}{}}
		for _, each := range c.watchers {
			s.watchers[each] = struct{}{}
		}
		if got := s.modesWanted([]byte(`{"id":"a","mode":"` + c.own + `"}`)); !slices.Equal(got, c.want) {
			t.Errorf("%s with %d watchers: also %q", c.own, len(c.watchers), got)
		}
	}
}

// TestThePanelIsSentOnlyToClientsThatAskForIt checks the option of ctx/watch and that of ctx/session/reading, in the
// mode that the client wants.
func TestThePanelIsSentOnlyToClientsThatAskForIt(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	screen, item, page := start(t, s), start(t, s), start(t, s)
	screen.call("ctx/watch", `{"panel":true}`)
	item.call("ctx/watch", `{}`)
	page.call("ctx/watch", `{"mode":"provider"}`)
	for _, c := range []*testClient{screen, item, page} {
		c.call("ctx/session/open", `{"id":"a","shared":true,"limits":{"window":1000}}`)
	}
	item.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":490,"out":10}}`)
	full := func(reading []byte) string {
		var r struct{ Panel *api.Panel }
		if err := json.Unmarshal(reading, &r); err != nil || r.Panel == nil {
			return ""
		}
		for _, section := range r.Panel.Sections {
			if section.ID == "window" {
				return section.Rows[0].Value.Text
			}
		}
		return "no section"
	}
	for {
		params := screen.note("ctx/reading").Params
		if got := full(params); got == "window 50% full" {
			break
		} else if got == "" {
			t.Fatalf("without a panel: %s", params)
		}
	}
	if m := item.note("ctx/reading"); full(m.Params) != "" {
		t.Errorf("a status item gets the panel: %s", m.Params)
	}
	if got := full(item.call("ctx/session/reading", `{"id":"a","panel":true}`)); got != "window 50% full" {
		t.Errorf("asked for once: %q", got)
	}
	if got := full(page.call("ctx/session/reading", `{"id":"a","panel":true}`)); got != "window 49.0% full" {
		t.Errorf("in provider mode: %q", got)
	}
	if got := full(item.call("ctx/session/reading", `{"id":"a"}`)); got != "" {
		t.Errorf("not asked for: %q", got)
	}
	if m := item.ask("ctx/session/reading", `{"id":"a","panel":true,"rows":[{"id":"x","section":"nowhere","value":"1"}]}`); m.Error == nil || !strings.Contains(m.Error.Message, "nowhere") {
		t.Errorf("a section that does not exist: %+v", m.Error)
	}
}
