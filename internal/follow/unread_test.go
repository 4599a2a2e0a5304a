// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestAFollowedSessionBecomesOld checks that a followed session gets a new Reading, once, if a newer unread file of its
// agent appears, although nothing was appended to the session.
func TestAFollowedSessionBecomesOld(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.At = time.Now().Add(-time.Hour)
	workspace := dirstest.Whole("/w/a")
	path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, workspace))
	e := newFakeEngine()
	_, updates := following(t, m, e, sessions.Query{Near: workspace})
	await(t, updates, dirstest.UUID1, 2, 30*time.Second)

	m.At = m.At.Add(30 * time.Minute)
	file := m.Put("made/"+dirstest.UUID2+".jsonl", `{"kind":"turn","thread":"9f","body":{"text":"hello"}}`+"\n")
	if err := os.Rename(file, filepath.Join(filepath.Dir(path), filepath.Base(file))); err != nil {
		t.Fatal(err)
	}
	timeout := time.After(90 * time.Second)
	for {
		select {
		case u := <-updates:
			v, _ := json.Parse(u.Reading)
			if n, _ := v.Get("unread").Int64(); u.ID != dirstest.UUID1 || n == 0 {
				continue
			}
		case <-timeout:
			t.Fatal("the session was not marked")
		}
		break
	}
	dirstest.Add(t, path, dirstest.ClaudeLine(dirstest.UUID1, workspace))
	await(t, updates, dirstest.UUID1, 4, 30*time.Second)
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.unread) != 1 || e.unread[0] != "claude-code" {
		t.Errorf("updates have said %q", e.unread)
	}
}
