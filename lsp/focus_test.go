// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestASessionWithOnlyATitleIsAsOldAsItsFile checks the focus of a daemon that starts while two agents already run in
// one directory, and one of them has recorded only a title: the one that the user works with is shown.
func TestASessionWithOnlyATitleIsAsOldAsItsFile(t *testing.T) {
	home := real(t, t.TempDir())
	workspace := filepath.Join(home, "project")
	folder := filepath.Join(home, ".claude", "projects", agents.ClaudeProjectFolder(workspace))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	const one, two = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
	worked := time.Now().Add(-time.Minute)
	title := func(id string) string {
		return fmt.Sprintf(`{"type":"ai-title","sessionId":%q,"aiTitle":"A title"}`+"\n", id)
	}
	turn := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":%[1]q,"cwd":%[2]q,"version":"2.1.200","message":{"role":"user","content":"Hi."},"timestamp":%[3]q}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":%[1]q,"cwd":%[2]q,"version":"2.1.200","message":{"model":"claude-opus-4-6","id":"m1","role":"assistant","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","usage":{"input_tokens":120000,"output_tokens":0}},"timestamp":%[3]q}
`, one, workspace, worked.UTC().Format(time.RFC3339Nano))
	for id, text := range map[string]string{one: title(one) + turn, two: title(two)} {
		path := filepath.Join(folder, id+".jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := worked
		if id == two {
			before = worked.Add(-time.Minute)
		}
		if err := os.Chtimes(path, before, before); err != nil {
			t.Fatal(err)
		}
	}
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	c := start(t, newTestServer(t, Options{Engine: realEngine(t, "native"), Home: home, Source: sessions.NewFinder(environment)}))
	var watched struct{ Sessions []json.RawMessage }
	json.Unmarshal(c.call("ctx/watch", fmt.Sprintf(`{"workspace":%q}`, workspace)), &watched)
	if len(watched.Sessions) != 2 {
		t.Fatalf("%d sessions are watched", len(watched.Sessions))
	}
	var focused struct{ Session, Because string }
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, workspace)), &focused)
	if focused.Session != one {
		t.Errorf("the focus is %+v, want %s", focused, one)
	}
}

// heldList is a list of processes that is returned when the test allows it.
type heldList struct {
	*running
	held            atomic.Bool
	asked, released chan struct{}
}

func (l *heldList) List() []process.Process {
	if l.held.CompareAndSwap(true, false) {
		l.asked <- struct{}{}
		<-l.released
	}
	return l.running.List()
}

// TestAnOlderFocusIsNotSentAfterANewerOne checks a client that sets another focus while the session of the one before
// is searched.
func TestAnOlderFocusIsNotSentAfterANewerOne(t *testing.T) {
	m := newMachine(t)
	list := &heldList{running: m.running, asked: make(chan struct{}), released: make(chan struct{})}
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: list})
	s.watcher.processesEvery = 0
	c := start(t, s)
	for _, id := range []string{"a", "b"} {
		c.call("ctx/session/open", fmt.Sprintf(`{"id":%q,"workspace":"/w/%s"}`, id, id))
	}
	c.call("ctx/focus", `{"terminalPid":100,"workspace":"/w/a"}`)
	list.held.Store(true)
	searched := make(chan struct{})
	s.eachConnection(func(each *connection) {
		go func() { each.refocus(); close(searched) }()
	})
	<-list.asked
	var focused struct{ Session string }
	if json.Unmarshal(c.call("ctx/focus", `{"workspace":"/w/b"}`), &focused); focused.Session != "b" {
		t.Errorf("the focus is %+v", focused)
	}
	list.released <- struct{}{}
	<-searched
	c.call("ctx/sessions", `{}`)
	for len(c.notes) > 0 {
		if n := <-c.notes; n.Method == "ctx/focused" {
			t.Errorf("after the newer focus the client is sent %s", n.Params)
		}
	}
}

// TestManyChangesAreFollowedUpTogether checks that a session that changes fast is not looked up at each change.
func TestManyChangesAreFollowedUpTogether(t *testing.T) {
	m := newMachine(t)
	var looks atomic.Int64 // the clock is read at each look at the processes
	now := func() time.Time { looks.Add(1); return time.Now() }
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running, Now: now})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/focus", fmt.Sprintf(`{"terminalPid":100,"workspace":%q}`, m.work))
	begun := time.Now()
	looks.Store(0)
	for n := range 300 {
		c.call("ctx/session/update", fmt.Sprintf(`{"id":"a","system":1,"at":%d}`, n+1))
	}
	c.call("ctx/session/open", fmt.Sprintf(`{"id":"b","workspace":%q,"at":300}`, m.work))
	c.note("ctx/focused") // the changes are followed up
	if n, most := looks.Load(), int64(time.Since(begun)/followUpEvery)+3; n == 0 || n > most {
		t.Errorf("300 changes cause %d looks at the processes, want 1 to %d", n, most)
	}
	begun = time.Now()
	looks.Store(0)
	for range 100 {
		s.followUpSoon()
	}
	<-time.After(2 * followUpEvery)
	if n, most := looks.Load(), int64(time.Since(begun)/followUpEvery)+2; n > most {
		t.Errorf("100 changes at a time cause %d looks at the processes, want at most %d", n, most)
	}
}

// TestTheFolderOfAFocusIsReadToo checks which folder's sessions are read first after ctx/focus: the repository of the
// file, otherwise of the workspace, and never the home directory, which contains all projects.
func TestTheFolderOfAFocusIsReadToo(t *testing.T) {
	m := newMachine(t)
	for _, folder := range []string{"shop/.git", "shop/a", "other/.git", "plain"} {
		if err := os.MkdirAll(filepath.Join(m.home, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	s := newTestServer(t, Options{Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	none := start(t, s)
	s.eachConnection((*connection).refocus) // it has no focus
	none.call("ctx/sessions", `{}`)
	none.conn.Close()
	none.exitCode()
	for name, test := range map[string]struct{ watched, file, workspace, want string }{
		"a folder of a repository": {"{}", "", "shop/a", "shop"},
		"a file elsewhere":         {"{}", "other/x/y.go", "shop", "other"},
		"a file of no repository":  {"{}", "plain/x.go", "shop", "shop"},
		"no workspace":             {"{}", "other/x.go", "", ""},
		"the home directory":       {"{}", "", ".", ""},
		"shown already":            {`{"folders":[%q]}`, "", "shop/a", ""},
		"not watched":              {`{"workspace":%q}`, "", "other", ""},
		"no watch":                 {"", "", "shop", ""},
	} {
		c := start(t, s)
		switch {
		case strings.Contains(test.watched, "%q"):
			c.call("ctx/watch", fmt.Sprintf(test.watched, m.work))
		case test.watched != "":
			c.call("ctx/watch", test.watched)
		}
		params := map[string]string{}
		for key, path := range map[string]string{"file": test.file, "workspace": test.workspace} {
			if path != "" {
				params[key] = filepath.Join(m.home, path)
			}
		}
		text, _ := json.Marshal(params)
		c.call("ctx/focus", string(text))
		got := ""
		s.eachConnection(func(of *connection) {
			of.mu.Lock()
			defer of.mu.Unlock()
			if of.watching != nil {
				got += strings.TrimPrefix(strings.Join(of.watching.worksIn, " "), m.home+string(filepath.Separator))
			}
		})
		if got != test.want {
			t.Errorf("%s: %q is read first, want %q", name, got, test.want)
		}
		c.conn.Close()
		c.exitCode()
	}
}

// TestAFocusWithoutASessionIsNull checks the results of ctx/focus without a session, and that a client is notified when
// the session it shows is closed.
func TestAFocusWithoutASessionIsNull(t *testing.T) {
	m := newMachine(t)
	c := m.daemon()
	uri := document.URI(m.work)
	for _, params := range []string{`{}`, `{"file":"relative"}`, fmt.Sprintf(`{"workspace":%q,"file":%q}`, uri, uri+"/x.go")} {
		if got := string(c.call("ctx/focus", params)); got != "null" {
			t.Errorf("%s: %s", params, got)
		}
	}
	c.call("ctx/session/open", fmt.Sprintf(`{"id":"a","workspace":%q}`, m.work))
	var focused api.Reading
	json.Unmarshal(c.call("ctx/focus", fmt.Sprintf(`{"workspace":%q}`, uri)), &focused)
	if focused.Session != "a" || focused.Focus.Reason != "workspace" {
		t.Errorf("the focus is %+v", focused)
	}
	c.call("ctx/session/close", `{"id":"a"}`)
	if got := string(c.note("ctx/focused").Params); got != `{"reading":null}` {
		t.Errorf("after the session was closed: %s", got)
	}
}
