// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

func using(engine Engine) func(context.Context) (Engine, error) {
	return func(context.Context) (Engine, error) { return engine, nil }
}

func TestSessionsBelongToTheirConnectionUnlessShared(t *testing.T) {
	s := newTestServer(t, Options{})
	a, b := start(t, s), start(t, s)
	a.call("ctx/session/open", `{"id":"chat"}`)
	b.call("ctx/session/open", `{"id":"chat"}`) // the same name, another session
	a.call("ctx/session/update", `{"id":"chat","system":7}`)
	if got := used(t, b.call("ctx/session/reading", `{"id":"chat"}`)); got != 0 {
		t.Errorf("the other client's session was changed: %d", got)
	}
	a.call("ctx/session/open", `{"id":"common","shared":true}`)
	a.call("ctx/session/update", `{"id":"common","system":3}`)
	if got := used(t, b.call("ctx/session/open", `{"id":"common","shared":true}`)); got != 3 {
		t.Errorf("joining a shared session: used %d", got)
	}
	a.call("ctx/session/open", `{"id":"mine"}`)
	if m := b.ask("ctx/session/reading", `{"id":"mine"}`); m.Error == nil || m.Error.Code != 1001 {
		t.Errorf("another client's session was seen: %+v", m)
	}
	if m := b.ask("ctx/session/reading", `{"id":"mine","scope":"1"}`); m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) {
		t.Errorf("a client names a scope: %+v", m)
	}
	var list struct{ Sessions []struct{ Session string } }
	json.Unmarshal(b.call("ctx/sessions", "{}"), &list)
	if len(list.Sessions) != 2 {
		t.Errorf("the second client sees %v", list.Sessions)
	}
	if m := a.ask("ctx/session/open", `{"id":"mine"}`); m.Error == nil || m.Error.Code != 1004 {
		t.Errorf("opened twice: %+v", m)
	}
}

func TestASessionEndsWithItsConnection(t *testing.T) {
	engine := newFakeEngine()
	s := newTestServer(t, Options{Engine: using(engine)})
	a := start(t, s)
	a.call("ctx/session/open", `{"id":"mine"}`)
	a.call("ctx/session/open", `{"id":"common","shared":true}`)
	a.conn.Close()
	a.exitCode()
	s.lanes.Wait()
	engine.mu.Lock()
	defer engine.mu.Unlock()
	if len(engine.sessions) != 1 || engine.sessions[keyOf("", "common")] == nil {
		t.Errorf("left in the engine: %v", engine.sessions)
	}
	for _, each := range s.all(func(*session) bool { return true }) {
		if watchers, _ := each.audience(); len(watchers) != 0 {
			t.Errorf("%d clients watch %s", len(watchers), each.id)
		}
	}
}

func TestChangesOfOneSessionKeepTheirOrder(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	_, opened := c.begin("ctx/session/open", `{"id":"a"}`)
	var answers []chan testMessage
	for range 500 {
		_, answer := c.begin("ctx/session/update", `{"id":"a","system":1}`)
		answers = append(answers, answer)
	}
	c.wait(opened)
	for i, answer := range answers {
		if m := c.wait(answer); m.Error != nil || used(t, m.Result) != int64(i+1) {
			t.Fatalf("update %d: %+v", i, m)
		}
	}
}

func TestNotificationsAreCoalescedAndTheLastStateArrives(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	c.call("ctx/session/open", `{"id":"a"}`)
	begin := time.Now()
	for range 300 {
		c.call("ctx/session/update", `{"id":"a","system":1}`)
	}
	took := time.Since(begin)
	var last int64
	count := 0
	for last != 300 {
		last = used(t, c.note("ctx/reading").Params)
		count++
	}
	if most := int(took/publishEvery) + 3; count > most {
		t.Errorf("%d notifications within %v; at most %d are due", count, took, most)
	}
	c.quiet("ctx/reading", 2*publishEvery)
}

