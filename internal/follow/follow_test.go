// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// fakeEngine responds to ctx/session/records like an engine that only counts.
type fakeEngine struct {
	mu     sync.Mutex
	counts map[string]int
	bytes  int64
	closed []string
	unread []string          // the agents that updates reported to have written unread data
	opened map[string]string // id → its params
	lost   bool              // the next response reports an unknown session
}

func newFakeEngine() *fakeEngine {
	return &fakeEngine{counts: map[string]int{}, opened: map[string]string{}}
}

func (e *fakeEngine) call(ctx context.Context, method string, params []byte) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, err := json.Parse(params)
	if err != nil {
		return []byte(`{"error":{"code":-32700,"message":"malformed","data":{"kind":"parse_error"}}}`), nil
	}
	id := v.Get("id").String()
	switch method {
	case "ctx/session/records":
		if _, has := e.counts[id]; (e.lost || !has) && !v.Get("open").Exists() {
			e.lost = false
			delete(e.counts, id)
			return []byte(`{"error":{"code":1001,"message":"unknown","data":{"kind":"unknown_session"}}}`), nil
		}
		if v.Get("open").Exists() {
			e.opened[id] = string(v.Get("open").Raw())
		}
		e.counts[id] += v.Get("records").Len()
		e.bytes += int64(len(params))
		return []byte(`{"result":{}}`), nil
	case "ctx/session/update":
		if v.Get("unreadAt").Exists() {
			e.unread = append(e.unread, v.Get("unreadBy").String())
		}
		return fmt.Appendf(nil, `{"result":{"session":%q,"records":%d,"unread":%d}}`, id, e.counts[id], len(e.unread)), nil
	case "ctx/session/reading":
		return fmt.Appendf(nil, `{"result":{"session":%q,"records":%d}}`, id, e.counts[id]), nil
	case "ctx/session/close":
		e.closed = append(e.closed, id)
		delete(e.counts, id)
		return []byte(`{"result":{}}`), nil
	}
	return []byte(`{"error":{"code":-32601,"message":"unknown","data":{"kind":"unknown_method"}}}`), nil
}

// following runs a follower until the test ends, and returns its updates.
func following(t *testing.T, m *dirstest.Machine, e *fakeEngine, queries ...sessions.Query) (*Follower, <-chan Update) {
	t.Helper()
	updates := make(chan Update, 10000)
	f := NewFollower(sessions.NewFinder(m.Environment()), e.call, func(u Update) { updates <- u })
	f.Want(queries...)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return f, updates
}

// await waits for a Reading with this number of records.
func await(t *testing.T, updates <-chan Update, id string, records int, patience time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	timeout := time.After(patience)
	for {
		select {
		case u := <-updates:
			v, _ := json.Parse(u.Reading)
			if n, _ := v.Get("records").Int64(); u.ID == id && int(n) == records {
				return time.Since(began)
			}
		case <-timeout:
			t.Fatalf("%s has no Reading with %d records after %v", id, records, patience)
		}
	}
}

func TestEachRecordIsInAReadingWithin200Milliseconds(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	e := newFakeEngine()
	_, updates := following(t, m, e, sessions.Query{Workspace: dirstest.Whole("/w/a")})
	await(t, updates, dirstest.UUID1, 2, 5*time.Second)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var took, late []time.Duration
	var written int64
	for i := range 1000 {
		began := time.Now()
		time.Sleep(time.Millisecond)
		late = append(late, time.Since(began)-time.Millisecond)
		n, _ := fmt.Fprintf(f, "{\"n\":%d,\"type\":\"user\"}\n", i)
		written += int64(n)
		took = append(took, await(t, updates, dirstest.UUID1, 3+i, 10*time.Second))
	}
	slices.Sort(took)
	slices.Sort(late)
	t.Logf("of 1,000 the median took %v, the slowest %v; a timer was late by %v", took[500], took[999], late[500])
	// Ten times the measured delay is allowed, for other load on the machine. A machine that wakes a sleeper late also
	// wakes the follower late, once for the notice and a few times on the way.
	if most := 200*time.Millisecond + 10*late[989]; took[989] > most {
		t.Errorf("ten took more than %v; at most %v are due", took[989], most)
	}
	if e.bytes > written+1000*200+1000 {
		t.Errorf("%d bytes were given for %d that were written", e.bytes, written)
	}
}

