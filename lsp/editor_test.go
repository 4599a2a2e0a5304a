// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// An askedEditor is a client that answers the daemon's requests, and keeps them.
type askedEditor struct {
	*testClient
	asked   chan testMessage
	answers map[string]any
}

// editor connects an editor with the given capabilities.
func editor(t *testing.T, s *Server, params string, answers map[string]any) *askedEditor {
	t.Helper()
	e := &askedEditor{connect(t, s), make(chan testMessage, 1000), answers}
	e.requests = func(m testMessage) any { e.asked <- m; return e.answers[m.Method] }
	e.call("initialize", params)
	e.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return e
}

// request returns the next request of the daemon.
func (e *askedEditor) request() testMessage {
	e.t.Helper()
	m, came := receive(30*time.Second, e.asked)
	if !came {
		e.t.Fatal("the daemon asks for nothing within 30 s")
	}
	return m
}

const ableEditor = `{"workspace":{"configuration":true,"didChangeConfiguration":{"dynamicRegistration":true},"didChangeWatchedFiles":{"dynamicRegistration":true},
	"codeLens":{"refreshSupport":true},"inlayHint":{"refreshSupport":true},"diagnostics":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}}`

// TestAnEditorIsAskedForWhatItSupports checks the requests after initialized: notifications of changed settings and
// files are registered, the settings are requested, and everything shown is refreshed when they have changed.
func TestAnEditorIsAskedForWhatItSupports(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	e := editor(t, s, `{"capabilities":`+ableEditor+`,"initializationOptions":{"model":"gpt-5.5"}}`,
		map[string]any{"workspace/configuration": []any{map[string]any{"promptFiles": map[string]any{"inlayHints": false}}}})
	var registered struct {
		Registrations []struct {
			ID, Method      string
			RegisterOptions struct {
				Section  string
				Watchers []struct{ GlobPattern string }
			}
		}
	}
	first := e.request()
	if err := json.Unmarshal(first.Params, &registered); err != nil || first.Method != "client/registerCapability" || len(registered.Registrations) != 2 {
		t.Fatalf("the first request is %s %s", first.Method, first.Params)
	}
	settings, files := registered.Registrations[0], registered.Registrations[1]
	if settings.ID == files.ID || settings.Method != "workspace/didChangeConfiguration" || settings.RegisterOptions.Section != "ctx" ||
		files.Method != "workspace/didChangeWatchedFiles" || len(files.RegisterOptions.Watchers) != len(document.WatchedGlobs()) || files.RegisterOptions.Watchers[0].GlobPattern == "" {
		t.Errorf("registered is %s", first.Params)
	}
	if m := e.request(); m.Method != "workspace/configuration" || string(m.Params) != `{"items":[{"section":"ctx"}]}` {
		t.Errorf("the second request is %s %s", m.Method, m.Params)
	}
	refreshed := func(when string) {
		t.Helper()
		var methods []string
		for range 3 {
			methods = append(methods, e.request().Method)
		}
		slices.Sort(methods)
		if !slices.Equal(methods, []string{"workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/inlayHint/refresh"}) {
			t.Errorf("%s, these are requested: %v", when, methods)
		}
	}
	refreshed("after the settings have changed")
	e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/CLAUDE.md","version":1,"text":"# a\n"}}}`)
	if hints := e.call("textDocument/inlayHint", `{"textDocument":{"uri":"file:///w/CLAUDE.md"},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}}`); string(hints) != "[]" {
		t.Errorf("hints that are switched off: %s", hints)
	}
	if diagnostics := e.call("textDocument/diagnostic", `{"textDocument":{"uri":"file:///w/CLAUDE.md"}}`); !strings.Contains(string(diagnostics), `"kind":"full"`) {
		t.Errorf("pulled diagnostics: %s", diagnostics)
	}
	// A notification about changed settings has none with it; they are requested again.
	e.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"ctx":{"promptFiles":{"inlayHints":true}}}}}`)
	if m := e.request(); m.Method != "workspace/configuration" {
		t.Errorf("after a change of settings: %s", m.Method)
	}
	e.call("ctx/sessions", `{}`)
	if len(e.asked) != 0 {
		t.Errorf("settings that are the same refresh something: %s", e.request().Method)
	}
	e.quiet("textDocument/publishDiagnostics", 2*pushAfter)
}

// TestAnEditorIsNotAskedForAnythingElse checks that a client gets only requests that it supports.
func TestAnEditorIsNotAskedForAnythingElse(t *testing.T) {
	for capability, want := range map[string]string{
		"":                                    "",
		`,"workspace":{"configuration":true}`: "workspace/configuration",
		`,"workspace":{"didChangeConfiguration":{"dynamicRegistration":true}}`: "client/registerCapability didChangeConfiguration",
		`,"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}`:  "client/registerCapability didChangeWatchedFiles",
	} {
		e := editor(t, newTestServer(t, Options{}), `{"capabilities":{"experimental":{"serverStatusNotification":true}`+capability+`}}`, nil)
		e.note("experimental/serverStatus") // the last step after initialized
		got := ""
		for len(e.asked) > 0 {
			m := e.request()
			got += m.Method
			for _, registered := range []string{"didChangeConfiguration", "didChangeWatchedFiles"} {
				if strings.Contains(string(m.Params), registered) {
					got += " " + registered
				}
			}
		}
		if got != want {
			t.Errorf("with %s, these are requested: %q", capability, got)
		}
	}
}

