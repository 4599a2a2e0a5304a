// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"log/slog"
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
		`{"capabilities":{"textDocument":{"diagnostic":null}}}`:                                           "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"diagnostic":{}}}}`:                                             "utf-16 resolves:false pulled:true",
		`{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}`:                                    "utf-8 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"inlayHint":{"resolveSupport":{"properties":[]}}}}}`:            "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"inlayHint":{"resolveSupport":{"properties":["textEdits"]}}}}}`: "utf-16 resolves:false pulled:false",
		`{"capabilities":{"textDocument":{"inlayHint":{"resolveSupport":{"properties":["tooltip"]}}}}}`:   "utf-16 resolves:true pulled:false",
	} {
		var result struct {
			Capabilities struct {
				PositionEncoding   string
				InlayHintProvider  struct{ ResolveProvider bool }
				DiagnosticProvider json.RawMessage
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
		if pulled := string(r.DiagnosticProvider); pulled != "" && pulled != `{"identifier":"ctx","interFileDependencies":true,"workspaceDiagnostics":false}` {
			t.Errorf("%s: diagnostics are pulled with %s", params, pulled)
		}
		folders := r.Workspace.WorkspaceFolders
		if !r.HoverProvider || r.DocumentSymbolProvider || !r.TextDocumentSync.OpenClose || r.TextDocumentSync.Change != 2 || r.TextDocumentSync.Save.IncludeText ||
			!strings.Contains(string(raw), `"documentLinkProvider":{"resolveProvider":false}`) || !strings.Contains(string(raw), `"codeLensProvider":{"resolveProvider":false}`) ||
			!folders.Supported || !folders.ChangeNotifications || r.Experimental.Ctx.Protocol != 3 {
			t.Errorf("%s: %s", params, raw)
		}
	}
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
