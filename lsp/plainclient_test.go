// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// besideASession connects an editor on a machine with a running agent.
func besideASession(t *testing.T) (*machine, *testClient) {
	m := newMachine(t)
	os.MkdirAll(m.work, 0o755)
	m.session(firstID, 1, m.work, time.Second, 100_000)
	environment := dirs.New(testSystem, m.home, func(string) string { return "" })
	server := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	server.plainAfter = 50 * time.Millisecond
	m.server = server
	return m, connect(t, server)
}

// TestAPlainClientSeesItsSession checks editors that only speak LSP: the number appears in their progress, the setting
// notify.level applies, prompt files are counted for the model in use there, and they are sent nothing that they do not
// support.
func TestAPlainClientSeesItsSession(t *testing.T) {
	m, c := besideASession(t)
	c.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"An Editor"},"rootUri":%q,"capabilities":{"window":{"workDoneProgress":true}},"initializationOptions":{"notify":{"level":"soon"}}}`, document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)

	progress := func(kind, text string) {
		t.Helper()
		for {
			select {
			case note := <-c.notes:
				if strings.HasPrefix(note.Method, "ctx/") {
					t.Fatalf("an editor that asked for nothing is sent %s", note.Method)
				}
				var p struct {
					Value struct{ Kind, Title, Message string }
				}
				if note.Method == "$/progress" && json.Unmarshal(note.Params, &p) == nil && p.Value.Kind == kind && strings.Contains(p.Value.Message, text) {
					return
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("no progress %s with %q", kind, text)
			}
		}
	}
	progress("begin", "50% · 67k left")
	uri := document.URI(m.work) + "/CLAUDE.md"
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Shop\n\nRun the tests.\n"}}}`, uri))
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		lens := string(c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)))
		if strings.Contains(lens, "of 200k") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the lens does not count for the session: %s", lens)
		}
	}
	// A client that opens a session knows the methods of sessions, and is notified of that one.
	c.call("ctx/session/open", `{"id":"mine","model":"claude-opus-4-6"}`)
	for received := false; !received; {
		select {
		case note := <-c.notes:
			received = note.Method == "ctx/reading" && strings.Contains(string(note.Params), `"session":"mine"`)
			if strings.HasPrefix(note.Method, "ctx/") && !received {
				t.Fatalf("an editor that asked for nothing is sent %s of a session that was found", note.Method)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("no Reading of the client's own session comes")
		}
	}
	c.call("ctx/session/close", `{"id":"mine"}`)
	m.session(firstID, 2, m.work, 0, 160_000)
	for seenMessage := false; !seenMessage; {
		select {
		case note := <-c.notes:
			seenMessage = note.Method == "window/showMessage" && strings.Contains(string(note.Params), "80% full")
		case <-time.After(20 * time.Second):
			t.Fatal("no message tells that it will soon be compacted")
		}
	}
	m.session(firstID, 3, m.work, 0, 170_000)
	progress("report", "compacts now")

	// A client that sends ctx/watch shows the number by its own means.
	c.call("ctx/watch", fmt.Sprintf(`{"workspace":%q}`, m.work))
	for ended := false; !ended; {
		select {
		case note := <-c.notes:
			ended = note.Method == "$/progress" && strings.Contains(string(note.Params), `"end"`)
		case <-time.After(20 * time.Second):
			t.Fatal("the progress stays beside what the client shows itself")
		}
	}
}

// TestThePlainLineIsTrueOfASessionThatNothingCompacts checks that the number is shown with the core's hint.
func TestThePlainLineIsTrueOfASessionThatNothingCompacts(t *testing.T) {
	core := api.New()
	call := func(method, params string) (reading json.RawMessage) {
		var answer struct{ Result json.RawMessage }
		if err := json.Unmarshal(core.Call(method, []byte(params)), &answer); err != nil || answer.Result == nil {
			t.Fatalf("%s: %v", method, err)
		}
		return answer.Result
	}
	call("ctx/session/open", `{"id":"a","limits":{"window":1000},"reserve":0}`)
	reading := call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":995,"out":5}}`)
	line, refused := api.NewLine(plainLine)
	var r api.Reading
	if refused != nil || !r.GlanceAt(reading) {
		t.Fatalf("%v: %s", refused, reading)
	}
	if got := line.Text(&r, nil); got != "100% · window full" {
		t.Errorf("the progress shows %q", got)
	}
}