// TestCapabilitiesAreThoseThatTheEditorCanUse checks the parts of the result of initialize that depend on the client.
func TestCapabilitiesAreThoseThatTheEditorCanUse(t *testing.T) {
	for params, want := range map[string]string{
		`{"capabilities":{}}`: "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"diagnostic":null}}}`:                                         "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"diagnostic":{}}}}`:                                           "utf-16 resolves:false pulled:true",
		`{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}`:                                  "utf-8 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"inlayHint":{"resolveSupport":{"properties":[]}}}}}`:          "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"inlayHint":{"resolveSupport":{"properties":["tooltip"]}}}}}`: "utf-16 resolves:true pulled:false",
	} {
		var result struct {
			Capabilities struct {
				PositionEncoding   string
				InlayHintProvider  struct{ ResolveProvider bool }
				DiagnosticProvider *struct{ Identifier string }
				TextDocumentSync   struct {
					OpenClose bool
					Change    int
					Save      struct{ IncludeText bool }
				}
				HoverProvider, DocumentSymbolProvider bool
				Workspace                             struct {
					WorkspaceFolders struct{ Supported, ChangeNotifications bool }
				}
				Experimental struct{ Ctx struct{ Protocol int } }
			}
		}
		c := connect(t, newTestServer(t, Options{}))
		raw := c.call("initialize", params)
		if err := json.Unmarshal(raw, &result); err != nil {
			t.Fatal(err)
		}
		r := result.Capabilities
		if got := fmt.Sprintf("%s resolves:%v pulled:%v", r.PositionEncoding, r.InlayHintProvider.ResolveProvider, r.DiagnosticProvider != nil); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
		folders := r.Workspace.WorkspaceFolders
		if !r.HoverProvider || r.DocumentSymbolProvider || !r.TextDocumentSync.OpenClose || r.TextDocumentSync.Change != 2 || r.TextDocumentSync.Save.IncludeText ||
			!strings.Contains(string(raw), `"documentLinkProvider":{"resolveProvider":false}`) || !strings.Contains(string(raw), `"codeLensProvider":{"resolveProvider":false}`) ||
			!folders.Supported || !folders.ChangeNotifications || r.Experimental.Ctx.Protocol != 1 {
			t.Errorf("%s: %s", params, raw)
		}
	}
}