// Two hundred sessions with pauses of seconds are checked once a second; with notices of their directories, a dozen a
// second would be handled for each, and nothing would be read any sooner. A few sessions are read as soon as they
// change.
func TestFoldersOfManyRestingSessionsAreNotWatched(t *testing.T) {
	for pause, watched := range map[time.Duration]bool{0: true, 40 * time.Millisecond: true, lookAnyway - 1: true, lookAnyway: false, 24 * time.Hour: false} {
		m := dirstest.NewMachine(t)
		path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
		e, read := newFakeEngine(), make(chan struct{}, 100)
		f := NewFollower(sessions.NewFinder(m.Environment()), e.call, func(Update) { read <- struct{}{} })
		f.Pace = pause // one session with a pause as long as that of many
		f.Want(sessions.Query{})
		ctx, stop := context.WithCancel(t.Context())
		n := newNotices()
		f.refresh(ctx, n)
		if n.watcher != nil && len(n.folders) > 0 != watched {
			t.Errorf("with a rest of %v there are %d watched folders", f.pause(), len(n.folders))
		}
		if got, want := f.lookEvery(&notices{}), min(max(pause, lookEvery), lookAnyway); got != want {
			t.Errorf("with a rest of %v and without notices the files are looked at every %v, want %v", f.pause(), got, want)
		}
		if got := f.lookEvery(n); n.watcher != nil && got != lookAnyway {
			t.Errorf("with a rest of %v the files are looked at every %v", f.pause(), got)
		}
		n.close()
		<-read
		dirstest.Add(t, path, dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a"))) // it pauses in the meantime
		f.lookAtAll()
		if pause > time.Hour {
			f.ReadAgain([]string{dirstest.UUID1})
			for w := f.followed[dirstest.UUID1]; len(w.wake) > 0; {
				runtime.Gosched() // until it pauses
			}
		}
		stop()
		if f.stopAll(); pause > time.Hour && (e.counts[dirstest.UUID1] != 2 || len(e.closed) > 0) {
			t.Errorf("at the end of a pause that was not waited for, %d records were read; closed are %q", e.counts[dirstest.UUID1], e.closed)
		}
	}
}

// TestAsManySessionsAreReadAtOnceAsThereAreCores checks how many goroutines of a follower may read.
func TestAsManySessionsAreReadAtOnceAsThereAreCores(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	if got := cap(NewFollower(nil, nil, nil).reading); got != cores || runtime.GOMAXPROCS(0) != cores {
		t.Errorf("%d sessions are read at once, want %d; now there are %d cores", got, cores, runtime.GOMAXPROCS(0))
	}
}

func TestNewSessionsAndSubAgentsAreNoticed(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	e := newFakeEngine()
	f, updates := following(t, m, e, sessions.Query{Workspace: dirstest.Whole("/w/a")})
	await(t, updates, dirstest.UUID1, 2, 5*time.Second)
	m.Put(".claude/projects/-w-a/"+dirstest.UUID2+".jsonl", dirstest.ClaudeLine(dirstest.UUID2, dirstest.Whole("/w/a")))
	if took := await(t, updates, dirstest.UUID2, 2, 10*time.Second); took > searchEvery+5*time.Second {
		t.Errorf("a new session was noticed after %v", took)
	}
	m.Put(".claude/projects/-w-a/"+dirstest.UUID2+"/subagents/agent-x.jsonl", dirstest.ClaudeLine(dirstest.UUID2, dirstest.Whole("/w/a")))
	await(t, updates, dirstest.UUID2+"/agent-x", 2, 10*time.Second)
	e.mu.Lock()
	opened := e.opened[dirstest.UUID2+"/agent-x"]
	e.mu.Unlock()
	if v, _ := json.Parse([]byte(opened)); v.Get("parent").String() != dirstest.UUID2 {
		t.Errorf("the sub-agent was opened with %s", opened)
	}
	m.Put(".claude/projects/-w-b/"+dirstest.UUID2+"b.jsonl", dirstest.ClaudeLine(dirstest.UUID2+"b", dirstest.Whole("/w/b")))
	f.Want(sessions.Query{Workspace: dirstest.Whole("/w/a")}, sessions.Query{Workspace: dirstest.Whole("/w/b")})
	await(t, updates, dirstest.UUID2+"b", 2, 5*time.Second)
	if got := f.Sessions(); len(got) != 4 {
		t.Errorf("%d sessions are followed", len(got))
	}
}

// begun searches for sessions once, and follows them until the test ends. It returns each update.
func begun(t *testing.T, f *Follower) (refresh func(), updates <-chan Update) {
	t.Helper()
	all := make(chan Update, 10000)
	f.OnUpdate = func(u Update) { all <- u }
	ctx, stop := context.WithCancel(t.Context())
	n := newNotices()
	t.Cleanup(func() { stop(); f.stopAll(); n.close() })
	refresh = func() { f.refresh(ctx, n) }
	refresh()
	return refresh, all
}

// next returns the next update of a session.
func next(t *testing.T, updates <-chan Update, id string) Update {
	t.Helper()
	for timeout := time.After(time.Minute); ; {
		select {
		case u := <-updates:
			if u.ID == id {
				return u
			}
		case <-timeout:
			t.Fatalf("%s has no update", id)
		}
	}
}

// TestAHostAddsWhatItKnowsToAReading checks that a host's changes are in the Reading after each check of an open
// session, also if nothing was read, and that the Reading stays as it is if the host has none or the engine refuses
// them.
func TestAHostAddsWhatItKnowsToAReading(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	e := &brokenEngine{fakeEngine: newFakeEngine(), refused: "refused title"}
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), e.call, nil)
	f.Windows = &reported{}
	f.Prepare = func(feed *Feed) {
		if feed.Windows != f.Windows {
			t.Error("a feed is prepared without the reported windows")
		}
	}
	title := make(chan string, 10)
	var asked []string
	f.Knows = func(feed *Feed, reading []byte) *api.UpdateParams {
		asked = append(asked, fmt.Sprint(feed.ID, len(reading) > 0))
		select {
		case title := <-title:
			return &api.UpdateParams{ID: feed.ID, Title: &title}
		default:
			return nil
		}
	}
	f.Only(transcript.Session{ID: "s", Path: path}, transcript.Session{ID: "missing", Path: path + ".none"})
	_, updates := begun(t, f)
	if u := next(t, updates, "s"); string(u.Reading) != `{"session":"s","records":1}` || !u.First || u.Problem != "" {
		t.Errorf("without changes: %+v, %s", u, u.Reading)
	}
	title <- "A title"
	f.Look("missing")
	f.Look("s")
	if u := next(t, updates, "s"); string(u.Reading) != `{"session":"s","records":1,"unread":0}` || u.First {
		t.Errorf("with a change: %+v, %s", u, u.Reading)
	}
	title <- "A refused title"
	dirstest.Add(t, path, "{\"a\":2}\n")
	f.Look("s")
	if u := next(t, updates, "s"); string(u.Reading) != `{"session":"s","records":2}` || u.Problem != "" {
		t.Errorf("with a change that is refused: %+v, %s", u, u.Reading)
	}
	if want := []string{"strue", "sfalse", "strue"}; !slices.Equal(asked, want) {
		t.Errorf("the host was asked for %q, want %q", asked, want)
	}
}

