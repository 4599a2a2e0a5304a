// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestOdditiesAreReported checks that each file in the locations of agents that is not read, or only partly, is
// reported in a sentence, and that the sessions next to it are found.
func TestOdditiesAreReported(t *testing.T) {
	m := dirstest.NewMachine(t)
	claude := ".claude/projects/-home-shop/"
	m.Put(claude+"whole.jsonl", dirstest.ClaudeLine("whole", "/home/shop"))
	m.Put(claude+"empty.jsonl", "")
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
	if strings.Contains(said, "whole.jsonl") || strings.Contains(said, "empty.jsonl") {
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
	m.Put(".claude/projects/p/x", "")
	for i := range 20 {
		if err := os.Symlink(filepath.Join(m.Home, "nowhere"), filepath.Join(m.Home, ".claude/projects/p", string(rune('a'+i))+".jsonl")); err != nil {
			t.Fatal(err)
		}
		odd := inEnglish(Oddities(context.Background(), m.Environment(), nil))
		if n := i + 1; n <= 4 {
			if len(odd) != n || strings.Contains(odd[n-1], "same applies") {
				t.Errorf("of %d files: %q", n, odd)
			}
		} else if len(odd) != 4 || odd[3] != fmt.Sprintf("The same applies to %d more files.", n-3) {
			t.Errorf("of %d files: %q", n, odd)
		}
	}
}

// TestOnlyPartsOfALocationAreChecked checks how deep, how far and for which files a location is checked.
func TestOnlyPartsOfALocationAreChecked(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := func(name string) string { return filepath.Join(m.Home, filepath.FromSlash(name)) }
	link := func(name, to string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path(name)); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	m.Put("elsewhere/a", "")
	want := []string{
		link(".claude/projects/1/2/3/4/5/6/deep.jsonl", "none") + " is a link to a missing file",
		link(".claude/projects/folder", path("elsewhere")) + " is a link; its target is read",
		link(".config/Code/User/workspaceStorage/a/chatSessions/dead.jsonl", "none") + " is a link to a missing file",
		link(".config/Code/User/workspaceStorage/a/chatSessions/1/2/3/4/5/6/deep.jsonl", "none") + " is a link to a missing file",
		link(".codex/sessions", path("elsewhere")) + " is a link; its target is read",
		link(".pi/agent/sessions", "none") + " is a link to a missing file",
		m.Put(".cursor/chats/h/c9/store.db-wal", "x") + " is the log of a missing database",
	}
	link(".claude/projects/1/2/3/4/5/6/7/deeper.jsonl", "none")
	link(".claude/projects/notes", path("elsewhere/a"))
	link(".config/Code/User/workspaceStorage/a/other/dead.jsonl", "none")
	m.Put(".cursor/chats/h/c8/store.db-wal", "x")
	m.Put(".cursor/chats/h/c8/store.db", "x")
	m.Put(".cursor/chats/h/c8/text-wal", "x")
	m.Put(".local/share/zed/threads/threads.db", "not empty")
	if err := syscall.Mkfifo(path(".claude/projects/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := inEnglish(Oddities(t.Context(), m.Environment(), nil))
	for _, sentence := range want {
		if !slices.ContainsFunc(got, func(text string) bool { return strings.HasPrefix(text, sentence) }) {
			t.Errorf("%q is not in %q", sentence, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("reported are %q", got)
	}
	canceled, cancel := context.WithCancel(t.Context())
	if cancel(); len(Oddities(canceled, m.Environment(), []transcript.Session{{Path: path("elsewhere/a"), Size: 1}})) > 0 {
		t.Error("a check whose caller has ended goes on")
	}
	few := &oddities{left: 3, seen: map[string]bool{}, paths: map[string][]string{}}
	for _, name := range []string{"a", "b", "c", "d"} {
		link("few/"+name+".jsonl", "none")
	}
	if few.folder(path("few"), 0); len(few.sentences()) != 3 {
		t.Errorf("of the first three files %q are reported", inEnglish(few.sentences()))
	}
}

// TestTheNewestSessionsAreChecked checks how many sessions are checked for an incomplete end, and that those in
// databases are not among them.
func TestTheNewestSessionsAreChecked(t *testing.T) {
	m := dirstest.NewMachine(t)
	cut := m.Put("s.jsonl", `{"cut`)
	for missing, want := range map[int]bool{sessionsLookedAt - 1: true, sessionsLookedAt: false} {
		var list []transcript.Session
		for range missing {
			list = append(list, transcript.Session{Path: cut + ".none"}, transcript.Session{Path: cut + ".db", Form: transcript.Database})
		}
		list = append(list, transcript.Session{Path: cut, Agent: agent.ClaudeCode})
		odd := inEnglish(Oddities(t.Context(), m.Environment(), list))
		if got := len(odd) == 1 && strings.HasPrefix(odd[0], cut+" ends with an incomplete record"); got != want {
			t.Errorf("behind %d sessions: %q", missing, odd)
		}
	}
}

// TestAFileThatEndsWithinARecord checks the ends of files of lines, and of records of any length.
func TestAFileThatEndsWithinARecord(t *testing.T) {
	record := func(length int) string { return `{"a":"` + strings.Repeat("x", length-8) + `"}` }
	for _, before := range []string{"", "{}\n", "broken\n"} {
		for text, want := range map[string]bool{"": false, "\n": false, "{}": false, "{}\n": false, "{}\n \n": false, `{"a":`: true, "{}\n{": true, "text\n": false, "text": true} {
			if got := endsIn(t, before+text); got != want {
				t.Errorf("%q: %v", before+text, got)
			}
		}
		for _, length := range []int{4<<10 - 1, 4 << 10, 4<<10 + 1, transcript.FirstRead, transcript.FirstRead + 1, transcript.LongRead - 100} {
			whole := record(length)
			if endsIn(t, before+whole) || endsIn(t, before+whole+"\n") || !endsIn(t, before+whole[:length-1]) {
				t.Errorf("a record of %d bytes after %q", length, before)
			}
		}
		if long := record(2 * transcript.LongRead); endsIn(t, before+long+"\n") || !endsIn(t, before+long[:len(long)-1]) {
			t.Errorf("a record that is too long to be read, after %q", before)
		}
	}
}

func endsIn(t *testing.T, text string) bool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, text)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return endsWithin(f)
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