// TestAChangeAfterAPauseIsSentAtOnce checks that the notification of a session that has not changed for a while is sent
// with the response, and that of another change later. Of both, the outbox may write the response first.
func TestAChangeAfterAPauseIsSentAtOnce(t *testing.T) {
	s := newTestServer(t, Options{})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	of := s.all(func(*session) bool { return true })[0]
	// arrived returns the number of notifications that were queued before the last response: they are written before
	// the response to a later request.
	arrived := func() (n int) {
		c.call("ctx/session/reading", `{"id":"a"}`)
		for ; len(c.notes) > 0; n++ {
			<-c.notes
		}
		return n
	}
	arrived()
	for n, since := range []time.Duration{2 * publishEvery, -time.Hour} {
		of.mu.Lock()
		of.published = time.Now().Add(-since)
		of.mu.Unlock()
		c.call("ctx/session/update", `{"id":"a","system":1}`)
		if sent := arrived() > 0; sent != (n == 0) {
			t.Errorf("%v after the last notification, one is sent at once: %v", since, sent)
		}
	}
}

func TestASlowClientDelaysNoOther(t *testing.T) {
	s := newTestServer(t, Options{})
	slow, quick := start(t, s), start(t, s)
	slow.call("ctx/session/open", `{"id":"common","shared":true}`)
	quick.call("ctx/session/open", `{"id":"common","shared":true}`)
	// The slow client stops reading: its reader is blocked in the middle of a message.
	slow.mu.Lock()
	slow.send(`{"jsonrpc":"2.0","id":900,"method":"ctx/sessions"}`)
	// Waiting for the slow client would never end here: it continues to read only below.
	for range 50 {
		quick.call("ctx/session/update", `{"id":"common","system":1}`)
	}
	for used(t, quick.note("ctx/reading").Params) != 50 {
	}
	slow.mu.Unlock()
	for used(t, slow.note("ctx/reading").Params) != 50 {
	}
}