// TestASessionThatCannotBeReadIsAProblem checks that an engine's failure is reported, that the next Reading is still
// the first one, and that a file that is missing is not a problem.
func TestASessionThatCannotBeReadIsAProblem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	var mu sync.Mutex
	e := &brokenEngine{fakeEngine: newFakeEngine(), failing: "ctx/session/records", fault: errors.New("the engine has stopped")}
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), func(ctx context.Context, method string, params []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		return e.call(ctx, method, params)
	}, nil)
	f.Only(transcript.Session{ID: "missing", Path: path + ".none"}, transcript.Session{ID: "s", Path: path})
	_, updates := begun(t, f)
	if u := next(t, updates, "s"); u.Reading != nil || u.First || u.Problem != "the engine has stopped" {
		t.Errorf("%+v", u)
	}
	mu.Lock()
	e.failing = ""
	mu.Unlock()
	dirstest.Add(t, path, "{\"a\":2}\n")
	f.lookAtAll()
	if u := next(t, updates, "s"); u.Reading == nil || !u.First || u.Problem != "" {
		t.Errorf("%+v", u)
	}
	f.stopAll()
	for len(updates) > 0 {
		if u := <-updates; u.ID == "missing" {
			t.Errorf("a missing session: %+v", u)
		}
	}
}

