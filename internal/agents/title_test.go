// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
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
