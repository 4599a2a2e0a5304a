// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheFirstResponseReportsTheRunningSearch starts an engine that takes longer than ctx/watch waits, as if it
// were being compiled: the result says that the search continues, the Reading follows, and the client is notified of
// the end of the search. After that, the result is complete.
func TestTheFirstResponseReportsTheRunningSearch(t *testing.T) {
	home := real(t, t.TempDir())
	const id = "44444444-4444-4444-8444-444444444444"
	path := filepath.Join(home, ".claude", "projects", "w", id+".jsonl")
	os.MkdirAll(filepath.Dir(path), 0o755)
	text := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":%q,"version":"2.1.200","cwd":%q,"message":{"role":"user","content":"first"},"timestamp":%q}`+"\n",
		id, home, time.Now().UTC().Format(time.RFC3339Nano))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	compiled := make(chan struct{})
	engine := realEngine(t, "native")
	slow := func(ctx context.Context) (Engine, error) {
		<-compiled
		return engine(ctx)
	}
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	c := start(t, newTestServer(t, Options{Engine: slow, Home: home, Source: sessions.NewFinder(environment)}))
	watch := func() (n int, searching bool) {
		var answer struct {
			Sessions  []json.RawMessage
			Searching *bool
		}
		result := c.call("ctx/watch", `{"workDoneToken":"t"}`)
		if err := json.Unmarshal(result, &answer); err != nil || answer.Searching == nil {
			t.Fatalf("%s: %v", result, err)
		}
		return len(answer.Sessions), *answer.Searching
	}
	if n, searching := watch(); n != 0 || !searching {
		t.Errorf("without an engine: %d sessions, searching %v", n, searching)
	}
	close(compiled)
	c.kept("ctx/reading")
	c.kept("ctx/searched")
	progress := ""
	for _, m := range c.skipped {
		if m.Method == "$/progress" {
			progress += string(m.Params)
		}
	}
	// A machine that is too busy shows none.
	if progress != "" && progress != `{"token":"t","value":{"kind":"begin","message":"","percentage":0,"title":"Reading sessions"}}{"token":"t","value":{"kind":"end"}}` {
		t.Errorf("the progress is %s", progress)
	}
	if n, searching := watch(); n != 1 || searching {
		t.Errorf("afterwards: %d sessions, searching %v", n, searching)
	}
}

// TestAMachineWithoutSessionsIsNotSearchedForLong checks that ctx/watch does not wait if there is nothing to read.
func TestAMachineWithoutSessionsIsNotSearchedForLong(t *testing.T) {
	home := real(t, t.TempDir())
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	c := start(t, newTestServer(t, Options{Home: home, Source: sessions.NewFinder(environment)}))
	if got := string(c.call("ctx/watch", `{}`)); got != `{"sessions":[],"roots":[],"searching":false}` {
		t.Errorf("the answer is %s", got)
	}
	if got := string(start(t, newTestServer(t, Options{})).call("ctx/watch", `{}`)); got != `{"sessions":[],"roots":[],"searching":false}` {
		t.Errorf("a daemon that finds no sessions answers %s", got)
	}
}

// TestThePercentageOfASearchIsOfItsSessions checks the progress of a search in which two sessions were read, but not
// the sub-agent of one.
func TestThePercentageOfASearchIsOfItsSessions(t *testing.T) {
	m := newMachine(t)
	source := sessions.NewFinder(dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }})
	s := newTestServer(t, Options{Home: m.home, Source: source})
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	m.session(secondID, 1, m.work, time.Minute, 50_000)
	m.put(".claude/projects/w/"+firstID+"/subagents/agent-a1.jsonl", fmt.Sprintf(`{"type":"user","isSidechain":true,"agentId":"a1","uuid":"u1","parentUuid":null,"sessionId":%q,"cwd":%q,"version":"2.1.200","message":{"role":"user","content":"look"}}`+"\n", firstID, m.work))
	for _, id := range []string{firstID, secondID} {
		s.enter(&session{key: id, origin: &fileSession{Session: transcript.Session{ID: id}}, seen: true})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var percent atomic.Int64
	ended := make(chan struct{})
	go func() { s.watcher.find(ctx, &watch{}, &percent); close(ended) }()
	for end := time.Now().Add(30 * time.Second); percent.Load() != 66; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d%% were read", percent.Load())
		}
	}
	cancel()
	<-ended
}

