// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestASharedSessionWaitsForTheDaemonThatHoldsItsLedger opens a shared session while another daemon still holds it. The
// response comes when that daemon has ended, and its conversation continues.
func TestASharedSessionWaitsForTheDaemonThatHoldsItsLedger(t *testing.T) {
	dir := t.TempDir()
	before := newTestServer(t, Options{State: state.OpenLedgers(dir)})
	c := start(t, before)
	c.call("ctx/session/open", `{"id":"a","shared":true}`)
	c.call("ctx/session/update", `{"id":"a","system":77}`)
	after := newTestServer(t, Options{State: state.OpenLedgers(dir)})
	after.heldPatience = time.Minute
	c = start(t, after)
	_, answer := c.begin("ctx/session/open", `{"id":"a","shared":true,"resume":true}`)
	select {
	case m := <-answer:
		t.Fatalf("it did not wait: %s %+v", m.Result, m.Error)
	case <-time.After(5 * heldPause):
	}
	before.Close()
	if m := c.wait(answer); m.Error != nil || used(t, m.Result) != 77 {
		t.Errorf("%s %+v", m.Result, m.Error)
	}
}

// TestAHeldSharedSessionIsNotRestarted holds the ledger for longer than the daemon waits: the client gets an
// error that names the holder, and later finds the whole conversation.
func TestAHeldSharedSessionIsNotRestarted(t *testing.T) {
	dir := t.TempDir()
	before := newTestServer(t, Options{State: state.OpenLedgers(dir)})
	c := start(t, before)
	c.call("ctx/session/open", `{"id":"a","shared":true}`)
	c.call("ctx/session/update", `{"id":"a","system":77}`)
	var log lockedBuffer
	c = start(t, newTestServer(t, Options{State: state.OpenLedgers(dir), Log: slog.New(slog.NewTextHandler(&log, nil))}))
	m := c.ask("ctx/session/open", `{"id":"a","shared":true,"resume":true}`)
	by := fmt.Sprintf("its past could not be read: held by process %d", os.Getpid())
	if m.Error == nil || m.Error.Code != 1006 || !strings.Contains(m.Error.Message, by) ||
		string(m.Error.Data) != `{"kind":"unreadable","name":"a"}` {
		t.Fatalf("%s %+v", m.Result, m.Error)
	}
	if shown := c.note("window/showMessage"); !strings.Contains(string(shown.Params), by) {
		t.Errorf("the user sees %s", shown.Params)
	}
	if !strings.Contains(log.String(), by) {
		t.Errorf("the log has %s", log.String())
	}
	before.Close()
	if got := used(t, c.call("ctx/session/open", `{"id":"a","shared":true,"resume":true}`)); got != 77 {
		t.Errorf("it continues with %d", got)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "ledgers", "*", "*.json")); len(files) != 1 {
		t.Errorf("there are %q", files)
	}
}

// TestAPrivateSessionThatIsHeldHasNoNumber opens a session with the same name as one of another daemon's client. It may
// be a different conversation, so it starts over, and its Reading reports that its size is unknown, and why, until a
// request is measured.
func TestAPrivateSessionThatIsHeldHasNoNumber(t *testing.T) {
	type reading struct {
		Basis    string
		Warnings []struct{ Text string }
		Display  struct{ Mark string }
	}
	read := func(raw json.RawMessage) (r reading) {
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	dir := t.TempDir()
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":{"tokens":700}}`)
	saves := state.OpenLedgers(dir)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: saves}))
	c.call("ctx/session/open", `{"id":"a","resume":true,"limits":{"window":1000}}`)
	r := read(c.call("ctx/session/update", `{"id":"a","system":{"tokens":7}}`))
	why := fmt.Sprintf("Its past could not be read: held by process %d.", os.Getpid())
	if r.Basis != "unknown" || r.Display.Mark != "?" || len(r.Warnings) != 1 || r.Warnings[0].Text != why {
		t.Errorf("%+v", r)
	}
	killed(saves)
	c = start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), State: state.OpenLedgers(dir)}))
	if r := read(c.call("ctx/session/open", `{"id":"a","resume":true}`)); r.Basis != "unknown" {
		t.Errorf("after a restore: %+v", r)
	}
	if r := read(c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":500,"out":0}}`)); r.Basis != "measured" {
		t.Errorf("after a measurement: %+v", r)
	}
}

// TestASessionIsTakenOverFromADisconnectedClient reopens a session whose old client has disconnected, while the end of
// the old session is still waiting for other work.
func TestASessionIsTakenOverFromADisconnectedClient(t *testing.T) {
	s := newTestServer(t, Options{State: state.OpenLedgers(t.TempDir())})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/session/update", `{"id":"a","system":5}`)
	release := make(chan struct{})
	running := make(chan struct{})
	s.lanes.Run("session a", 0, func() { close(running); <-release })
	<-running
	old := s.all(func(*session) bool { return true })[0].owner
	c.conn.Close()
	for !old.hasEnded() {
		time.Sleep(time.Millisecond)
	}
	of := &session{id: "a", owner: old}
	of.ledger = s.ledgerName(old, of)
	of.save = s.options.State.Next(of.ledger)
	saved, err := s.awaitLedgers(t.Context(), of)
	if err != nil || len(saved.ledgers) == 0 || !strings.Contains(string(saved.ledgers[0]), `"used":5`) {
		t.Errorf("%s %v", saved.ledgers, err)
	}
	close(release)
}

// TestAClientThatDisconnectsDoesNotWaitForALedger checks that opening a session ends with its client's connection, and
// leaves nothing.
func TestAClientThatDisconnectsDoesNotWaitForALedger(t *testing.T) {
	dir := t.TempDir()
	holding := start(t, newTestServer(t, Options{State: state.OpenLedgers(dir)}))
	holding.call("ctx/session/open", `{"id":"a","shared":true}`)
	engine := newFakeEngine()
	var opened atomic.Int64
	engine.delay = func(method string) {
		if method == "ctx/session/open" {
			opened.Add(1)
		}
	}
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(dir)})
	s.heldPatience = time.Hour
	c := start(t, s)
	c.begin("ctx/session/open", `{"id":"a","shared":true,"resume":true}`)
	sessions := func() int { return len(s.all(func(*session) bool { return true })) }
	for end := time.Now().Add(30 * time.Second); sessions() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the session is not opened")
		}
	}
	c.conn.Close()
	c.exitCode()
	done := make(chan struct{})
	go func() { s.lanes.Wait(); close(done) }()
	_, ended := receive(30*time.Second, done)
	engine.mu.Lock()
	defer engine.mu.Unlock()
	if !ended || sessions() != 0 || len(engine.sessions) != 0 || opened.Load() != 0 {
		t.Errorf("the request ends: %v, and %d sessions are left, %d in the engine", ended, sessions(), len(engine.sessions))
	}
}

// TestAHeldLedgerNamesItsHolder checks the reasons that users see.
func TestAHeldLedgerNamesItsHolder(t *testing.T) {
	for pid, want := range map[int]string{0: "held by another process", os.Getpid(): fmt.Sprint("held by process ", os.Getpid())} {
		if got := (&heldError{pid}).Error(); got != "its past could not be read: "+want {
			t.Errorf("process %d: %s", pid, got)
		}
	}
}
