// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTitlesComeFromTheAgentsOwnIndex protects what a session is called where its records do not tell: the newest name
// in the index counts, and a prompt never becomes a title.
func TestTitlesComeFromTheAgentsOwnIndex(t *testing.T) {
	home := t.TempDir()
	put := func(path, text string) string {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rollout := put(".codex/sessions/2026/03/02/rollout-x.jsonl", "{}\n")
	put(".codex/session_index.jsonl", `{"id":"a","thread_name":"The parser","updated_at":"1"}
{"id":"ab","thread_name":"Another","updated_at":"2"}
{"id":"a","thread_name":"The parser, anew","updated_at":"3"}
{"id":"a","thread_na`)
	if got := IndexedTitle(transcript.Session{ID: "a", Agent: "codex", Path: rollout}); got != "The parser, anew" {
		t.Errorf("Codex's thread is called %q", got)
	}
	if got := IndexedTitle(transcript.Session{ID: "c", Agent: "codex", Path: rollout}); got != "" {
		t.Errorf("a thread without a name is called %q", got)
	}

	events := `{"type":"session.start","data":{"sessionId":"s"}}
{"type":"user.message","data":{"content":"Fix the   total of the invoice, it is off"}}
`
	for i, c := range []struct{ yaml, want string }{
		{"id: s\nsummary: A cent was lost # by rounding\nsummary_count: 1\n", "A cent was lost"},
		{"summary: \"Cents: \\\"lost\\\"\"\n", `Cents: "lost"`},
		{"summary: 'It''s a cent'\n", "It's a cent"},
		{"summary: |-\n  A cent\n  was lost\ncwd: /w\n", "A cent was lost"},
		{"name: cents\nsummary: Fix the total\n", "cents"},
		{"summary: Fix the total of the…\n", ""},
		{"summary: Fix the total of the invoice, it is off\n", ""},
		{"summary: null\n", ""},
		{"summary: [a]\n", ""},
		{"cwd: /w\n", ""},
	} {
		folder := filepath.Join(".copilot/session-state", string(rune('a'+i)))
		path := put(filepath.Join(folder, "events.jsonl"), events)
		put(filepath.Join(folder, "workspace.yaml"), c.yaml)
		if got := IndexedTitle(transcript.Session{ID: "s", Agent: "copilot-cli", Path: path}); got != c.want {
			t.Errorf("%q gives the title %q, not %q", c.yaml, got, c.want)
		}
	}
}

// TestWhatTheFirstRecordSays checks the records with which Codex, Copilot CLI and gptme begin a session.
func TestWhatTheFirstRecordSays(t *testing.T) {
	for record, want := range map[string]string{
		`{"type":"session_meta","payload":{"id":"i","cwd":"/w","cli_version":"0.9","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}},"agent_nickname":"Ada","agent_role":"explorer"}}`: "true i /w 0.9 p Ada",
		`{"type":"session_meta","payload":{"id":"i","agent_role":"explorer","source":{"subagent":"review"}}}`:                                                                                        "true i    explorer",
		`{"type":"session_meta","payload":{"id":"i","source":{"subagent":"review"}}}`:                                                                                                                "true i    review",
		`{"type":"session_meta","payload":{"id":"i","source":{"subagent":7}}}`:                                                                                                                       "true i    ",
		`{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/w"},"copilotVersion":"1.2"}}`:                                                                                            "true s /w 1.2  ",
		`{"type":"other","payload":{"id":"i"},"data":{"sessionId":"s"}}`:                                                                                                                             "false     ",
		`{"role":"user","timestamp":"2026-03-01T10:00:00.123"}`:                                                                                                                                      "false     ",
	} {
		var s transcript.Session
		done := First(&s, parsed([]byte(record)))
		if got := strings.Join([]string{strconv.FormatBool(done), s.ID, s.Workspace, s.Version, s.Parent, s.Label}, " "); got != want {
			t.Errorf("%s\n is %q,\nwant %q", record, got, want)
		}
	}
	for written, want := range map[string]bool{"2026-03-01T10:00:00.123": true, "2026-03-01T10:00:00.1234567890123456789": true, "2026-03-01T10:00:00.12345678901234567890": false, "yesterday": false} {
		s := transcript.Session{Agent: "gptme"}
		if done := First(&s, parsed([]byte(`{"timestamp":"`+written+`"}`))); !done || s.Started.IsZero() == want {
			t.Errorf("%s: %v, begun %v", written, done, s.Started)
		}
	}
}

// TestAnIndexIsReadFromItsEnd checks names in a long index, and those that are too long.
func TestAnIndexIsReadFromItsEnd(t *testing.T) {
	home := t.TempDir()
	index := filepath.Join(home, "session_index.jsonl")
	s := transcript.Session{ID: "a", Agent: "codex", Path: filepath.Join(home, "archived_sessions", "r.jsonl")}
	entry := func(name string) string { return `{"id":"a","thread_name":"` + name + `"}` + "\n" }
	for _, c := range []struct{ text, want string }{
		{entry("one") + strings.Repeat(" ", indexTail-1) + "\n", ""},
		{entry("one") + strings.Repeat(" ", indexTail-1-len(entry("one"))) + "\n", "one"},
		{entry("one") + entry(strings.Repeat("n", maxTitle+1)), "one"},
		{entry("one") + entry(strings.Repeat("n", maxTitle)), strings.Repeat("n", maxTitle)},
		{entry("one") + `{"thread_name":"a"}` + "\n", "one"},
		{"", ""},
	} {
		write(t, index, c.text)
		if got := IndexedTitle(s); got != c.want {
			t.Errorf("an index of %d bytes: %.20q, want %.20q", len(c.text), got, c.want)
		}
	}
	if got := TitleIndex(s); got != index {
		t.Errorf("the index is %s", got)
	}
	for _, path := range []string{filepath.Join(home, "elsewhere", "r.jsonl"), string(filepath.Separator)} {
		if got := TitleIndex(transcript.Session{Agent: "codex", Path: path}); got != "" {
			t.Errorf("the index of %s is %s", path, got)
		}
	}
}
