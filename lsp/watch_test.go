// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestTranscriptsAreReadAgainWhenTheEngineHasOnlyTheirNumbers puts a watched session into the state that an engine's
// replacement leaves: restored from its ledger, without the state of its reader. A later rewind must still be
// understood.
func TestTranscriptsAreReadAgainWhenTheEngineHasOnlyTheirNumbers(t *testing.T) {
	home := real(t, t.TempDir())
	const id = "33333333-3333-4333-8333-333333333333"
	path := filepath.Join(home, ".claude", "projects", "w", id+".jsonl")
	os.MkdirAll(filepath.Dir(path), 0o755)
	record := func(uuid, parent, kind, message string) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fmt.Fprintf(f, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":%s,"timestamp":%q}`+"\n",
			kind, uuid, parent, id, home, message, time.Now().UTC().Format(time.RFC3339Nano))
	}
	answer := func(n, in int) string {
		return fmt.Sprintf(`{"model":"claude-sonnet-4-5","id":"m%d","role":"assistant","content":[{"type":"text","text":"an answer"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":500}}`, n, in-10)
	}
	record("u1", "null", "user", `{"role":"user","content":"first"}`)
	record("u2", `"u1"`, "assistant", answer(1, 20000))
	record("u3", `"u2"`, "user", `{"role":"user","content":"second"}`)
	record("u4", `"u3"`, "assistant", answer(2, 90000))

	engine := realEngine(t, "native")
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Engine: engine, Home: home, Source: sessions.NewFinder(environment)})
	c := start(t, s)
	c.call("ctx/watch", `{}`)
	reading := func() (used int64) {
		m := c.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, id))
		var r struct{ Used int64 }
		json.Unmarshal(m.Result, &r)
		return r.Used
	}
	until := func(what string, is func(used int64) bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !is(reading()); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: used %d", what, reading())
			}
		}
	}
	until("at first", func(used int64) bool { return used > 90000 })

	saved, err := s.call(context.Background(), "ctx/session/save", []byte(`{"id":"`+id+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	params := `{"id":"` + id + `","ledger":` + string(wire.MemberOf(saved, "ledger")) + `}`
	for _, call := range []struct{ method, params string }{{"ctx/session/close", `{"id":"` + id + `"}`}, {"ctx/session/restore", params}} {
		if _, err := s.call(context.Background(), call.method, []byte(call.params)); err != nil {
			t.Fatal(err)
		}
	}
	s.EngineReplaced([]string{id})
	record("u5", `"u2"`, "user", `{"role":"user","content":"second, once more"}`) // everything after u2 is discarded
	until("after the rewind", func(used int64) bool { return used > 20000 && used < 25000 })
	again := func() time.Time {
		s.watcher.mu.Lock()
		defer s.watcher.mu.Unlock()
		return s.watcher.reread
	}
	if n := s.metrics.engineErrors.Load(); n != 1 {
		t.Errorf("%d errors of the engine are counted", n)
	}
	first := again()
	if first.IsZero() {
		t.Error("the transcript was not read again")
	}
	if s.EngineReplaced([]string{id}); !again().Equal(first) {
		t.Error("the transcript is read again within a minute")
	}
	past := first.Add(-2 * readAgainEvery)
	for lost, want := range map[string]bool{"": false, "unknown": false, id: true} {
		s.watcher.mu.Lock()
		s.watcher.reread = past
		s.watcher.mu.Unlock()
		list := []string{lost}
		if lost == "" {
			list = nil
		}
		if s.EngineReplaced(list); again().Equal(past) == want {
			t.Errorf("after the loss of %q, the transcript is read again: %v", lost, !want)
		}
	}
	c.call("ctx/unwatch", `{}`)
	s.EngineReplaced([]string{id}) // no transcript is followed
}

// TestASessionThatIsHalfReadIsNotListed checks that the list of sessions contains no outdated numbers: while a long
// transcript is read, the engine returns how full the session was at the reader's position.
func TestASessionThatIsHalfReadIsNotListed(t *testing.T) {
	engine := newFakeEngine()
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return engine, nil }})
	c := start(t, s)
	s.watcher.prepare(follow.NewFeed(transcript.Session{ID: "half", Agent: "claude-code"}, s.callRaw))
	reading, err := s.call(context.Background(), "ctx/session/open", []byte(`{"id":"half"}`))
	if err != nil {
		t.Fatal(err)
	}
	if m := c.ask("ctx/sessions", "{}"); string(m.Result) != `{"sessions":[]}` {
		t.Errorf("while the transcript is read: %s", m.Result)
	}
	s.watcher.update(follow.Update{ID: "half", Reading: reading, First: true})
	if m := c.ask("ctx/sessions", "{}"); string(m.Result) != `{"sessions":[{"session":"half"}]}` {
		t.Errorf("after the transcript was read: %s", m.Result)
	}
}