// TestTheFoldersOfAnEditorBoundItsImports checks where a client's folders come from, and that they can change: what is
// imported from a file outside of them is not read.
func TestTheFoldersOfAnEditorBoundItsImports(t *testing.T) {
	root := real(t, t.TempDir())
	work, other := filepath.Join(root, "work"), filepath.Join(root, "other")
	for _, dir := range []string{work, other} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "a.md"), []byte("imported\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := func(dir string) string { return string(quotedPath(dir)) }
	folders := func(uris ...string) string {
		list := []map[string]string{}
		for _, uri := range uris {
			list = append(list, map[string]string{"uri": uri, "name": "x"})
		}
		text, _ := json.Marshal(list)
		return string(text)
	}
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	for params, inside := range map[string]bool{
		`"rootUri":` + path(document.URI(work)):                                                                       true,
		`"rootPath":` + path(work):                                                                                    true,
		`"rootUri":` + path(document.URI(other)):                                                                      false,
		`"rootUri":` + path(document.URI(other)) + `,"rootPath":` + path(work):                                        false,
		`"rootUri":` + path(document.URI(other)) + `,"workspaceFolders":` + folders(document.URI(work)):               true,
		`"rootUri":` + path(document.URI(work)) + `,"workspaceFolders":` + folders("untitled:x"):                      true,
		`"workspaceFolders":` + folders(document.URI(other), document.URI(work)):                                      true,
		`"rootUri":` + path(document.URI(work)) + `,"rootPath":"","workspaceFolders":` + folders(document.URI(other)): false,
	} {
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{"textDocument":{"diagnostic":{}}},`+params+`}`)
		c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		uri := document.URI(work) + "/CLAUDE.md"
		isInside := func() bool {
			result := string(c.call("textDocument/diagnostic", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)))
			return !strings.Contains(result, `"import-outside"`)
		}
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":"@a.md\n"}}}`, uri))
		if got := isInside(); got != inside {
			t.Errorf("%s: its import is inside: %v", params, got)
		}
		change := func(added, removed string) {
			c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":` + added + `,"removed":` + removed + `}}}`)
		}
		change(`[]`, folders(document.URI(work)))
		if isInside() {
			t.Errorf("%s: the import is inside a folder that was removed", params)
		}
		change(folders(document.URI(work)), folders(document.URI(other)))
		if !isInside() {
			t.Errorf("%s: the import is outside a folder that was added", params)
		}
	}
}

func quotedPath(path string) []byte {
	text, _ := json.Marshal(path)
	return text
}