// TestAnOnlySessionIsDroppedOnceItsFileIsRemoved checks that a session that is followed alone is dropped when its file
// has been missing for a while, and followed again when it is back.
func TestAnOnlySessionIsDroppedOnceItsFileIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), newFakeEngine().call, nil)
	f.Only(transcript.Session{ID: "s", Path: path})
	refresh, updates := begun(t, f)
	next(t, updates, "s")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if refresh(); len(f.Sessions()) != 1 {
		t.Fatal("a session whose file is just missing is dropped")
	}
	f.followedMu.Lock()
	f.followed["s"].absent = time.Now().Add(-graceForAbsent)
	f.followedMu.Unlock()
	refresh()
	if u := next(t, updates, "s"); !u.Removed || len(f.Sessions()) > 0 {
		t.Errorf("after its file was removed: %+v", u)
	}
	dirstest.Write(t, path, "{\"a\":1}\n")
	refresh()
	if u := next(t, updates, "s"); string(u.Reading) != `{"session":"s","records":1}` || !u.First {
		t.Errorf("after its file is back: %+v, %s", u, u.Reading)
	}
}

// TestTheEndOfTheFirstSearchIsReportedOnce checks that the first search has found the existing sessions when its end is
// reported, and that no later one is.
func TestTheEndOfTheFirstSearchIsReportedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	updates, ends := make(chan Update, 100), make(chan int, 100)
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), newFakeEngine().call, func(u Update) { updates <- u })
	f.OnSearched = func() {
		ends <- len(f.Sessions())
		f.Only(transcript.Session{ID: "a", Path: path}, transcript.Session{ID: "b", Path: path})
	}
	f.Only(transcript.Session{ID: "a", Path: path})
	if f.Searched() {
		t.Error("before the first search, it has ended")
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	next(t, updates, "b")
	if stop(); !errors.Is(<-done, context.Canceled) {
		t.Error("Run ends without its reason")
	}
	if found := <-ends; found != 1 || len(ends) > 0 || !f.Searched() {
		t.Errorf("the first search has found %d sessions, and %d more have ended", found, len(ends))
	}
}

// TestAFollowerEndsWithItsReaders checks that Run does not return while a session is being read.
func TestAFollowerEndsWithItsReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	ctx, stop := context.WithCancel(t.Context())
	var ended atomic.Bool
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), func(context.Context, string, []byte) ([]byte, error) {
		stop()
		time.Sleep(100 * time.Millisecond) // longer than Run would need to return
		ended.Store(true)
		return nil, context.Canceled
	}, func(u Update) { t.Errorf("an update of a follower that has ended: %+v", u) })
	f.Only(transcript.Session{ID: "s", Path: path})
	if err := f.Run(ctx); !errors.Is(err, context.Canceled) || !ended.Load() {
		t.Errorf("a session is still being read: %v", err)
	}
}

// TestAChangeIsFoundWithoutANotice checks that a session is read again if no directory is watched.
func TestAChangeIsFoundWithoutANotice(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.At = time.Now()
	path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	updates := make(chan Update, 100)
	f := NewFollower(sessions.NewFinder(m.Environment()), newFakeEngine().call, func(u Update) { updates <- u })
	f.Pace = lookAnyway
	f.Want(sessions.Query{Workspace: dirstest.Whole("/w/a")})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()
	await(t, updates, dirstest.UUID1, 2, time.Minute)
	dirstest.Add(t, path, "{\"n\":1}\n")
	await(t, updates, dirstest.UUID1, 3, time.Minute)
}