// TestAPlainClientInAFolderOfARepositorySeesItsSession checks editors that have part of a repository open while the
// agent was started at its root.
func TestAPlainClientInAFolderOfARepositorySeesItsSession(t *testing.T) {
	m, c := besideASession(t)
	m.put("shop/.git/HEAD", "ref: refs/heads/main\n")
	m.put("shop/packages/a/CLAUDE.md", "# A\n")
	c.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"An Editor"},"rootUri":%q,"capabilities":{"window":{"workDoneProgress":true}}}`, document.URI(m.work)+"/packages/a"))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for {
		select {
		case note := <-c.notes:
			if note.Method == "$/progress" && strings.Contains(string(note.Params), "50% · 67k left") {
				return
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the session of the repository is not shown")
		}
	}
}

// TestAPlainClientSeesTheSessionsOfAllItsFolders checks editors with several folders, and those that, like Kate, send
// the home directory as the root of an unknown project and its folder later.
func TestAPlainClientSeesTheSessionsOfAllItsFolders(t *testing.T) {
	m, c := besideASession(t)
	m.session(secondID, 1, filepath.Join(m.home, "other"), 0, 150_000) // newer, and in another project of this user
	shows := func(text string) {
		t.Helper()
		for {
			select {
			case note := <-c.notes:
				if note.Method == "$/progress" && strings.Contains(string(note.Params), text) {
					return
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%q is not shown", text)
			}
		}
	}
	folders := func(added, removed string) {
		list := func(folder string) string {
			if folder == "" {
				return ""
			}
			return fmt.Sprintf(`{"name":"f","uri":%q}`, document.URI(folder))
		}
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[%s],"removed":[%s]}}}`, list(added), list(removed)))
	}
	c.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"An Editor"},"rootUri":%q,"workspaceFolders":[],"capabilities":{"window":{"workDoneProgress":true}}}`, document.URI(m.home)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	folders(m.work, "")
	shows("50% · 67k left")
	// A folder is opened while the daemon is already watching.
	folders(filepath.Join(m.home, "other"), m.work)
	shows("75% · 17k left")
	empty := filepath.Join(m.home, "empty")
	folders(empty, filepath.Join(m.home, "other"))
	shows(`"end"`)
	// Of several folders, the one with a session is used.
	folders(m.work, "")
	shows("50% · 67k left")
}

// TestAnEditorWithoutAFolderSeesTheSessionOfItsDocument checks that an editor that sends no workspace folder shows the
// number of the session in its document's repository, and the number of another repository once a document there is
// opened.
func TestAnEditorWithoutAFolderSeesTheSessionOfItsDocument(t *testing.T) {
	m, c := besideASession(t)
	other := filepath.Join(m.home, "other")
	for _, folder := range []string{filepath.Join(m.work, ".git"), filepath.Join(m.work, "docs"), other} {
		os.MkdirAll(folder, 0o755)
	}
	m.session("22222222-0000-4000-8000-000000000000", 1, other, time.Second, 150_000)
	c.call("initialize", `{"processId":null,"clientInfo":{"name":"An Editor"},"rootUri":null,"capabilities":{"window":{"workDoneProgress":true}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	opens := func(folder, name string) {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Shop\n"}}}`, document.URI(folder)+"/"+name))
	}
	shows := func(text string) {
		t.Helper()
		for {
			select {
			case note := <-c.notes:
				if note.Method == "$/progress" && strings.Contains(string(note.Params), text) {
					return
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("no progress with %q", text)
			}
		}
	}
	opens(filepath.Join(m.work, "docs"), "style.md")
	shows("50% · 67k left")
	opens(other, "CLAUDE.md")
	shows("75% · 17k left")
}

// TestANamelessEditorSeesItsSession checks editors that do not send their name, such as Vim with ALE, and commands
// there: the result of a command is shown only by a message.
func TestANamelessEditorSeesItsSession(t *testing.T) {
	m, c := besideASession(t)
	c.call("initialize", fmt.Sprintf(`{"processId":null,"rootUri":%q,"capabilities":{}}`, document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	uri := document.URI(m.work) + "/CLAUDE.md"
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"markdown","version":1,"text":"# Shop\n\nRun the tests.\n\n## More\n\nText.\n"}}}`, uri))
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if strings.Contains(string(c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))), "of 200k") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the lens does not count for the session")
		}
	}
	c.call("workspace/executeCommand", `{"command":"ctx.document.breakdown","arguments":[]}`)
	for {
		select {
		case note := <-c.notes:
			if note.Method != "window/showMessage" {
				continue
			}
			if text := string(note.Params); !strings.Contains(text, "tokens · CLAUDE.md · In every request · ") || strings.ContainsAny(text, "*|") || strings.Contains(text, `\n`) {
				t.Errorf("the message is %s", text)
			}
			return
		case <-time.After(20 * time.Second):
			t.Fatal("the command shows nothing")
		}
	}
}

// TestAPlainClientMayWantNothing checks that clients can turn this off.
func TestAPlainClientMayWantNothing(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Second, 100_000)
	environment := dirs.New(testSystem, m.home, func(string) string { return "" })
	server := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	server.plainAfter = time.Millisecond
	for name, params := range map[string]string{
		"switched off": `"clientInfo":{"name":"An Editor"},"initializationOptions":{"watch":false},"rootUri":%q`,
		"nameless":     `"rootUri":%q`,
	} {
		c := connect(t, server)
		c.call("initialize", `{"processId":null,"capabilities":{"window":{"workDoneProgress":true}},`+fmt.Sprintf(params, document.URI(m.work))+`}`)
		c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		time.Sleep(300 * time.Millisecond)
		select {
		case note := <-c.notes:
			if note.Method == "$/progress" {
				t.Errorf("%s: %s", name, note.Params)
			}
		default:
		}
	}
}

// TestOnlyAPlainClientIsWatchedForUnasked checks each condition under which the daemon watches for a client that has
// not asked for it.
func TestOnlyAPlainClientIsWatchedForUnasked(t *testing.T) {
	m := newMachine(t)
	folder := document.URI(m.work)
	for name, test := range map[string]struct {
		client, options string
		do              func(c *testClient)
		plain           bool
	}{
		"a client with a name": {`"clientInfo":{"name":"An Editor"},`, `{}`, nil, true},
		"a document is opened": {``, `{}`, func(c *testClient) {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":""}}}`, folder+"/a.go"))
			c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, folder+"/a.go"))
		}, true},
		"nothing is known":   {``, `{}`, nil, false},
		"it watches itself":  {`"clientInfo":{"name":"An Editor"},`, `{}`, func(c *testClient) { c.call("ctx/watch", `{}`) }, false},
		"it ended its watch": {`"clientInfo":{"name":"An Editor"},`, `{}`, func(c *testClient) { c.call("ctx/unwatch", `{}`) }, false},
		"it is switched off": {`"clientInfo":{"name":"An Editor"},`, `{"watch":false}`, nil, false},
		"it has shut down":   {`"clientInfo":{"name":"An Editor"},`, `{}`, func(c *testClient) { c.call("shutdown", `null`) }, false},
	} {
		s := newTestServer(t, Options{Home: m.home})
		s.plainAfter = time.Hour // the test starts the watch
		c := connect(t, s)
		c.call("initialize", fmt.Sprintf(`{%s"rootUri":%q,"capabilities":{},"initializationOptions":%s}`, test.client, folder, test.options))
		c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		c.call("ctx/sessions", `{}`)
		if test.do != nil {
			test.do(c)
		}
		s.eachConnection(func(of *connection) {
			of.watchIfPlain()
			if plain := of.unasked(); plain != test.plain {
				t.Errorf("%s: the daemon watches for it: %v", name, plain)
			}
			of.mu.Lock()
			defer of.mu.Unlock()
			if test.plain && (of.focus == nil || of.focus.Workspace != m.work || len(of.focus.others) > 0) {
				t.Errorf("%s: the focus is %+v", name, of.focus)
			}
		})
	}
}

