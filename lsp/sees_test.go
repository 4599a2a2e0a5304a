// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
)

// reads appends a call that reads a file, with its result, to a session.
func (m *machine) reads(id string, n int, path string, lines ...string) {
	at := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339Nano)
	record := func(kind, uuid, parent string, message any) {
		line, _ := json.Marshal(map[string]any{
			"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": id, "version": "2.1.200",
			"cwd": m.work, "gitBranch": "main", "message": message, "timestamp": at,
		})
		m.put(".claude/projects/w/"+id+".jsonl", string(line)+"\n")
	}
	shown := ""
	for i, line := range lines {
		shown += fmt.Sprintf("%6d\t%s\n", i+1, line)
	}
	record("assistant", fmt.Sprint("c", n), fmt.Sprint("a", n), map[string]any{
		"model": "claude-opus-4-6", "id": fmt.Sprint("r", n), "role": "assistant", "stop_reason": "tool_use",
		"content": []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("t", n), "name": "Read", "input": map[string]any{"file_path": path}}},
		"usage":   map[string]any{"input_tokens": 1000, "output_tokens": 5},
	})
	record("user", fmt.Sprint("s", n), fmt.Sprint("c", n), map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("t", n), "content": strings.TrimSuffix(shown, "\n")},
	}})
}

// statesOf returns the ranges of an answer in short.
func statesOf(a *api.SeesAnswer) string {
	var parts []string
	for _, r := range a.Ranges {
		parts = append(parts, fmt.Sprintf("%d-%d %s", r.From, r.To, r.State))
	}
	return strings.Join(parts, ", ")
}

// TestTheRequestsLinesOfAFile checks ctx/sees: for a file, for its text in an editor, and again after another read. A
// file outside of the workspace, also by a link, has no answer, and no text of a file is in one.
func TestTheRequestsLinesOfAFile(t *testing.T) {
	m := newMachine(t)
	box, secret, other := filepath.Join(m.work, "box.go"), "AKIAIOSFODNN7EXAMPLE", filepath.Join(m.home, "other.go")
	lines := []string{"package box", "", "func Open() {}", "func Close() {}"}
	m.put("shop/box.go", strings.Join(append(lines, "func Never() {}"), "\n")+"\n")
	m.put("other.go", strings.Join(lines, "\n")+"\n")
	m.put("shop/"+secret+".go", "package secret\n")
	if err := os.Symlink(other, filepath.Join(m.work, "link.go")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(m.home, filepath.Join(m.work, "up")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(box, filepath.Join(m.work, "inside.go")); err != nil {
		t.Fatal(err)
	}
	m.session(firstID, 1, m.work, 2*time.Minute, 50_000)
	m.reads(firstID, 1, box, lines[:3]...)
	m.reads(firstID, 2, other, lines...)
	m.reads(firstID, 3, filepath.Join(m.work, secret+".go"), "package secret")
	c := m.daemon()
	sees := func(path string, text *string) (a *api.SeesAnswer) {
		t.Helper()
		params, _ := json.Marshal(api.SeesParams{ID: firstID, Path: path, Text: text})
		raw := c.call("ctx/sees", string(params))
		if json.Unmarshal(raw, &a); a == nil || a.Session != firstID || a.Path != path {
			t.Fatalf("%s: %s", path, raw)
		}
		for _, line := range append(lines, secret) {
			if line != "" && strings.Contains(strings.Replace(string(raw), `"path":"`+path, "", 1), line) {
				t.Errorf("%s: the answer has %q: %s", path, line, raw)
			}
		}
		return a
	}
	// The read of three lines reached the file's end, so what comes after it has changed the file since.
	if a := sees(box, nil); statesOf(a) != "1-3 verbatim, 4-5 stale" || a.Lines != 5 || a.Held != 3 || a.Text.Text != "3 of 5 lines are in Claude Code's next request; 2 are stale" ||
		a.Text.ID != "sightStaleMany" || a.Ranges[0].At == nil || *a.Ranges[0].Item != "Read box.go" ||
		a.Ranges[0].Text.Text != "In the next request as it is here (Read box.go)" {
		t.Errorf("%s %+v", statesOf(a), a)
	}
	for _, path := range []string{"box.go", "inside.go", "./box.go"} {
		if a := sees(path, nil); statesOf(a) != "1-3 verbatim, 4-5 stale" {
			t.Errorf("%s: %s", path, statesOf(a))
		}
	}
	for _, path := range []string{other, "link.go", "up/other.go", "../other.go", filepath.Join(m.work, "up", "other.go"), "none.go", "."} {
		why := "not in the workspace"
		if path == "none.go" || path == "." {
			why = "cannot be read"
		}
		if a := sees(path, nil); statesOf(a) != "0-0 unknown" || a.Lines != 0 || a.Held != 0 || a.Text.Text != "Unknown what is in Claude Code's next request: "+why {
			t.Errorf("%s: %s %+v", path, statesOf(a), a.Text)
		}
		text := strings.Join(lines, "\n")
		if a := sees(path, &text); why == "not in the workspace" && statesOf(a) != "0-0 unknown" {
			t.Errorf("the text of %s: %s", path, statesOf(a))
		}
	}
	text := "package box\n\nfunc Opens() {}\n"
	if a := sees(box, &text); statesOf(a) != "1-2 verbatim, 3-3 stale" {
		t.Errorf("the text in the editor: %s", statesOf(a))
	}
	if a := sees(filepath.Join(m.work, secret+".go"), nil); statesOf(a) != "1-1 verbatim" || a.Ranges[0].Item == nil {
		t.Errorf("the name that looks like a secret: %s", statesOf(a))
	}
	m.reads(firstID, 4, box, append(lines, "func Never() {}")...)
	if a := sees(box, nil); statesOf(a) != "1-3 verbatim, 4-5 verbatim" || a.Held != 5 || a.Text.Text != "All 5 lines are in Claude Code's next request" {
		t.Errorf("after another read: %s %+v", statesOf(a), a.Text)
	}
	for params, sentence := range map[string]string{
		`{"path":"a.go"}`:                                  `"id" is missing`,
		`{"id":"nobody","path":"a.go"}`:                    "There is no session",
		fmt.Sprintf(`{"id":%q}`, firstID):                  `"path" is missing`,
		fmt.Sprintf(`{"id":%q,"path":"a","x":1}`, firstID): `"x"`,
	} {
		if m := c.ask("ctx/sees", params); m.Error == nil || !strings.Contains(m.Error.Message, sentence) {
			t.Errorf("%s was answered %+v", params, m)
		}
	}
}

// TestTextsOfSightLinesLeaveMemory checks that a few sessions have their texts in memory, and none after a while.
func TestTextsOfSightLinesLeaveMemory(t *testing.T) {
	m := newMachine(t)
	m.put("shop/box.go", "package box\n")
	s := m.newServer()
	c := start(t, s)
	if s.sights.For != sight.KeptFor {
		t.Errorf("texts are kept for %v", s.sights.For)
	}
	kept := s.sights.Len
	ids := make([]string, sight.MostKept+2)
	for i := range ids {
		ids[i] = fmt.Sprintf("0000000%d-0000-4000-8000-000000000000", i+1)
		m.session(ids[i], 1, m.work, 2*time.Minute, 50_000)
		m.reads(ids[i], 1, "box.go", "package box")
	}
	c.call("ctx/watch", `{}`)
	if n := kept(); n != 0 {
		t.Errorf("%d sessions have texts in memory before anyone asks", n)
	}
	for _, id := range ids {
		c.call("ctx/sees", fmt.Sprintf(`{"id":%q,"path":"box.go"}`, id))
	}
	if n := kept(); n != sight.MostKept {
		t.Errorf("%d sessions have texts in memory, expected %d", n, sight.MostKept)
	}
	s.sights.For = time.Millisecond
	for _, id := range ids[2:] {
		c.call("ctx/sees", fmt.Sprintf(`{"id":%q,"path":"box.go"}`, id))
	}
	for end := time.Now().Add(20 * time.Second); kept() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d sessions still have texts in memory", kept())
		}
	}
}