// TestReceivedMessagesAreTracedOnRequest checks that a trace names the methods and sizes of messages, and none of their
// content.
func TestReceivedMessagesAreTracedOnRequest(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	c.call("ctx/sessions", `{}`)
	for _, test := range []struct{ value, more string }{
		{"messages", ""},
		{"nonsense", ""},
		{"Verbose", `,"verbose":"11 bytes of params, id ID"`},
	} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":%q}}`, test.value))
		id, answered := c.begin("ctx/sessions", `{"mode":""}`)
		c.wait(answered)
		want, got := `{"message":"received ctx/sessions"`+strings.ReplaceAll(test.more, "ID", id)+"}", ""
		for !strings.Contains(got, "ctx/sessions") { // before it, the change of the trace may be traced
			got = string(c.note("$/logTrace").Params)
		}
		if got != want {
			t.Errorf("after %s: %s, want %s", test.value, got, want)
		}
	}
	c.send(`{"jsonrpc":"2.0","method":"other/thing","params":{"a":1}}`)
	if got := string(c.note("$/logTrace").Params); got != `{"message":"received other/thing","verbose":"7 bytes of params"}` {
		t.Errorf("a notification: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}`)
	c.call("ctx/sessions", `{}`)
	c.conn.Close()
	c.exitCode()
	for m := range c.notes {
		if strings.Contains(string(m.Params), "ctx/sessions") {
			t.Errorf("a trace that is off has %s", m.Params)
		}
	}
}

// TestTheDaemonsLogHasTheWarningsOfItsClients checks which messages to a client are also in the daemon's log.
func TestTheDaemonsLogHasTheWarningsOfItsClients(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	for kind, logged := range map[int]bool{messageError: true, messageWarning: true, messageInfo: false} {
		message := fmt.Sprint("a message of kind ", kind)
		s.eachConnection(func(of *connection) { of.logMessage(kind, message) })
		if got, want := string(c.note("window/logMessage").Params), fmt.Sprintf(`{"message":%q,"type":%d}`, message, kind); got != want {
			t.Errorf("the client is sent %s, want %s", got, want)
		}
		if got := strings.Contains(log.String(), message); got != logged {
			t.Errorf("the log has the message of kind %d: %v", kind, got)
		}
	}
	s.eachConnection(func(of *connection) { of.notify("test/nothing", func() {}) })
	if !strings.Contains(log.String(), "a notification could not be written") {
		t.Error("the log does not have a notification that cannot be written")
	}
}

// TestAHoverHasAFormatThatTheEditorShows checks that Markdown is sent only to editors that show it.
func TestAHoverHasAFormatThatTheEditorShows(t *testing.T) {
	for formats, markdown := range map[string]bool{`[]`: false, `["plaintext"]`: false, `["plaintext","markdown"]`: true, `["markdown","plaintext"]`: true} {
		s := newTestServer(t, Options{})
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{"textDocument":{"hover":{"contentFormat":`+formats+`}}}}`)
		s.eachConnection(func(of *connection) {
			if got := of.about().markdownHover; got != markdown {
				t.Errorf("%s: Markdown is sent: %v", formats, got)
			}
		})
	}
}

// TestSettingsOfTheUserApplyUnlessTheEditorSendsOthers checks the order of settings: the editor's, then the user's.
func TestSettingsOfTheUserApplyUnlessTheEditorSendsOthers(t *testing.T) {
	for sent, want := range map[string]Settings{
		`null`:                        {Model: "gpt-5.5", Agent: "codex"},
		`{"agent":"cursor"}`:          {Model: "gpt-5.5", Agent: "cursor"},
		`{"ctx":{"model":"gpt-4.1"}}`: {Model: "gpt-4.1", Agent: "codex"},
		`{"watch":true,"ctx":1}`:      {Model: "gpt-5.5", Agent: "codex", Watch: true},
	} {
		s := newTestServer(t, Options{Defaults: json.RawMessage(`{"model":"gpt-5.5","agent":"codex","watch":false,"notify":{"level":"over"}}`)})
		c := connect(t, s)
		c.call("initialize", `{"capabilities":{},"initializationOptions":`+sent+`}`)
		s.eachConnection(func(of *connection) {
			got := of.currentSettings()
			if got.Model != want.Model || got.Agent != want.Agent || got.Watch != want.Watch || got.Notify.Level != "over" {
				t.Errorf("%s: %+v", sent, got)
			}
		})
	}
}

// TestWrongSettingsAreReported checks settings that are not an object, and a level that does not exist.
func TestWrongSettingsAreReported(t *testing.T) {
	before := defaultSettings()
	before.Notify.Level = "soon"
	for sent, want := range map[string]string{
		`[1]`:                          "soon The settings are ignored, because they are not an object.",
		`7`:                            "soon The settings are ignored, because they are not an object.",
		`{"notify":{"level":"often"}}`: `none The setting ctx.notify.level is ignored: "often" is not one of none, soon, now, over.`,
		`{"notify":{"level":"none"}}`:  "none ",
		`{"notify":{"level":"over"}}`:  "over ",
		`{"other":{"level":1}}`:        "soon ",
	} {
		got, problems := readSettings(before, []byte(sent))
		if text := got.Notify.Level + " " + strings.Join(problems, " "); text != want {
			t.Errorf("%s: %s", sent, text)
		}
	}
}

// TestFoldersOfAnEditorsExtensionsAreSearched checks that sessions in the storage of an editor's extensions are found,
// wherever the editor keeps it, and that a folder named once stays.
func TestFoldersOfAnEditorsExtensionsAreSearched(t *testing.T) {
	home := real(t, t.TempDir())
	storage := filepath.Join(home, "portable", "globalStorage")
	source := sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }})
	c := connect(t, newTestServer(t, Options{Engine: realEngine(t, "native"), Home: home, Source: source}))
	c.call("initialize", fmt.Sprintf(`{"capabilities":{},"initializationOptions":{"globalStorage":[%s]}}`, quotedPath(document.URI(storage))))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.call("ctx/watch", `{}`)
	other := filepath.Join(home, "other")
	for _, settings := range []string{`{"model":""}`, fmt.Sprintf(`{"globalStorage":[%s]}`, quotedPath(other))} {
		c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"ctx":` + settings + `}}}`)
	}
	var got []string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && !slices.Equal(got, []string{storage, other}); time.Sleep(5 * time.Millisecond) {
		got = source.Environment().Storages
	}
	if !slices.Equal(got, []string{storage, other}) {
		t.Errorf("these folders are searched: %q", got)
	}
}