func TestThresholdsAreAnnouncedOnce(t *testing.T) {
	c := connect(t, newTestServer(t, Options{}))
	c.call("initialize", `{"capabilities":{},"initializationOptions":{"notify":{"level":"now"}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.call("ctx/session/open", `{"id":"a"}`)
	level := func() (e struct {
		Session, Level, Before string
		Compacted              bool
	},
	) {
		t.Helper()
		json.Unmarshal(c.note("ctx/level").Params, &e)
		return e
	}
	c.call("ctx/session/update", `{"id":"a","system":85}`)
	if e := level(); e.Level != "soon" || e.Before != "ok" || e.Session != "a" {
		t.Errorf("first: %+v", e)
	}
	c.call("ctx/session/update", `{"id":"a","system":-6}`) // 79: just below the threshold
	c.call("ctx/session/update", `{"id":"a","system":3}`)  // 82: above it again
	c.quiet("ctx/level", 50*time.Millisecond)
	c.call("ctx/session/update", `{"id":"a","system":10}`) // 92
	if e := level(); e.Level != "now" {
		t.Errorf("second: %+v", e)
	}
	var message struct {
		Type    int
		Message string
	}
	json.Unmarshal(c.note("window/showMessage").Params, &message)
	if message.Type != 2 || !strings.Contains(message.Message, "92%") {
		t.Errorf("message: %+v", message)
	}
	c.call("ctx/session/compacted", `{"id":"a"}`)
	if e := level(); e.Level != "ok" || !e.Compacted {
		t.Errorf("after compaction: %+v", e)
	}
	c.call("ctx/session/update", `{"id":"a","system":80}`) // 90: soon, again after the compaction
	if e := level(); e.Level != "soon" {
		t.Errorf("again: %+v", e)
	}
}

func TestASavedSessionContinuesInANewDaemon(t *testing.T) {
	dir := t.TempDir()
	for round, want := range []int64{5, 10, 15} {
		saves := state.OpenLedgers(dir)
		c := start(t, newTestServer(t, Options{State: saves}))
		c.call("ctx/session/open", `{"id":"a","resume":true}`)
		if got := used(t, c.call("ctx/session/update", `{"id":"a","system":5}`)); got != want {
			t.Errorf("round %d: used %d, want %d", round, got, want)
		}
		// The process is killed: there is no shutdown, and nothing more is saved.
		killed(saves)
	}
	c := start(t, newTestServer(t, Options{State: state.OpenLedgers(dir)}))
	if got := used(t, c.call("ctx/session/open", `{"id":"a"}`)); got != 0 {
		t.Errorf("without resume a session begins anew, not with %d", got)
	}
	c.call("ctx/session/close", `{"id":"a"}`)
	if got := used(t, c.call("ctx/session/open", `{"id":"a","resume":true}`)); got != 0 {
		t.Errorf("a closed session is forgotten, not resumed with %d", got)
	}
}

func TestFocusFindsTheSessionOrTheNewestWithAReason(t *testing.T) {
	var seconds atomic.Int64 // the clock advances by a second at each call
	now := func() time.Time { return time.Unix(1_700_000_000+seconds.Add(1), 0) }
	c := start(t, newTestServer(t, Options{Now: now}))
	c.call("ctx/session/open", `{"id":"a","workspace":"/w/one"}`)
	c.call("ctx/session/open", `{"id":"b","workspace":"/w/two"}`)
	c.call("ctx/session/update", `{"id":"b","system":50}`)
	for _, test := range []struct{ params, session, shown string }{
		{`{}`, "b", "elsewhere"},
		{`{"session":"a"}`, "a", "session"},
		{`{"workspace":"/w/one"}`, "a", "workspace"},
		{`{"file":"file:///w/one/src/x.go"}`, "a", "file"},
		{`{"file":"/elsewhere/x.go","workspace":"/w/two"}`, "b", "workspace"},
		{`{"workspace":"/nowhere"}`, "b", "elsewhere"},
	} {
		var r api.Reading
		json.Unmarshal(c.call("ctx/focus", test.params), &r)
		if r.Session != test.session || string(r.Focus.Reason) != test.shown {
			t.Errorf("%s: %+v, want %s by %s", test.params, r, test.session, test.shown)
		}
	}
	// The newest session changes while it is shown.
	c.call("ctx/focus", `{}`)
	c.call("ctx/session/update", `{"id":"a","system":60}`)
	var focused api.FocusedParams
	json.Unmarshal(c.note("ctx/focused").Params, &focused)
	if focused.Reading.Session != "a" || focused.Reading.Focus.Reason != "elsewhere" {
		t.Errorf("%+v", focused)
	}
	if m := c.ask("ctx/focus", `{"session":"none"}`); m.Error == nil || m.Error.Code != 1001 {
		t.Errorf("an unknown session: %+v", m)
	}
}

func TestParamsAreScopedWithoutTouchingTheRest(t *testing.T) {
	c := newConnection(newTestServer(t, Options{Now: func() time.Time { return time.UnixMilli(5) }}), nopConn{})
	defer c.stream.Close()
	for given, want := range map[string]string{
		`{ "b" : {"id":"x","z":[1, 2]}, "id":"a","shared":true, "a":1.50,"text":"q\"} ü" }`: `{"scope":"S","b":{"id":"x","z":[1, 2]},"id":"a","a":1.50,"text":"q\"} ü","at":5}`,
		`{"at":3,"id":null}`:              `{"scope":"S","at":3,"id":null}`,                // the client's own time stays
		`{"id":"a","\u0069d":"b","id":5}`: `{"scope":"S","id":"a","id":"b","id":5,"at":5}`, // the core refuses it
		`{"parent":"none","open":{"parent":"other","shared":true,"id":"x"}}`: `{"scope":"S","parent":"none","open":{"parent":"other","id":"x"},"at":5}`,
	} {
		got := string(c.paramsFor(wire.FieldsOf([]byte(given)), "S", true))
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("it is not JSON any more: %s", got)
		}
	}
}

// nopConn is a connection without data.
type nopConn struct{}

func (nopConn) Read([]byte) (int, error)    { return 0, io.EOF }
func (nopConn) Write(b []byte) (int, error) { return len(b), nil }
func (nopConn) Close() error                { return nil }

// TestASavedSessionHasTheKeyOfItsUser checks the key for the digests of a session that is opened: the client's own,
// otherwise the user's secret if the session is saved.
func TestASavedSessionHasTheKeyOfItsUser(t *testing.T) {
	saves := state.OpenLedgers(t.TempDir())
	for name, test := range map[string]struct {
		state        *state.Ledgers
		given, keyed string
	}{
		"saved":                      {saves, `{"id":"a"}`, `{"id":"a","key":` + quoted(saves.Secret()) + `}`},
		"with a key of the client":   {saves, `{"id":"a","key":"own"}`, `{"id":"a","key":"own"}`},
		"with an empty key":          {saves, `{"id":"a","key":""}`, `{"id":"a","key":""}`},
		"not saved":                  {nil, `{"id":"a"}`, `{"id":"a"}`},
		"not saved, but with a key,": {nil, `{"id":"a","key":"own"}`, `{"id":"a","key":"own"}`},
	} {
		c := newConnection(newTestServer(t, Options{State: test.state}), nopConn{})
		s, _, err := c.enterSession("a", false)
		if err != nil {
			t.Fatal(err)
		}
		r := &request{fields: wire.FieldsOf([]byte(test.given))}
		if got := string(c.paramsFor(c.keyed(r, s, r.fields), "", false)); got != test.keyed {
			t.Errorf("a session that is %s is opened with %s", name, got)
		}
		c.stream.Close()
	}
}

// TestASessionOfADisconnectedClientIsNotOpened checks that nothing is left of a session whose client disconnects before
// it is opened.
func TestASessionOfADisconnectedClientIsNotOpened(t *testing.T) {
	s := newTestServer(t, Options{State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	s.eachConnection(func(of *connection) {
		s.mu.Lock()
		of.released = true
		s.mu.Unlock()
	})
	for _, call := range []struct{ method, params string }{
		{"ctx/session/open", `{"id":"a"}`}, {"ctx/session/restore", `{"id":"a","ledger":{}}`}, {"ctx/session/records", `{"id":"a","open":true,"records":[]}`},
	} {
		if m := c.ask(call.method, call.params); m.Error == nil || m.Error.Code != api.Code(api.Cancelled) {
			t.Errorf("%s: %+v", call.method, m)
		}
	}
	if left := s.all(func(*session) bool { return true }); len(left) != 0 {
		t.Errorf("%d sessions are left", len(left))
	}
	c.call("ctx/session/open", `{"id":"a","shared":true,"resume":true}`) // the others' sessions can be opened
	c = start(t, s)
	c.call("ctx/session/open", `{"id":"b"}`)
	of := s.all(func(each *session) bool { return each.id == "b" })[0].owner
	c.conn.Close()
	c.exitCode()
	if entered, _, err := of.enterSession("late", false); entered != nil || err == nil {
		t.Error("a session is entered after its client's end")
	}
}

// TestTheEngineAndTheDaemonDisagreeAboutSessions checks the errors for a session that only the engine has, and for one
// that the engine has lost.
func TestTheEngineAndTheDaemonDisagreeAboutSessions(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"lost","shared":true}`)
	for method, params := range map[string]string{
		"ctx/session/open":  fmt.Sprintf(`{"id":"unknown","scope":%q}`, onlyScope(s)),
		"ctx/session/close": `{"id":"lost"}`,
	} {
		if _, err := s.call(t.Context(), method, []byte(params)); err != nil {
			t.Fatal(err)
		}
	}
	if m := c.ask("ctx/session/reading", `{"id":"unknown"}`); m.Error == nil || m.Error.Code != api.Code(api.UnknownSession) || !strings.Contains(m.Error.Message, `"unknown"`) {
		t.Errorf("a session that only the engine has: %+v", m)
	}
	if text := log.String(); !strings.Contains(text, "a session that is not open") || !strings.Contains(text, "method=ctx/session/reading") {
		t.Errorf("the log has %s", text)
	}
	if m := c.ask("ctx/session/open", `{"id":"lost"}`); m.Error != nil {
		t.Errorf("a private session with the name of a shared one: %+v", m.Error)
	}
	if m := c.ask("ctx/session/restore", `{"id":"lost","shared":true,"ledger":{}}`); m.Error == nil || m.Error.Code != api.Code(api.SessionExists) {
		t.Errorf("a session that the engine has lost: %+v", m)
	}
	c.call("ctx/session/close", `{"id":"lost"}`) // the private one
	c.call("ctx/session/close", `{"id":"lost"}`) // the engine does not have it, so it is closed
}