// TestASessionIsDroppedOnceItIsGone checks when a session is dropped: if no search has found it for a while, or at once
// if its file has moved; and that it is closed in the engine then.
func TestASessionIsDroppedOnceItIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	dirstest.Write(t, path+".moved", "{\"a\":1}\n{\"a\":2}\n")
	e := newFakeEngine()
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), e.call, nil)
	s := transcript.Session{ID: "s", Path: path}
	f.Only(s)
	refresh, updates := begun(t, f)
	next(t, updates, "s")
	for len(f.changed) > 0 {
		<-f.changed
	}
	if f.Only(); len(f.changed) != 1 {
		t.Error("no search is started")
	}
	followed := func() *followed {
		f.followedMu.Lock()
		defer f.followedMu.Unlock()
		return f.followed["s"]
	}
	for range 2 {
		if refresh(); followed() == nil || followed().absent.IsZero() {
			t.Fatal("a session that was just missing is dropped")
		}
	}
	f.Only(s)
	if refresh(); !followed().absent.IsZero() {
		t.Error("a session that is found again is still missing")
	}
	f.Only()
	refresh()
	followed().absent = time.Now().Add(time.Minute - graceForAbsent)
	if refresh(); followed() == nil {
		t.Fatal("a session that was missing for a moment is dropped")
	}
	gone := followed()
	gone.absent = time.Now().Add(-10 * time.Second)
	if refresh(); followed() != nil {
		t.Error("a session that is missing is not dropped")
	}
	select {
	case <-gone.done:
	default:
		t.Error("a session that was dropped is still read")
	}
	if u := next(t, updates, "s"); !u.Removed || u.Session.ID != "s" || u.Reading != nil || len(f.Sessions()) > 0 {
		t.Errorf("%+v", u)
	}
	if !slices.Equal(e.closed, []string{"s"}) {
		t.Errorf("closed are %q", e.closed)
	}
	f.Only(s)
	refresh()
	next(t, updates, "s")
	s.Path += ".moved"
	f.Only(s)
	refresh()
	if u := next(t, updates, "s"); !u.Removed {
		t.Errorf("a session that has moved: %+v", u)
	}
	if u := next(t, updates, "s"); string(u.Reading) != `{"session":"s","records":2}` || !u.First {
		t.Errorf("a session that has moved: %+v, %s", u, u.Reading)
	}
}

// TestTheSessionsOfAQueryAreWatched checks which directories are watched for all sessions and for those of a workspace,
// and that a search is repeated if a directory has changed before it was watched.
func TestTheSessionsOfAQueryAreWatched(t *testing.T) {
	m := dirstest.NewMachine(t)
	rollout := func(day, id string) string {
		return filepath.Dir(m.Put(".codex/sessions/2026/02/"+day+"/rollout-2026-02-09T06-01-53-"+id+".jsonl",
			`{"timestamp":"2026-02-09T06:01:53.253Z","type":"session_meta","payload":{"id":"`+id+`","cwd":"`+filepath.ToSlash(dirstest.Whole("/w/"+day))+`"}}`+"\n"))
	}
	first, second := rollout("01", dirstest.UUID1), rollout("02", dirstest.UUID2)
	root := filepath.Join(m.Home, ".codex", "sessions")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(root, later, later); err != nil { // as if it had changed during each search
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		queries []sessions.Query
		want    []string
	}{
		"all":         {[]sessions.Query{{}}, []string{root, filepath.Join(root, "2026"), filepath.Join(root, "2026", "02"), first, second}},
		"a workspace": {[]sessions.Query{{Workspace: dirstest.Whole("/w/01")}}, []string{root, first}},
		"near":        {[]sessions.Query{{Near: dirstest.Whole("/w/02")}}, []string{root, second}},
		"both":        {[]sessions.Query{{Near: dirstest.Whole("/w/02")}, {Workspace: dirstest.Whole("/w/01")}, {Near: dirstest.Whole("/w/01")}}, []string{root, first, second}},
		"none":        {[]sessions.Query{{Near: dirstest.Whole("/w/03")}}, []string{root}},
		"no query":    {nil, []string{root}},
	} {
		f := NewFollower(sessions.NewFinder(m.Environment()), newFakeEngine().call, func(Update) {})
		f.Want(c.queries...)
		<-f.changed
		n := newNotices()
		if n.watcher == nil {
			t.Skip("this system reports no changes")
		}
		ctx, stop := context.WithCancel(t.Context())
		complete := f.refresh(ctx, n)
		var got []string
		for folder := range n.folders {
			got = append(got, folder)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) || !complete {
			t.Errorf("%s: watched are %q, want %q", name, got, c.want)
		}
		if again := len(f.changed) > 0; again != (len(c.queries) > 0) {
			t.Errorf("%s: the search is repeated: %v", name, again)
		}
		for len(f.changed) > 0 {
			<-f.changed
		}
		if f.refresh(ctx, n); len(f.changed) > 0 {
			t.Errorf("%s: the search is repeated though every directory was watched", name)
		}
		stop()
		if f.refresh(ctx, n) && len(c.queries) > 0 {
			t.Errorf("%s: a search that was ended is complete", name)
		}
		f.stopAll()
		n.close()
	}
}

