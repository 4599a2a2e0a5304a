// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package sessions

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestOdditiesAreReported checks that each file in the locations of agents that is not read, or only partly, is
// reported in a sentence, and that the sessions next to it are found.
func TestOdditiesAreReported(t *testing.T) {
	m := dirstest.NewMachine(t)
	claude := ".claude/projects/-home-shop/"
	m.Put(claude+"whole.jsonl", dirstest.ClaudeLine("whole", "/home/shop"))
	cut := m.Put(claude+"cut.jsonl", dirstest.ClaudeLine("cut", "/home/shop")+`{"parentUuid":null,"type":"user","mess`)
	other := m.Put(claude+"other.jsonl", `{"level":"info","msg":"a log of another program"}`+"\n")
	rollout := m.Put(claude+"rollout.jsonl", `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"r1","cwd":"/w","cli_version":"0.99"}}`+"\n")
	path := func(name string) string { return filepath.Join(m.Home, filepath.FromSlash(name)) }
	elsewhere := m.Put("elsewhere/linked.jsonl", dirstest.ClaudeLine("linked", "/home/shop"))
	for link, to := range map[string]string{"linked.jsonl": elsewhere, "dead.jsonl": path("nowhere"), "circle.jsonl": path(claude + "circle.jsonl")} {
		if err := os.Symlink(to, path(claude+link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(path(claude+"pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(path(".hermes"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path(".hermes/state.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	stray := m.Put(".local/share/goose/sessions/sessions.db-wal", "x")
	chatLog := m.Put(".cursor/chats/h/c9/store.db-wal", "x")
	empty := m.Put(".local/share/zed/threads/threads.db", "")
	if err := os.Symlink(path("elsewhere"), path(".codex")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path("none"), path(".kimi")); err != nil {
		t.Fatal(err)
	}

	done := make(chan struct{})
	var sessions []transcript.Session
	var problems []Problem
	var odd []string
	go func() {
		defer close(done)
		ctx := context.Background()
		sessions, problems, _ = NewFinder(m.Environment()).Find(ctx, Query{Children: true})
		odd = inEnglish(Oddities(ctx, m.Environment(), sessions))
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
	said := strings.Join(odd, "\n")
	for _, p := range problems {
		said += "\n" + p.Path + " cannot be read: " + p.What
	}
	for _, want := range []string{
		cut + " ends with an incomplete record",
		other + " is in the directory where Claude Code keeps sessions but contains no known record",
		rollout + " is in the directory where Claude Code keeps sessions, but its records are those of Codex",
		path(claude+"linked.jsonl") + " is a link; its target is read",
		path(claude+"dead.jsonl") + " is a link to a missing file",
		path(claude+"circle.jsonl") + " is a link to a missing file or to itself",
		path(claude+"pipe.jsonl") + " is a pipe, a socket or a device",
		path(".hermes/state.db") + " is a pipe, a socket or a device",
		stray + " is the log of a missing database",
		chatLog + " is the log of a missing database",
		empty + " is an empty file instead of a database",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	if strings.Contains(said, "whole.jsonl") {
		t.Errorf("a whole session is odd:\n%s", said)
	}
	found := map[string]bool{}
	for _, s := range sessions {
		found[s.ID] = true
	}
	for _, id := range []string{"whole", "cut", "linked"} {
		if !found[id] {
			t.Errorf("%s is not found among %v", id, found)
		}
	}
}

// TestManyOddFilesAreCounted checks that a directory full of them does not fill a screen.
func TestManyOddFilesAreCounted(t *testing.T) {
	m := dirstest.NewMachine(t)
	for i := range 20 {
		m.Put(".claude/projects/p/x", "")
		if err := os.Symlink(filepath.Join(m.Home, "nowhere"), filepath.Join(m.Home, ".claude/projects/p", string(rune('a'+i))+".jsonl")); err != nil {
			t.Fatal(err)
		}
	}
	odd := inEnglish(Oddities(context.Background(), m.Environment(), nil))
	if len(odd) != namedOfKind+1 || odd[namedOfKind] != "The same applies to 17 more files." {
		t.Errorf("%q", odd)
	}
}

// TestADatabaseOfANewerSchemaIsReported checks that a database with unknown tables is named, as is another program's
// database with that file name.
func TestADatabaseOfANewerSchemaIsReported(t *testing.T) {
	m := dirstest.NewMachine(t)
	for path, statement := range map[string]string{
		".local/share/goose/sessions/sessions.db":       `CREATE TABLE conversations (uuid BLOB)`,
		".hermes/state.db":                              `CREATE TABLE state (key TEXT)`,
		".local/share/opencode/opencode.db":             `DROP TABLE session`,
		".local/share/zed/threads/threads.db":           `CREATE TABLE threads_v9 (id TEXT)`,
		".local/share/kiro-cli/data.sqlite3":            `CREATE TABLE conversations_v3 (id TEXT)`,
		".config/Cursor/User/globalStorage/state.vscdb": `CREATE TABLE cursorDiskKV2 (key TEXT)`,
		".gemini/antigravity-cli/conversations/a.db":    `CREATE TABLE steps2 (idx INTEGER)`,
		".cursor/chats/h/c1/store.db":                   `CREATE TABLE blobs2 (id TEXT)`,
	} {
		dirstest.Run(t, dirstest.OpenCodeDatabase(t, filepath.Join(m.Home, filepath.FromSlash(path)), "wal"), statement)
	}
	m.Put(".claude/projects/p/whole.jsonl", dirstest.ClaudeLine("whole", "/home/shop"))
	sessions, problems, err := NewFinder(m.Environment()).Find(context.Background(), Query{})
	if err != nil || len(sessions) != 1 || sessions[0].ID != "whole" {
		t.Errorf("%v %+v", err, sessions)
	}
	said := map[string]string{}
	for _, p := range problems {
		said[p.Path] = p.What
	}
	for _, path := range []string{
		".local/share/goose/sessions/sessions.db", ".hermes/state.db", ".local/share/opencode/opencode.db", ".local/share/zed/threads/threads.db",
		".local/share/kiro-cli/data.sqlite3", ".config/Cursor/User/globalStorage/state.vscdb", ".gemini/antigravity-cli/conversations/a.db", ".cursor/chats/h/c1/store.db",
	} {
		if what := said[filepath.Join(m.Home, filepath.FromSlash(path))]; !strings.Contains(what, "an unsupported version") {
			t.Errorf("%s: %q", path, what)
		}
	}
}