// TestTheSessionOfAPromptFile checks which session's model counts the prompt files of an agent: that of the focused
// session, otherwise of the newest one in the first folder that has one; the user's choice takes precedence.
func TestTheSessionOfAPromptFile(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{},"workspaceFolders":[{"uri":"file:///w/empty"},{"uri":"file:///w/one"},{"uri":"file:///w/two"}]}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	counting := func(chosen, agent, model string, limit int64) {
		t.Helper()
		of.mu.Lock()
		of.settings.Model = chosen
		of.mu.Unlock()
		if got := of.countingFor(agent); got != (document.Counting{Model: model, Limit: limit}) {
			t.Errorf("with the choice %q, the files of %q are counted with %+v, want %s and %d", chosen, agent, got, model, limit)
		}
	}
	counting("", "", "", 0)
	counting("gpt-5", "", "gpt-5", 0)
	for n, params := range []string{
		`{"id":"one","agent":"codex","model":"gpt-4.1","limits":{"window":1000},"workspace":"/w/one"`,
		`{"id":"newer","agent":"claude-code","agentVersion":"2.1.200","model":"claude-opus-4-5","limits":{"window":2000},"workspace":"/w/one"`,
		`{"id":"child","parent":"one","agent":"gemini-cli","model":"gpt-5","limits":{"window":3000},"workspace":"/w/one"`,
		`{"id":"other","agent":"cursor","model":"gpt-5","limits":{"window":4000},"workspace":"/w/other"`,
		`{"id":"two","agent":"codex","model":"gpt-5","limits":{"window":5000},"workspace":"/w/two"`,
		`{"id":"none","agent":"goose","limits":{"window":6000},"workspace":"/w/one"`,
	} {
		c.call("ctx/session/open", fmt.Sprintf(`%s,"at":%d}`, params, n+1))
	}
	counting("", "", "claude-opus-4-5", 2000)
	counting("", "codex", "gpt-4.1", 1000)
	counting("", "cursor", "", 0) // it works elsewhere
	counting("", "gemini-cli", "", 0)
	counting("", "goose", "", 0)
	counting("gpt-4.1", "codex", "gpt-4.1", 1000)
	counting("gpt-4o", "codex", "gpt-4o", 0)
	c.call("ctx/focus", `{"session":"two"}`)
	counting("", "", "gpt-5", 5000)
	counting("", "claude-code", "claude-opus-4-5", 2000)
	c.call("ctx/session/update", `{"id":"newer","mcpTools":[{"label":"mcp__big__a","tokens":21000}]}`)
	if got := of.running("claude-code"); got == nil || got.Model != "claude-opus-4-5" || got.Limit != 2000 || got.Version != "2.1.200" || len(got.Servers) != 1 || got.Servers[0].Name != "big" {
		t.Errorf("the session of Claude Code is %+v", got)
	}
	if got := of.running("cursor"); got != nil {
		t.Errorf("elsewhere there is %+v", got)
	}
	// Sessions of other tests have the same names in this engine.
	for _, id := range []string{"child", "one", "newer", "other", "two", "none"} {
		c.call("ctx/session/close", `{"id":"`+id+`"}`)
	}
}