// TestANamelessEditorIsKnownByItsFirstDocument checks an editor without a name that opens a document long after it has
// started.
func TestANamelessEditorIsKnownByItsFirstDocument(t *testing.T) {
	m := newMachine(t)
	s := newTestServer(t, Options{Home: m.home})
	s.plainAfter = time.Hour
	c := connect(t, s)
	c.call("initialize", fmt.Sprintf(`{"rootUri":%q,"capabilities":{"experimental":{"serverStatusNotification":true}}}`, document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.note("experimental/serverStatus") // the hour has begun
	s.plainAfter = time.Millisecond
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":""}}}`, document.URI(m.work)+"/a.go"))
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	for end := time.Now().Add(30 * time.Second); !of.unasked(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the daemon does not watch for it")
		}
	}
}

// TestANamedEditorIsNotWatchedForAgain checks that a document changes nothing for an editor that has sent its name and
// its folder.
func TestANamedEditorIsNotWatchedForAgain(t *testing.T) {
	s := newTestServer(t, Options{})
	c := connect(t, s)
	c.call("initialize", `{"clientInfo":{"name":"An Editor"},"rootUri":"file:///w","capabilities":{}}`)
	s.plainAfter = 0 // initialized has not come
	s.eachConnection(func(of *connection) {
		of.setPhase(func(phase) phase { return phaseRunning })
		of.noteEditor("file:///w/a.go")
		time.Sleep(20 * time.Millisecond)
		if of.unasked() {
			t.Error("the daemon watches for it")
		}
	})
}

// TestOnlyDocumentsOfAnEditorWithoutAFolderAreRemembered checks whose documents' folders are watched: those of editors
// that send no folder, if they have one.
func TestOnlyDocumentsOfAnEditorWithoutAFolderAreRemembered(t *testing.T) {
	m := newMachine(t)
	uri := document.URI(m.work) + "/a.go"
	for name, test := range map[string]struct{ folders, uri, watch, want string }{
		"no folder":           {"[]", uri, "", m.work},
		"a document unsaved":  {"[]", "untitled:1", "", ""},
		"a folder":            {fmt.Sprintf(`[{"uri":%q}]`, document.URI(m.home)), uri, "", ""},
		"it watches itself":   {"[]", uri, "ctx/watch", ""},
		"both, and unsaved":   {fmt.Sprintf(`[{"uri":%q}]`, document.URI(m.home)), "untitled:1", "", ""},
		"it stopped watching": {"[]", uri, "ctx/unwatch", m.work},
	} {
		s := newTestServer(t, Options{})
		s.plainAfter = time.Hour
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{},"workspaceFolders":`+test.folders+`}`)
		c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		if test.watch != "" {
			c.call(test.watch, `{}`)
		}
		s.eachConnection(func(of *connection) {
			of.noteEditor(test.uri)
			if got := strings.Join(of.opened, " "); got != test.want {
				t.Errorf("%s: the folders of its documents are %q, want %q", name, got, test.want)
			}
		})
	}
}

// TestAClientIsPlainUntilItWatches checks for which clients the results of commands are shown.
func TestAClientIsPlainUntilItWatches(t *testing.T) {
	s := newTestServer(t, Options{})
	for method, plain := range map[string]bool{"ctx/sessions": true, "ctx/watch": false, "ctx/unwatch": false} {
		c := start(t, s)
		c.call(method, `{}`)
		s.eachConnection(func(of *connection) {
			if got := of.plain(); got != plain {
				t.Errorf("after %s, it is plain: %v", method, got)
			}
			of.mu.Lock()
			of.watching, of.unwatched = &watch{unasked: true}, false
			of.mu.Unlock()
			if !of.plain() {
				t.Error("a client that the daemon watches for is not plain")
			}
		})
		c.conn.Close()
		c.exitCode()
	}
}

// TestAPlainClientSeesASessionThatWasReadForAnother checks an editor whose session is followed when it connects.
func TestAPlainClientSeesASessionThatWasReadForAnother(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Second, 100_000)
	environment := dirs.New(testSystem, m.home, func(string) string { return "" })
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running})
	s.plainAfter = time.Hour // the test starts the watch
	c := connect(t, s)
	c.call("initialize", fmt.Sprintf(`{"clientInfo":{"name":"An Editor"},"rootUri":%q,"capabilities":{"window":{"workDoneProgress":true}}}`, document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.call("ctx/sessions", `{}`)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	other := start(t, s)
	other.call("ctx/watch", `{}`)
	shownIs(other, firstID, "waiting for prompt")
	of.watchIfPlain()
	of.mu.Lock()
	sent := of.focus.sent
	of.mu.Unlock()
	if sent == "" {
		t.Error("the client has no session")
	}
	if got := string(c.kept("$/progress").Params); !strings.Contains(got, "50% · 67k left") {
		t.Errorf("the progress is %s", got)
	}
}

// TestOfSeveralFoldersTheFirstLiveSessionIsShown checks which session a plain client with several folders is shown.
func TestOfSeveralFoldersTheFirstLiveSessionIsShown(t *testing.T) {
	for _, test := range []struct{ sessions, want string }{
		{"", ""},
		{"a:idle b:idle", "a"},
		{"a:idle b:working c:working", "b"},
		{"b:idle", "b"},
		{"b:idle c:waiting", "c"},
		{"a:working b:working", "a"},
		{"b:working c:working", "b"},
		{"d:working", ""},
		{"a:ended c:idle d:working", "a"},
	} {
		engine := &modelEngine{fakeEngine: newFakeEngine()}
		s := newTestServer(t, Options{Engine: using(engine)})
		c := start(t, s)
		for _, each := range strings.Fields(test.sessions) {
			folder, activity, _ := strings.Cut(each, ":")
			engine.set(fmt.Sprintf(`,"activity":%q`, activity))
			c.call("ctx/session/open", fmt.Sprintf(`{"id":%q,"workspace":%q}`, folder, "/w/"+folder))
		}
		s.eachConnection(func(of *connection) {
			got := ""
			found := of.findIn(&focusWatch{Workspace: "/w/a", others: []string{"/w/b", "/w/c"}})
			if s := shownHere(found); s != nil {
				got = s.id
			}
			if got != test.want {
				t.Errorf("of %q, %q is shown, want %q", test.sessions, got, test.want)
			}
		})
	}
}

// TestTheProgressOfAPlainClientFitsIt checks clients that insert progress into a mode line, and those that refuse it.
func TestTheProgressOfAPlainClientFitsIt(t *testing.T) {
	for name, want := range map[string]string{"emacs": "50%% · 67k left", "An Editor": "50% · 67k left", "deaf": "", "cannot": ""} {
		t.Run(name, func(t *testing.T) {
			m, c := besideASession(t)
			asked := make(chan string, 100)
			c.requests = func(r testMessage) any {
				asked <- r.Method
				if name == "deaf" {
					return errors.New("no")
				}
				return nil
			}
			c.call("initialize", fmt.Sprintf(`{"clientInfo":{"name":%q},"rootUri":%q,"capabilities":{"window":{"workDoneProgress":%v}}}`, name, document.URI(m.work), name != "cannot"))
			c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
			if name == "cannot" {
				asked <- "window/workDoneProgress/create"
			}
			if method, came := receive(30*time.Second, asked); !came || method != "window/workDoneProgress/create" {
				t.Fatalf("%s is asked for %q", name, method)
			}
			var p struct {
				Value struct {
					Kind, Title, Message string
					Cancellable          bool
				}
			}
			if want != "" {
				if json.Unmarshal(c.note("$/progress").Params, &p); p.Value.Kind != "begin" || p.Value.Cancellable || p.Value.Title != "ctx" || p.Value.Message != want {
					t.Errorf("%s is shown %+v, want %q", name, p.Value, want)
				}
				return
			}
			m.session(firstID, 2, m.work, 0, 120_000)
			var r struct{ Used int64 }
			for end := time.Now().Add(30 * time.Second); r.Used < 120_000; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the session is not read")
				}
				json.Unmarshal(c.ask("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, firstID)).Result, &r)
			}
			m.server.eachConnection(func(of *connection) { of.showQuietly(of.findIn(&focusWatch{Workspace: m.work})) })
			c.conn.Close()
			c.exitCode()
			for n := range c.notes {
				if n.Method == "$/progress" {
					t.Errorf("a client that %s show progress is sent %s", name, n.Params)
				}
			}
			if len(asked) > 0 {
				t.Errorf("a client that %s show progress is asked for %s", name, <-asked)
			}
		})
	}
}