// TestAChangedFileWakesItsSession checks which changes of files wake a session, and which are worth a search.
func TestAChangedFileWakesItsSession(t *testing.T) {
	f := NewFollower(nil, newFakeEngine().call, nil)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{}\n")
	w := &followed{feed: NewFeed(transcript.Session{ID: "s", Path: path}, f.Call), wake: make(chan struct{}, 1)}
	f.followed["s"] = w
	if f.wakePath(path+"x") || len(w.wake) > 0 || !f.wakePath(path) || len(w.wake) != 1 || !f.wakePath(path) {
		t.Error("the wrong file wakes the session")
	}
	<-w.wake
	w.seen = agents.StateOf(w.feed.Session)
	look := func(what string, want int) {
		t.Helper()
		if f.lookAtAll(); len(w.wake) != want {
			t.Errorf("%s wakes the session: %v", what, len(w.wake) > 0)
		}
		for len(w.wake) > 0 {
			<-w.wake
		}
	}
	look("nothing", 0)
	windows := &reported{}
	f.Windows = windows
	look("a host without windows", 0)
	windows.changed = time.Unix(1, 0)
	look("a reported window", 1)
	look("the same window", 0)
	dirstest.Add(t, path, "{}\n")
	look("a record", 1)
	look("the same record", 0)
	for path, want := range map[string]bool{"/a/s.jsonl": true, "/a/folder": true, "/a/notes.txt": false, "/a/auth.json": false} {
		if got := mayBeSession(filepath.FromSlash(path)); got != want {
			t.Errorf("a change of %s is worth a search: %v", path, got)
		}
	}
}

// TestFollowedSessionsAreListedNewestFirst checks the order of the sessions that are followed.
func TestFollowedSessionsAreListedNewestFirst(t *testing.T) {
	f := NewFollower(nil, newFakeEngine().call, nil)
	for i, id := range []string{"b", "d", "a", "c"} {
		f.followed[id] = &followed{feed: NewFeed(transcript.Session{ID: id, Modified: time.Unix(int64(i), 0)}, f.Call)}
	}
	got := ""
	for _, s := range f.Sessions() {
		got += s.ID
	}
	if got != "cadb" {
		t.Errorf("the order is %s", got)
	}
}

// An agent creates a directory for a session, and writes the session into it long after the directory was searched. The
// directory is watched in the meantime, so the session is noticed before the next complete search.
func TestASessionInAFolderThatWasJustMadeIsNoticed(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	_, updates := following(t, m, newFakeEngine(), sessions.Query{Workspace: dirstest.Whole("/w/a")})
	await(t, updates, dirstest.UUID1, 2, 5*time.Second)
	time.Sleep(agents.Settled + 300*time.Millisecond) // what the first search may have missed was searched again
	folder := filepath.Join(m.Home, ".claude", "projects", "-w-a", dirstest.UUID1, "subagents")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	time.Sleep(700 * time.Millisecond)
	dirstest.Write(t, filepath.Join(folder, "agent-x.jsonl"), dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	took := await(t, updates, dirstest.UUID1+"/agent-x", 2, time.Minute)
	began := time.Now()
	if _, _, err := sessions.NewFinder(m.Environment()).Find(t.Context(), sessions.Query{Children: true}); err != nil {
		t.Fatal(err)
	}
	// On a busy machine a search takes longer, and the follower waits longer before the next one.
	if most := searchEvery/2 + 4*pausesAfter(time.Since(began), true).noticed; took > most {
		t.Errorf("it was noticed after %v, and not within %v", took, most)
	}
}

func TestAMovedOrReplacedTranscriptIsReread(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	e := newFakeEngine()
	_, updates := following(t, m, e, sessions.Query{Workspace: dirstest.Whole("/w/a")})
	await(t, updates, dirstest.UUID1, 2, 5*time.Second)
	dirstest.Write(t, path, dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a"))[:0]+fmt.Sprintf("{\"cwd\":%q,\"sessionId\":%q}\n", dirstest.Whole("/w/a"), dirstest.UUID1))
	await(t, updates, dirstest.UUID1, 1, 5*time.Second)
	moved := filepath.Join(m.Home, ".claude", "projects", "-w-a-b", dirstest.UUID1+".jsonl")
	os.MkdirAll(filepath.Dir(moved), 0o755)
	os.Rename(path, moved)
	dirstest.Add(t, moved, "{\"n\":1}\n")
	await(t, updates, dirstest.UUID1, 2, 15*time.Second)
}

func TestAnEngineThatLostASessionGetsItAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n{\"a\":2}\n")
	e := newFakeEngine()
	feed := NewFeed(transcript.Session{ID: "s", Path: path}, e.call)
	feed.Read(context.Background())
	e.lost = true
	dirstest.Add(t, path, "{\"a\":3}\n")
	reading, err := feed.Read(context.Background())
	if err != nil || string(reading) != `{"session":"s","records":3}` {
		t.Errorf("%s, %v", reading, err)
	}
}