// TestTheEngineStopsAfterTheSessionsThatWereWatched checks the order of an orderly end: watched sessions are removed
// from the engine before it stops.
func TestTheEngineStopsAfterTheSessionsThatWereWatched(t *testing.T) {
	home := real(t, t.TempDir())
	folder := filepath.Join(home, ".claude", "projects", "w")
	os.MkdirAll(folder, 0o755)
	for n := range 20 {
		id := fmt.Sprintf("44444444-4444-4444-8444-%012d", n)
		record := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":"first"}}`+"\n", id, home)
		if err := os.WriteFile(filepath.Join(folder, id+".jsonl"), []byte(record), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	inner, err := realEngine(t, "native")(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	stopping := &stoppingEngine{Engine: inner}
	open := func(context.Context) (Engine, error) { return stopping, nil }
	s := newTestServer(t, Options{Engine: open, Home: home, Source: sessions.NewFinder(environment)})
	c := start(t, s)
	c.call("ctx/watch", `{}`)
	c.call("shutdown", `null`)
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	c.exitCode()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // late calls have arrived
	if n := stopping.late.Load(); n != 0 {
		t.Errorf("%d calls came after the engine had stopped", n)
	}
	if n := s.metrics.defects.Load(); n != 0 {
		t.Errorf("%d defects are counted", n)
	}
}

// stoppingEngine counts the calls that arrive after it has stopped.
type stoppingEngine struct {
	Engine
	stopped atomic.Bool
	late    atomic.Int64
}

func (e *stoppingEngine) Close() error {
	e.stopped.Store(true)
	return nil
}

func (e *stoppingEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if e.stopped.Load() {
		e.late.Add(1)
	}
	return e.Engine.Call(ctx, method, params)
}

// TestAFolderOfARepositoryIsShownWithAllOfIt checks that a client that shows a folder of a repository shows the whole
// repository, and gets that from the daemon instead of deciding by itself.
func TestAFolderOfARepositoryIsShownWithAllOfIt(t *testing.T) {
	m := newMachine(t)
	repository, alone := t.TempDir(), t.TempDir()
	inner := filepath.Join(repository, "packages", "a")
	for _, dir := range []string{filepath.Join(repository, ".git"), inner} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := m.daemon()
	roots := func(params map[string]any) []string {
		asked, _ := json.Marshal(params)
		var answer struct{ Roots []string }
		json.Unmarshal(c.call("ctx/watch", string(asked)), &answer)
		return answer.Roots
	}
	if got := roots(map[string]any{"folders": []string{inner, alone}}); !slices.Equal(got, []string{repository, alone}) {
		t.Errorf("the roots of two folders are %q", got)
	}
	if got := roots(map[string]any{"workspace": inner}); !slices.Equal(got, []string{repository}) {
		t.Errorf("the root of the workspace is %q", got)
	}
	if got := roots(map[string]any{}); got == nil || len(got) != 0 {
		t.Errorf("the roots of no folder are %q", got)
	}
	if m := c.ask("ctx/watch", `{"folders":"/w"}`); m.Error == nil {
		t.Error("a list that is none was taken")
	}
}

// TestAWatchHasOnlyItsSessions checks two clients of one daemon that watch different folders: each gets the Readings of
// its own sessions, and none after ctx/unwatch.
func TestAWatchHasOnlyItsSessions(t *testing.T) {
	m := newMachine(t)
	other := filepath.Join(m.home, "other")
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	m.session(secondID, 1, other, time.Minute, 60_000)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	everything, some := start(t, s), start(t, s)
	watch := func(c *testClient, params string) (ids []string) {
		var watched struct{ Sessions []struct{ Session string } }
		json.Unmarshal(c.call("ctx/watch", params), &watched)
		for _, each := range watched.Sessions {
			ids = append(ids, each.Session)
		}
		return ids
	}
	var got []string
	for end := time.Now().Add(20 * time.Second); len(got) < 2 && time.Now().Before(end); {
		got = watch(everything, `{}`)
	}
	if want := []string{firstID, secondID}; !slices.Equal(got, want) {
		t.Errorf("everything is %q, want %q", got, want)
	}
	if got := watch(some, fmt.Sprintf(`{"workspace":%q}`, m.work)); !slices.Equal(got, []string{firstID}) {
		t.Errorf("in one folder there is %q", got)
	}
	change := func(turn, first, second int) {
		m.session(secondID, turn, other, 0, second)
		for used(t, everything.note("ctx/reading").Params) < int64(second) {
		}
		m.session(firstID, turn, m.work, 0, first)
	}
	change(2, 70_000, 80_000)
	for u := int64(0); u < 70_000; {
		m := some.note("ctx/reading")
		if u = used(t, m.Params); strings.Contains(string(m.Params), secondID) {
			t.Errorf("a client is sent %.100s, which it does not watch", m.Params)
		}
	}
	some.call("ctx/unwatch", `{}`)
	change(3, 90_000, 85_000)
	for used(t, everything.note("ctx/reading").Params) < 90_000 {
	}
	some.conn.Close()
	some.exitCode()
	for m := range some.notes {
		if m.Method == "ctx/reading" && used(t, m.Params) > 80_000 {
			t.Errorf("after ctx/unwatch, a client is sent %.100s", m.Params)
		}
	}
}

// TestTheEndOfADaemonEndsItsWatches checks that nothing is followed after the end of a daemon, even if a client that
// watches is still connected.
func TestTheEndOfADaemonEndsItsWatches(t *testing.T) {
	home := real(t, t.TempDir())
	s := newTestServer(t, Options{Home: home, Source: sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }})})
	c := newConnection(s, nopConn{})
	c.watching = &watch{}
	close(c.gone)
	s.connections[c] = struct{}{}
	if !s.watcher.want() {
		t.Fatal("nothing is followed")
	}
	stopped := s.watcher.stopped
	s.Close()
	if s.watcher.follower != nil {
		t.Error("sessions are still followed")
	}
	select {
	case <-stopped:
	default:
		t.Error("the follower has not stopped")
	}
}

