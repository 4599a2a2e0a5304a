// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

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

// TestAnIdBelongsToOneRequestAtATime checks that the second of two requests with one id is refused, and the first one
// answered.
func TestAnIdBelongsToOneRequestAtATime(t *testing.T) {
	engine := newFakeEngine()
	hold := make(chan struct{})
	engine.delay = func(method string) {
		if method == "ctx/session/reading" {
			<-hold
		}
	}
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	for range 2 {
		c.send(`{"jsonrpc":"2.0","id":77,"method":"ctx/session/reading","params":{"id":"a"}}`)
	}
	if m := c.note("(answer)"); string(m.ID) != "77" || m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "The id 77 belongs to a request that is still running.") {
		t.Errorf("the second: %+v", m)
	}
	close(hold)
	if m := c.note("(answer)"); string(m.ID) != "77" || m.Error != nil {
		t.Errorf("the first: %+v", m)
	}
}

// TestNotificationsAreNeverAnswered checks those that come too early, too late, or fail.
func TestNotificationsAreNeverAnswered(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := connect(t, s)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/open","params":{"id":"early"}}`)
	c.call("initialize", `{"capabilities":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/update","params":{"id":"gone"}}`)
	c.call("ctx/session/open", `{"id":"a"}`)
	if got := string(c.call("ctx/sessions", `{}`)); got != `{"sessions":[{"session":"a"}]}` {
		t.Errorf("the sessions are %s", got)
	}
	for end := time.Now().Add(30 * time.Second); !strings.Contains(log.String(), "a notification failed") && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // a shutdown waits only for requests
	}
	c.call("shutdown", `null`)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/open","params":{"id":"late"}}`)
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := c.exitCode(); code != 0 {
		t.Errorf("the exit code is %d", code)
	}
	for m := range c.notes {
		if m.Method == "(answer)" {
			t.Errorf("a notification was answered with %+v", m)
		}
	}
	if text := log.String(); strings.Count(text, "a notification failed") != 1 || !strings.Contains(text, "There is no session gone.") {
		t.Errorf("the log has %s", text)
	}
}

// TestADaemonEndsWithItsClientsProcess checks a client that ends without a word, while its connection stays open.
func TestADaemonEndsWithItsClientsProcess(t *testing.T) {
	client := exec.Command(os.Args[0], "-test.run=^TestServeForAnother$")
	client.Env = append(os.Environ(), "CTX_TEST_SERVE="+t.TempDir())
	in, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	c := connect(t, newTestServer(t, Options{}))
	c.call("initialize", fmt.Sprintf(`{"processId":%d,"capabilities":{}}`, client.Process.Pid))
	c.call("ctx/sessions", `{}`)
	select {
	case code := <-c.code:
		t.Fatalf("it ends with %d while its client runs", code)
	default:
	}
	in.Close()
	if err := client.Wait(); err != nil {
		t.Log(err)
	}
	if code := c.exitCode(); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
}