// A record that only the engine can recognize as broken affects nothing else.
func TestARecordTheEngineRefusesIsSkipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n{\"a\":tru}\n{\"a\":\"\xff\"}\n{\"a\":3}\n")
	e := newFakeEngine()
	feed := NewFeed(transcript.Session{ID: "s", Path: path}, e.call)
	reading, err := feed.Read(context.Background())
	other := NewFeed(transcript.Session{ID: "other", Path: path}, func(context.Context, string, []byte) ([]byte, error) { return []byte(`{"result":{}}`), nil })
	dirstest.Add(t, path, "no JSON\n")
	if _, err := other.Read(t.Context()); err != nil || other.Records != 5 || other.Skipped < 1 {
		t.Errorf("%d records, %d skipped, %v", other.Records, other.Skipped, err)
	}
	if err != nil || string(reading) != `{"session":"s","records":4}` || feed.Records != 4 || feed.Skipped > 2 || feed.Skipped < 1 {
		t.Errorf("%s, %v; %d records, %d skipped", reading, err, feed.Records, feed.Skipped)
	}
}

// The last prompt before the compaction is read too, because it contains the fixed context.
func TestRecentTailsBeginBeforeTheLastCompaction(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	line := func(i int) string {
		return fmt.Sprintf("{\"n\":%d,\"message\":{\"usage\":{\"input_tokens\":1}},\"text\":\"%0500d\"}\n", i, 0)
	}
	content := func(records, boundary int) string {
		var text strings.Builder
		for i := range records {
			if i == boundary {
				text.WriteString("{\"type\":\"system\",\"subtype\":\"compact_boundary\"}\n")
			}
			text.WriteString(line(i))
		}
		return text.String()
	}
	dirstest.Write(t, path, content(3000, 2900))
	tail, err := RecentTail(transcript.Session{Path: path, Agent: agent.ClaudeCode})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := rest(t, tail)
	if len(got) != 102 || got[0]+"\n" != line(2899) || got[1] != `{"type":"system","subtype":"compact_boundary"}` {
		t.Errorf("%d records, the first %.60s", len(got), got[0])
	}
	dirstest.Write(t, path, content(2500, -1))
	tail, _ = RecentTail(transcript.Session{Path: path, Agent: agent.ClaudeCode})
	got, _ = rest(t, tail)
	if len(got) < 24 || len(got) > 1000 || got[len(got)-1]+"\n" != line(2499) {
		t.Errorf("without a compaction: %d records", len(got))
	}
	dirstest.Add(t, path, line(1))
	if got, _ = rest(t, tail); len(got) != 1 {
		t.Errorf("%d records were added", len(got))
	}
	dirstest.Write(t, path, "{\"a\":1}\n")
	tail, _ = RecentTail(transcript.Session{Path: path, Agent: agent.ClaudeCode})
	got, _ = rest(t, tail)
	dirstest.Expect(t, "a short one", got, `{"a":1}`)
}

// TestADefectAtOneTranscriptIsItsProblemAlone checks that a panic while one session is read ends neither the process
// nor the following of the others.
func TestADefectAtOneTranscriptIsItsProblemAlone(t *testing.T) {
	m := dirstest.NewMachine(t)
	bad, good := dirstest.UUID1, dirstest.UUID2
	m.Put(".claude/projects/-w-a/"+bad+".jsonl", dirstest.ClaudeLine(bad, dirstest.Whole("/w/a")))
	m.Put(".claude/projects/-w-a/"+good+".jsonl", dirstest.ClaudeLine(good, dirstest.Whole("/w/a")))
	e := newFakeEngine()
	updates := make(chan Update, 10000)
	call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
		if strings.Contains(string(params), bad) {
			panic("a defect that this transcript brings to light")
		}
		return e.call(ctx, method, params)
	}
	f := NewFollower(sessions.NewFinder(m.Environment()), call, func(u Update) { updates <- u })
	f.Want(sessions.Query{Workspace: dirstest.Whole("/w/a")})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()
	problem, read := false, false
	for deadline := time.After(20 * time.Second); !problem || !read; {
		select {
		case u := <-updates:
			problem = problem || u.ID == bad && strings.Contains(u.Problem, "internal error")
			read = read || u.ID == good && u.Reading != nil
		case <-deadline:
			t.Fatalf("the problem is told: %v; the other is read: %v", problem, read)
		}
	}
}