// TestAnOlderReadingHidesNoSubAgent checks a session whose Reading was requested before a sub-agent changed, and is
// handled after that.
func TestAnOlderReadingHidesNoSubAgent(t *testing.T) {
	s := newTestServer(t, Options{})
	start(t, s)
	call := func(method, params string) []byte {
		t.Helper()
		reading, err := s.call(t.Context(), method, []byte(params))
		if err != nil {
			t.Fatal(err)
		}
		return reading
	}
	for _, id := range []string{"parent", "child"} {
		s.watcher.prepare(follow.NewFeed(transcript.Session{ID: id, Agent: "claude-code"}, s.callRaw))
	}
	before := call("ctx/session/open", `{"id":"parent"}`)
	call("ctx/session/update", `{"id":"parent","system":5}`) // stands for the sub-agent in the Reading
	s.watcher.update(follow.Update{ID: "child", Reading: []byte(`{"session":"child","parent":"parent"}`)})
	for range 2 {
		if got, _ := s.ofOrigin("parent").snapshot(); used(t, got) != 5 {
			t.Errorf("the Reading is %s", got)
		}
		s.watcher.update(follow.Update{ID: "parent", Reading: before})
	}
	if got, _ := s.ofOrigin("parent").snapshot(); used(t, got) != 0 {
		t.Errorf("after the sub-agent's last change, a Reading is requested: %s", got)
	}
}

// TestNothingIsFollowedWithoutAWatch checks that sessions are followed from ctx/watch to ctx/unwatch.
func TestNothingIsFollowedWithoutAWatch(t *testing.T) {
	home := real(t, t.TempDir())
	for name, source := range map[string]*sessions.Finder{
		"a machine":  sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}),
		"no machine": nil,
	} {
		s := newTestServer(t, Options{Home: home, Source: source})
		c := start(t, s)
		for _, method := range []string{"ctx/sessions", "ctx/watch", "ctx/unwatch"} {
			c.call(method, `{}`)
			if followed := s.watcher.want(); followed != (method == "ctx/watch" && source != nil) {
				t.Errorf("on %s, after %s, sessions are followed: %v", name, method, followed)
			}
		}
	}
}

// TestAReadingThatIsNoneIsLogged checks that the last Reading of a session stays if its engine returns something else.
func TestAReadingThatIsNoneIsLogged(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	of := s.all(func(*session) bool { return true })[0]
	before, _ := of.snapshot()
	changes := s.metrics.changes.Load()
	s.changed(of, []byte("7"))
	if after, _ := of.snapshot(); string(after) != string(before) || s.metrics.changes.Load() != changes || !strings.Contains(log.String(), "invalid Reading") {
		t.Errorf("the Reading is %s, and the log has %s", after, log.String())
	}
}

// TestProblemsAreReportedOnceAndNotWithoutEnd checks how many different problems are reported.
func TestProblemsAreReportedOnceAndNotWithoutEnd(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for n := range 1002 {
		s.watcher.complain(fmt.Sprint("problem ", n))
		s.watcher.complain(fmt.Sprint("problem ", n))
	}
	if n := strings.Count(log.String(), "a session cannot be read"); n != 1000 {
		t.Errorf("%d problems are reported", n)
	}
}