// TestTheWorkspaceOfASettingsFile checks the workspace with which a file of settings is explained: the last of the
// client's folders that contains it, otherwise the first.
func TestTheWorkspaceOfASettingsFile(t *testing.T) {
	home := real(t, t.TempDir())
	source := sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }})
	s := newTestServer(t, Options{Home: home, Source: source})
	c := connect(t, s)
	folder := func(name string) string { return filepath.Join(home, name) }
	c.call("initialize", fmt.Sprintf(`{"capabilities":{},"workspaceFolders":[{"uri":%q},{"uri":%q},{"uri":%q}]}`, document.URI(folder("a")), document.URI(folder("b")), document.URI(folder("c"))))
	s.eachConnection(func(of *connection) {
		for file, want := range map[string]string{"a/x.json": "a", "b/.claude/x.json": "b", "c/x.json": "c", "elsewhere/x.json": "a"} {
			if got := of.written(folder(file)); got == nil || got.Workspace != folder(want) || got.Scope != of.scope+" settings" || got.Environment.Home != home {
				t.Errorf("%s is explained in %+v, want %s", file, got, want)
			}
		}
	})
	nowhere := newTestServer(t, Options{})
	start(t, nowhere)
	nowhere.eachConnection(func(of *connection) {
		if got := of.written(folder("a/x.json")); got != nil {
			t.Errorf("without a machine there is %+v", got)
		}
	})
}

// TestFilesThatImportAClosedOneAreShownAgain checks that an editor is asked to refresh when a document is closed that
// another one imports, because the file on disk may differ, and only then.
func TestFilesThatImportAClosedOneAreShownAgain(t *testing.T) {
	work := real(t, t.TempDir())
	if err := os.WriteFile(filepath.Join(work, "a.md"), []byte("imported\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := document.URI(work)
	e := editor(t, newTestServer(t, Options{Engine: realEngine(t, "native")}), fmt.Sprintf(`{"rootUri":%q,"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}`, folder), nil)
	open := func(name, text string) {
		e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":%q}}}`, folder+"/"+name, text))
	}
	closes := func(name string) {
		e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, folder+"/"+name))
		e.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, folder+"/CLAUDE.md"))
	}
	open("CLAUDE.md", "@a.md\n")
	open("b.md", "not imported\n")
	closes("b.md")
	open("a.md", "imported, and edited\n")
	if m := e.request(); m.Method != "workspace/codeLens/refresh" {
		t.Errorf("after an imported file was opened, the editor is asked for %s", m.Method)
	}
	if n := len(e.asked); n > 0 {
		t.Errorf("%d more requests", n)
	}
	closes("a.md")
	if m := e.request(); m.Method != "workspace/codeLens/refresh" {
		t.Errorf("after it was closed, the editor is asked for %s", m.Method)
	}
}

// TestADocumentThatIsClosedHasNoProblems checks that problems found after a document was closed are not sent.
func TestADocumentThatIsClosedHasNoProblems(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	c := start(t, s)
	about := `"textDocument":{"uri":"file:///w/CLAUDE.md"`
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{` + about + `,"version":1,"text":"@gone.md\n"}}}`)
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{` + about + `}}}`)
	for _, version := range []int{0, 7} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/%d/CLAUDE.md","version":%d,"text":"@gone.md\n"}}}`, version, version))
	}
	got := map[string]string{}
	for len(got) < 3 {
		var p struct {
			URI         string
			Version     *int
			Diagnostics []json.RawMessage
		}
		json.Unmarshal(c.note("textDocument/publishDiagnostics").Params, &p)
		version := -1
		if p.Version != nil {
			version = *p.Version
		}
		got[p.URI] += fmt.Sprintf("%d:%d ", version, len(p.Diagnostics))
	}
	s.lanes.Wait()
	if want := map[string]string{"file:///w/CLAUDE.md": "-1:0 ", "file:///w/0/CLAUDE.md": "0:1 ", "file:///w/7/CLAUDE.md": "7:1 "}; !maps.Equal(got, want) {
		t.Errorf("sent are %q, want %q", got, want)
	}
	c.quiet("textDocument/publishDiagnostics", 0)
}