// onlyScope returns the scope of the only client.
func onlyScope(s *Server) (scope string) {
	s.eachConnection(func(c *connection) { scope = c.scope })
	return scope
}

// TestTheDaemonAddsTheTimeOfAChange checks that a change without a time has that of the daemon, because the core has no
// clock.
func TestTheDaemonAddsTheTimeOfAChange(t *testing.T) {
	now := int64(1_700_000_000_000)
	c := start(t, newTestServer(t, Options{Now: func() time.Time { return time.UnixMilli(now) }}))
	for _, test := range []struct {
		method, params string
		want           int64
	}{
		{"ctx/session/open", `{"id":"a"}`, now},
		{"ctx/session/update", `{"id":"a","system":1}`, now},
		{"ctx/session/usage", `{"id":"a"}`, now},
		{"ctx/session/update", `{"id":"a","at":7}`, 7},
		{"ctx/session/reading", `{"id":"a"}`, 0}, // it changes nothing
	} {
		var r struct{ AsOf int64 }
		json.Unmarshal(c.call(test.method, test.params), &r)
		if r.AsOf != test.want {
			t.Errorf("%s %s has the time %d, want %d", test.method, test.params, r.AsOf, test.want)
		}
	}
}

// TestSessionsAreNotClosedByMistake checks the errors of ctx/session/close, and results without a machine.
func TestSessionsAreNotClosedByMistake(t *testing.T) {
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	c.call("ctx/session/open", `{"id":"a"}`)
	for _, params := range []string{`{"id":"a","force":true}`, `{"id":"b"}`, `{}`, `{"id":7}`} {
		if m := c.ask("ctx/session/close", params); m.Error == nil {
			t.Errorf("%s closes a session", params)
		}
	}
	c.call("ctx/session/reading", `{"id":"a"}`)
	for _, method := range []string{"ctx/session/open", "ctx/session/restore", "ctx/session/records"} {
		if m := c.ask(method, `{"id":7,"open":true,"ledger":{},"records":[]}`); m.Error == nil || m.Error.Code != api.Code(api.InvalidParams) {
			t.Errorf("%s with a number as id: %+v", method, m)
		}
	}
	if got := string(c.call("ctx/first", `{"workspace":"/w"}`)); got != `{"workspace":"/w","agents":[]}` {
		t.Errorf("without a machine the first requests are %s", got)
	}
	if got := string(c.call("ctx/models", `null`)); !strings.Contains(got, `"models":[`) {
		t.Errorf("without parameters the models are %.100s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"ctx":{"model":7}}}}`)
	if got := string(c.note("window/logMessage").Params); !strings.Contains(got, "ctx.model must be a string, not a number.") {
		t.Errorf("a wrong setting: %s", got)
	}
}

// TestSessionsWithoutIdsGetSome checks the ids of sessions that are opened without one, shared or not, and that a
// number is not used up by an open request that fails.
func TestSessionsWithoutIdsGetSome(t *testing.T) {
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	id := func(params string) string {
		reading := string(c.call("ctx/session/open", params))
		_, rest, _ := strings.Cut(reading, `"session":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	if a, b := id(`{"shared":true}`), id(`{"shared":true}`); a != "shared-s1" || b != "shared-s2" {
		t.Errorf("shared sessions are called %q and %q", a, b)
	}
	if m := c.ask("ctx/session/open", `{"limits":{"window":"x"}}`); m.Error == nil {
		t.Fatal("a wrong window was accepted")
	}
	c.call("ctx/session/open", `{"id":"s2"}`)
	if a, b := id(`{}`), id(`{"id":null}`); a != "s1" || b != "s3" {
		t.Errorf("sessions are called %q and %q", a, b)
	}
	for _, name := range []string{"shared-s1", "shared-s2", "s1", "s3"} { // others have the same names in this engine
		c.call("ctx/session/close", `{"id":"`+name+`"}`)
	}
}
