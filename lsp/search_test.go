// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
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
	for _, want := range []string{
		`{"token":"t","value":{"kind":"begin","message":"","percentage":0,"title":"Reading sessions"}}`, `{"token":"t","value":{"kind":"end"}}`,
	} {
		if got := string(c.note("$/progress").Params); got != want {
			t.Errorf("the progress is %s, want %s", got, want)
		}
	}
	close(compiled)
	c.note("ctx/reading")
	c.note("ctx/searched")
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
		Value struct{ Kind, Message string }
	}
	var first, last progress
	json.Unmarshal(c.note("$/progress").Params, &first)
	close(compiled)
	json.Unmarshal(c.note("$/progress").Params, &last)
	if first.Value.Kind != "begin" || first.Value.Message != "compiling the engine for this machine, once" || last.Value.Kind != "end" {
		t.Errorf("progress %+v, then %+v", first, last)
	}
	c.quiet("$/progress", 100*time.Millisecond)
}