// TestAQuickAnswerAfterACompactionHasTheFixedContext checks that the end of a long transcript, read alone after a
// compaction, gives about the same number as all of it: the tools and the memory files are read from the beginning,
// and the last prompt before the compaction is not taken for a first one. The records are those of Claude Code 2.1.330
// with other texts.
func TestAQuickAnswerAfterACompactionHasTheFixedContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var text strings.Builder
	n := 0
	add := func(kind, rest string) {
		n++
		parent := "null"
		if n > 1 && !strings.Contains(rest, "compact_boundary") {
			parent = fmt.Sprintf(`"u%d"`, n-1)
		}
		fmt.Fprintf(&text, `{"parentUuid":%s,"isSidechain":false,%s,"type":%q,"uuid":"u%d","timestamp":"2026-11-23T12:%02d:%02d.000Z","cwd":"/w","sessionId":"s","version":"2.1.330"}`+"\n",
			parent, rest, kind, n, n/60%60, n%60)
	}
	words := func(n int) string { return strings.Repeat("The river carries the light. ", n) }
	add("user", `"message":{"role":"user","content":"Work."}`)
	add("attachment", `"attachment":{"type":"instructions","files":[{"path":"/w/CLAUDE.md","content":"`+words(300)+`"}]}`)
	add("attachment", `"attachment":{"type":"prompt_snapshot","systemPrompt":["`+words(400)+`"],"tools":[{"name":"Read","description":"`+words(900)+
		`","input_schema":{"type":"object"}}],"cliPrefix":"You are."}`)
	in := 15_000
	for i := range 60 {
		add("assistant", fmt.Sprintf(`"requestId":"r%d","message":{"id":"m%d","role":"assistant","model":"claude-opus-5","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{}}],`+
			`"usage":{"input_tokens":%d,"output_tokens":60}}`, i, i, i, in))
		add("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}`, i, words(120)))
		in += 900
	}
	add("system", `"subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":69000}`)
	add("user", `"isCompactSummary":true,"message":{"role":"user","content":"`+words(50)+`"}`)
	dirstest.Write(t, path, text.String())
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := transcript.Session{ID: "s", Path: path, Agent: agent.ClaudeCode, Form: transcript.Lines}
	used := func(f *Feed) int64 {
		reading, err := f.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close(t.Context())
		v, _ := json.Parse(reading)
		tokens, _ := v.Get("used").Int64()
		return tokens
	}
	whole := used(NewFeed(s, pool.Call))
	recent, err := NewRecentFeed(s, pool.Call)
	if err != nil {
		t.Fatal(err)
	}
	if quick := used(recent); quick < whole*3/4 || quick > whole*5/4 || whole < 10_000 || whole > 25_000 {
		t.Errorf("%d tokens by the end alone, %d by all of it", quick, whole)
	}
}

// TestASessionIsReadAgainOnRequest checks that a session whose state the engine has lost is read from its beginning,
// though its file has not changed.
func TestASessionIsReadAgainOnRequest(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/a")))
	e := newFakeEngine()
	f, updates := following(t, m, e, sessions.Query{Workspace: dirstest.Whole("/w/a")})
	await(t, updates, dirstest.UUID1, 2, time.Minute)
	if n := f.ReadAgain([]string{"another"}); n != 0 {
		t.Errorf("%d sessions with another id are read again", n)
	}
	e.mu.Lock()
	before := e.bytes
	e.counts = map[string]int{}
	e.mu.Unlock()
	if n := f.ReadAgain([]string{"another", dirstest.UUID1}); n != 1 {
		t.Errorf("%d sessions are read again, want 1", n)
	}
	await(t, updates, dirstest.UUID1, 2, time.Minute)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.bytes != 2*before {
		t.Errorf("%d bytes were sent at first, and %d after that", before, e.bytes-before)
	}
}