// TestProgressIsShownAfterAMoment checks that progress begins with the first report after a moment, changes with what
// is reported, and ends once; and that a client that refuses it is not asked again.
func TestProgressIsShownAfterAMoment(t *testing.T) {
	s := newTestServer(t, Options{})
	for _, refuses := range []bool{false, true} {
		c := connect(t, s)
		asked := make(chan string, 1000)
		c.requests = func(m testMessage) any {
			asked <- m.Method
			if refuses {
				return errors.New("no")
			}
			return nil
		}
		c.call("initialize", `{"capabilities":{"window":{"workDoneProgress":true}}}`)
		var of *connection
		s.eachConnection(func(each *connection) {
			if of == nil || each.number > of.number {
				of = each
			}
		})
		report, end := of.progress(nil, phrase.Named("Work"))
		_, unused := of.progress(nil, phrase.Named("Unused"))
		unused()
		report(phrase.Named("too early"), 5)
		for begun := time.Now(); len(asked) == 0; time.Sleep(time.Millisecond) {
			if report(phrase.Named("some"), 7); time.Since(begun) > time.Minute {
				t.Fatal("no progress begins")
			}
		}
		for _, percent := range []int{7, 7, 8} {
			report(phrase.Named("some"), percent)
		}
		report(phrase.Named("more"), 8)
		end()
		c.call("ctx/sessions", `{}`)
		var got []string
		for len(c.notes) > 0 {
			m := <-c.notes
			_, value, _ := strings.Cut(string(m.Params), `"value":`)
			got = append(got, strings.TrimSuffix(value, "}"))
		}
		want := []string{`{"kind":"begin","message":"some","percentage":7,"title":"Work"}`, `{"kind":"report","message":"some","percentage":8}`, `{"kind":"report","message":"more","percentage":8}`, `{"kind":"end"}`}
		if refuses {
			want = nil
		}
		if !slices.Equal(got, want) || len(asked) != 1 {
			t.Errorf("refused: %v; the progress is %q, after %d requests", refuses, got, len(asked))
		}
		c.conn.Close()
		c.exitCode()
	}
	given := start(t, s)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	report, end := of.progress(json.RawMessage(`7`), phrase.Named("Work"))
	for begun := time.Now(); len(given.notes) == 0; time.Sleep(time.Millisecond) {
		if report(phrase.Text{}, 1); time.Since(begun) > time.Minute {
			t.Fatal("no progress with the client's token begins")
		}
	}
	end()
	if got := string(given.note("$/progress").Params); !strings.HasPrefix(got, `{"token":7,`) {
		t.Errorf("the progress is %s", got)
	}
	if one, other := newToken(), newToken(); string(one) == string(other) {
		t.Errorf("two tokens are %s", one)
	}
	if report, end := of.progress(nil, phrase.Named("Work")); report != nil && end != nil {
		report(phrase.Text{}, 1) // a client that cannot show progress
		end()
	}
}

// TestTheCompilationIsShownOnce starts an engine that is compiled for a while: a client that supports progress is shown
// it, and its end.
func TestTheCompilationIsShownOnce(t *testing.T) {
	compiled := make(chan struct{})
	engine := newFakeEngine()
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { <-compiled; return engine, nil }})
	c := connect(t, s)
	c.call("initialize", `{"processId":null,"capabilities":{"window":{"workDoneProgress":true}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	type progress struct {
		Value struct {
			Kind, Message string
			Percentage    int
		}
	}
	var first, last progress
	json.Unmarshal(c.note("$/progress").Params, &first)
	close(compiled)
	json.Unmarshal(c.note("$/progress").Params, &last)
	if first.Value.Kind != "begin" || first.Value.Percentage != 0 || first.Value.Message != "compiling the engine for this machine, once" || last.Value.Kind != "end" {
		t.Errorf("progress %+v, then %+v", first, last)
	}
	c.quiet("$/progress", 100*time.Millisecond)
}

// TestTheCompilationIsShownToASlowClient starts an engine that is compiled for a while. A client that has not yet
// answered the server's first requests is shown the progress, too.
func TestTheCompilationIsShownToASlowClient(t *testing.T) {
	compiled := make(chan struct{})
	defer close(compiled)
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { <-compiled; return newFakeEngine(), nil }})
	c := connect(t, s)
	c.requests = func(m testMessage) any {
		if m.Method == "client/registerCapability" || m.Method == "workspace/configuration" {
			return unanswered
		}
		return nil
	}
	c.call("initialize", `{"processId":null,"capabilities":{"window":{"workDoneProgress":true},"workspace":{"configuration":true,
		"didChangeConfiguration":{"dynamicRegistration":true},"didChangeWatchedFiles":{"dynamicRegistration":true}}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	var shown struct {
		Value struct{ Kind, Message string }
	}
	json.Unmarshal(c.note("$/progress").Params, &shown)
	if shown.Value.Kind != "begin" || shown.Value.Message != "compiling the engine for this machine, once" {
		t.Errorf("the client was shown %+v", shown.Value)
	}
}

// TestASearchEndsWithItsClient checks that a search for sessions that are not read ends when its client disconnects.
func TestASearchEndsWithItsClient(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done, percent := make(chan struct{}), atomic.Int64{}
	percent.Store(50)
	go func() {
		s.watcher.find(ctx, &watch{}, &percent)
		close(done)
	}()
	waits := func() bool {
		s.watcher.news.mu.Lock()
		defer s.watcher.news.mu.Unlock()
		return s.watcher.news.news != nil && percent.Load() == 0
	}
	for end := time.Now().Add(30 * time.Second); !waits(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d%% of the sessions are read", percent.Load())
		}
	}
	select {
	case <-done:
		t.Error("it does not wait for the session")
	default:
	}
	cancel()
	if _, ended := receive(30*time.Second, done); !ended {
		t.Error("it does not end")
	}
}
