// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestAMovedProjectFindsItsSession checks that a directory that was moved finds the transcripts that were moved with
// it, and that a directory that still exists keeps its own.
func TestAMovedProjectFindsItsSession(t *testing.T) {
	home := t.TempDir()
	old, now := filepath.Join(home, "old"), filepath.Join(home, "new")
	if err := os.Mkdir(now, 0o755); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(home, ".claude", "projects", agents.ClaudeProjectFolder(now))
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	record := fmt.Sprintf(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","version":"2.1.200","cwd":%q,"message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}`+"\n", old)
	if err := os.WriteFile(filepath.Join(project, "s1.jsonl"), []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	find := func(q Query) []transcript.Session {
		t.Helper()
		f := NewFinder(dirs.New("linux", home, func(string) string { return "" }))
		sessions, _, err := f.Find(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return sessions
	}
	for name, q := range map[string]Query{"near": {Near: now}, "workspace": {Workspace: now}} {
		if sessions := find(q); len(sessions) != 1 || sessions[0].Workspace != now {
			t.Errorf("%s: %+v", name, sessions)
		}
	}
	if sessions := find(Query{}); len(sessions) != 1 || sessions[0].Workspace != old {
		t.Errorf("without a directory the session has the recorded one: %+v", sessions)
	}
	if err := os.Mkdir(old, 0o755); err != nil {
		t.Fatal(err)
	}
	if sessions := find(Query{Near: now}); len(sessions) != 0 {
		t.Errorf("the recorded directory exists: %+v", sessions)
	}
}