// TestANotificationWithoutSettingsChangesNone checks workspace/didChangeConfiguration of clients that send the settings
// with it, and of those that send none.
func TestANotificationWithoutSettingsChangesNone(t *testing.T) {
	s := newTestServer(t, Options{})
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{},"initializationOptions":{"model":"gpt-5","agent":"codex"}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for _, test := range []struct{ params, model string }{
		{`{}`, "gpt-5"}, {`{"settings":{"ctx":{"model":"gpt-4.1"}}}`, "gpt-4.1"}, {`{"settings":null}`, "gpt-4.1"}, {`{}`, "gpt-4.1"}, {`{"settings":{}}`, "gpt-5"},
	} {
		c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":` + test.params + `}`)
		c.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/x.md"}}`) // the notification was handled
		s.eachConnection(func(of *connection) {
			if got := of.currentSettings(); got.Model != test.model || got.Agent != "codex" {
				t.Errorf("after %s: %+v", test.params, got)
			}
		})
	}
}

// TestAnotherModelRefreshesWhatDependsOnIt checks that an editor is asked to refresh for another model only if a file
// that is open depends on the session.
func TestAnotherModelRefreshesWhatDependsOnIt(t *testing.T) {
	home := real(t, t.TempDir())
	source := sessions.NewFinder(dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }})
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Home: home, Source: source})
	e := editor(t, s, fmt.Sprintf(`{"rootUri":%q,"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}`, document.URI(home)), nil)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	open := func(name, text string) {
		e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":%q}}}`, document.URI(home)+"/"+name, text))
		e.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, document.URI(home)+"/"+name))
	}
	open("CLAUDE.md", "# a\n")
	of.documents.modelsChanged() // the file is counted for the same model
	of.documents.filesChanged()  // it imports none
	of.documents.showAgain()     // so that there is one request
	e.request()
	e.call("ctx/sessions", `{}`)
	if n := len(e.asked); n != 0 {
		t.Errorf("%d requests for the same model", n)
	}
	open(".claude/settings.json", "{}")
	of.documents.modelsChanged()
	if m := e.request(); m.Method != "workspace/codeLens/refresh" {
		t.Errorf("the editor is asked for %s", m.Method)
	}
}

// TestDocumentsOfADisconnectedClientAreClosed checks that the engine closes the documents that a client has opened with
// ctx/document/open, and only those that are open.
func TestDocumentsOfADisconnectedClientAreClosed(t *testing.T) {
	s, counting := oneInstance(t, "ctx/document/close", "")
	c := start(t, s)
	for _, id := range []string{"a", "b", "c"} {
		c.call("ctx/document/open", `{"id":"`+id+`","set":"s","path":"AGENTS.md","text":"# one"}`)
	}
	c.call("ctx/document/close", `{"id":"b","set":"s"}`)
	c.conn.Close()
	c.exitCode()
	if n := counting.done.Load(); n != 3 {
		t.Errorf("%d documents were closed", n)
	}
}

// TestDiagnosticsAreRefreshedForEditorsThatPullThem checks which editors are asked to pull their diagnostics again.
func TestDiagnosticsAreRefreshedForEditorsThatPullThem(t *testing.T) {
	for capabilities, want := range map[string]int{
		`"workspace":{"codeLens":{"refreshSupport":true},"diagnostics":{"refreshSupport":true}}`:                                  1,
		`"workspace":{"codeLens":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}`:                                       1,
		`"workspace":{"codeLens":{"refreshSupport":true},"diagnostics":{"refreshSupport":true}},"textDocument":{"diagnostic":{}}`: 2,
	} {
		s := newTestServer(t, Options{})
		e := editor(t, s, `{"capabilities":{`+capabilities+`}}`, nil)
		s.eachConnection(func(of *connection) { of.documents.showAgain() })
		for range want {
			e.request()
		}
		e.call("ctx/sessions", `{}`)
		if len(e.asked) > 0 {
			t.Errorf("with %s, the editor is also asked for %s", capabilities, e.request().Method)
		}
	}
}
