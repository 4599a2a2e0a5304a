// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestPulledDiagnosticsSayIfNothingHasChanged checks the result for a client that sends the id of the last one.
func TestPulledDiagnosticsSayIfNothingHasChanged(t *testing.T) {
	c := connect(t, newTestServer(t, Options{Engine: realEngine(t, "native")}))
	c.call("initialize", `{"capabilities":{"textDocument":{"diagnostic":{}}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	document := `"textDocument":{"uri":"file:///w/CLAUDE.md"`
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{` + document + `,"version":1,"text":"# a\n"}}}`)
	pull := func(previous string) (r struct {
		Kind, ResultID string
		Items          *[]json.RawMessage
	},
	) {
		if err := json.Unmarshal(c.call("textDocument/diagnostic", fmt.Sprintf(`{%s},"previousResultId":%q}`, document, previous)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := pull("")
	if first.Kind != "full" || first.ResultID == "" || first.Items == nil {
		t.Errorf("at first: %+v", first)
	}
	if again := pull(first.ResultID); again.Kind != "unchanged" || again.ResultID != first.ResultID || again.Items != nil {
		t.Errorf("again: %+v", again)
	}
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{` + document + `,"version":2},"contentChanges":[{"text":"@../outside.md\n"}]}}`)
	if changed := pull(first.ResultID); changed.Kind != "full" || changed.ResultID == first.ResultID || len(*changed.Items) != 1 {
		t.Errorf("changed: %+v", changed)
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
	for _, call := range []struct{ method, params string }{
		{"ctx/session/open", `{"id":"a","model":"gpt-5"}`},     // refreshes once
		{"ctx/session/update", `{"id":"a","system":5}`},        // the same model
		{"ctx/session/update", `{"id":"a","system":6}`},        // the same model
		{"ctx/session/update", `{"id":"a","model":"gpt-4.1"}`}, // refreshes once more
	} {
		e.call(call.method, call.params)
		for end := time.Now().Add(30 * time.Second); s.followUpDue.Load(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the change is not followed up")
			}
		}
	}
	e.request()
	e.request()
	e.call("ctx/session/close", `{"id":"a"}`)
	if n := len(e.asked); n != 0 {
		t.Errorf("%d more requests, for changes that leave the model", n)
	}
}

// TestAnotherFocusRefreshesWhatDependsOnIt checks that an editor is asked to refresh when its user comes to a session
// of another model.
func TestAnotherFocusRefreshesWhatDependsOnIt(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	e := editor(t, s, `{"rootUri":"file:///w","capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}`, nil)
	e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/CLAUDE.md","version":1,"text":"# a\n"}}}`)
	e.call("textDocument/codeLens", `{"textDocument":{"uri":"file:///w/CLAUDE.md"}}`) // it is open
	for _, call := range []struct{ method, params string }{
		{"ctx/session/open", `{"id":"a","agent":"claude-code","model":"claude-opus-4-5","workspace":"/w","at":1}`},
		{"ctx/session/open", `{"id":"b","agent":"claude-code","model":"claude-sonnet-4-5","workspace":"/w","at":2}`},
		{"ctx/focus", `{"session":"a"}`},
		{"ctx/focus", `{"session":"b"}`},
	} {
		e.call(call.method, call.params)
		if m := e.request(); m.Method != "workspace/codeLens/refresh" {
			t.Errorf("after %s %s, the editor is asked for %s", call.method, call.params, m.Method)
		}
	}
	for _, id := range []string{"a", "b"} {
		e.call("ctx/session/close", `{"id":"`+id+`"}`)
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