// TestALensSaysHowManyLinesAreInTheRequest checks the lens above a file: none unless the setting is on, for the text
// that the editor has, and again after the agent has read more.
func TestALensSaysHowManyLinesAreInTheRequest(t *testing.T) {
	m := newMachine(t)
	box := filepath.Join(m.work, "box.go")
	m.put("shop/box.go", "package box\n\nfunc Open() {}\n")
	m.session(firstID, 1, m.work, 2*time.Minute, 50_000)
	m.reads(firstID, 1, box, "package box", "", "func Open() {}")
	s := m.newServer()
	c := connect(t, s)
	c.requests = func(testMessage) any { return nil }
	c.call("initialize", fmt.Sprintf(`{"processId":null,"rootUri":%q,"workspaceFolders":[{"uri":%q,"name":"shop"}],"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}`, document.URI(m.work), document.URI(m.work)))
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.call("ctx/watch", `{}`)
	uri := document.URI(box)
	open, _ := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "go", "version": 1, "text": "package box\n\nfunc Opens() {}\n"}})
	c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":` + string(open) + `}`)
	lens := func() string {
		return string(c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)))
	}
	if got := lens(); got != "[]" {
		t.Errorf("the setting is off: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"sight":true}}}`)
	await := func(want string) {
		t.Helper()
		got := ""
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if got = lens(); strings.Contains(got, want) && strings.Contains(got, `{"start":{"line":0,"character":0}`) {
				return
			}
		}
		t.Fatalf("the lens is %s, expected %s", got, want)
	}
	await("2 of 3 lines are in Claude Code's next request; 1 is stale")
	m.reads(firstID, 2, box, "package box", "", "func Opens() {}")
	await("All 3 lines are in Claude Code's next request")
	c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"sight":false}}}`)
	last := lens()
	for end := time.Now().Add(20 * time.Second); last != "[]" && time.Now().Before(end); last = lens() {
		time.Sleep(10 * time.Millisecond)
	}
	if last != "[]" {
		t.Errorf("the setting is off again: %s", last)
	}
}