// TestDraftsAreNotSaved checks which changes wait for a ledger: not a draft that is still typed, nor a part of a
// response.
func TestDraftsAreNotSaved(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	saves := int64(0)
	for _, test := range []struct {
		method, params string
		saved          int64
	}{
		{"ctx/session/open", `{"id":"a","model":"gpt-5.5"}`, 1},
		{"ctx/session/update", `{"id":"a","draft":"typing"}`, 0},
		{"ctx/session/update", `{"id":"a","draft":"typing","at":5}`, 0},
		{"ctx/session/update", `{"id":"a","draft":"","system":5}`, 1},
		{"ctx/session/update", `{"id":"a"}`, 1},
		{"ctx/session/update", `{"id":"a","at":6}`, 1},
		{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":10,"out":1},"final":false}`, 0},
		{"ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":10,"out":2},"final":true}`, 1},
		{"ctx/session/reading", `{"id":"a"}`, 0},
	} {
		c.call(test.method, test.params)
		if got := s.metrics.saves.Load(); got != saves+test.saved {
			t.Errorf("%s %s: saved %d times, want %d", test.method, test.params, got-saves, test.saved)
		}
		saves = s.metrics.saves.Load()
	}
}

// TestAnEngineThatFailsAtItsStartIsTriedAgain checks that a panic of an engine's start is an error of the request that
// needed it.
func TestAnEngineThatFailsAtItsStartIsTriedAgain(t *testing.T) {
	tries := 0
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) {
		if tries++; tries < 3 {
			panic("a defect")
		}
		return newFakeEngine(), nil
	}})
	for range 2 {
		if _, err := s.running(t.Context()); err == nil || !strings.Contains(err.Error(), "a defect") {
			t.Errorf("try %d: %v", tries, err)
		}
	}
	if engine, err := s.running(t.Context()); err != nil || engine == nil || tries != 3 {
		t.Errorf("try %d: %v", tries, err)
	}
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects are counted", n)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	never := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { <-t.Context().Done(); return nil, errors.New("late") }})
	if _, err := never.running(canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that is canceled while the engine starts: %v", err)
	}
}

// TestAnEngineThatLearnsNothingIsReported checks the log of a daemon whose engine refuses learned corrections.
func TestAnEngineThatLearnsNothingIsReported(t *testing.T) {
	learned := state.OpenLearned(t.TempDir())
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := newTestServer(t, Options{Engine: using(pool), Learned: learned})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a","model":"claude-opus-5"}`)
	c.call("ctx/session/update", `{"id":"a","system":8000,"tools":5000,"append":[{"kind":"user","tokens":60000}]}`)
	c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":90000,"out":10}}`)
	s.Close()
	before, _ := os.ReadFile(learned.Path())
	var log bytes.Buffer
	s = newTestServer(t, Options{Learned: learned, Log: slog.New(slog.NewTextHandler(&log, nil))})
	c = start(t, s)
	c.call("ctx/session/open", `{"id":"a","shared":true}`)
	s.Close()
	if text := log.String(); !strings.Contains(text, "learned corrections cannot be used") || strings.Count(text, "learned corrections cannot be saved") != 1 {
		t.Errorf("the log has %s", text)
	}
	if after, _ := os.ReadFile(learned.Path()); string(after) != string(before) || len(before) == 0 {
		t.Errorf("learned is %s, and was %s", after, before)
	}
}

// restingEngine has memory to release, once; the third time, a defect shows.
type restingEngine struct {
	*fakeEngine
	rests int
}

func (e *restingEngine) Rest() bool {
	if e.rests++; e.rests == 3 {
		panic("a defect")
	}
	return e.rests == 1
}

// TestTheEngineGivesItsMemoryBack checks that the engine's memory is released after the last client has left, and not
// after the daemon has ended.
func TestTheEngineGivesItsMemoryBack(t *testing.T) {
	resting := &restingEngine{fakeEngine: newFakeEngine()}
	s := newTestServer(t, Options{Engine: using(resting)})
	if s.giveMemoryBack() {
		t.Error("an engine that was never started has memory")
	}
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	for _, want := range []bool{true, false, false} {
		if got := s.giveMemoryBack(); got != want {
			t.Errorf("released: %v", got)
		}
	}
	if n := s.metrics.defects.Load(); n != 1 {
		t.Errorf("%d defects are counted", n)
	}
	s.Close()
	if s.giveMemoryBack() || resting.rests != 3 {
		t.Errorf("memory was released %d times", resting.rests)
	}
	s = newTestServer(t, Options{})
	s.RestAfter(1)
	released := make(chan struct{}, 10)
	s.rest.give = func() bool { released <- struct{}{}; return false }
	c = start(t, s)
	c.conn.Close()
	c.exitCode()
	for range restsQuiet {
		if _, came := receive(30_000_000_000, released); !came {
			t.Fatal("after the last client nothing is released")
		}
	}
}

// TestADefectInAConnectionClosesIt checks that a panic in a connection's own work is reported to its client, logged
// with its stack, and closes that connection alone.
func TestADefectInAConnectionClosesIt(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	other := start(t, s)
	func() {
		defer of.survive("a task")
		panic("a defect")
	}()
	want := `{"message":"The daemon had an internal error in a task; this connection is closed; see the daemon's log.","type":1}`
	if got := string(c.note("window/logMessage").Params); got != want {
		t.Errorf("the client is sent %s", got)
	}
	if code := c.exitCode(); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
	func() {
		defer s.survive("another task")
		panic("another defect")
	}()
	other.call("ctx/sessions", `{}`)
	text := log.String()
	for _, part := range []string{"a defect", `at="a task"`, "another defect", `at="another task"`, "wrongcalls_test.go"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the log: %s", part, text)
		}
	}
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects were counted", n)
	}
}
