// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// crushDatabase creates a database in Crush's form, with one session of two messages, and returns it open, like a
// running agent.
func crushDatabase(t *testing.T, path string) *sql.DB {
	t.Helper()
	os.MkdirAll(filepath.Dir(path), 0o755)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	dirstest.Run(t, db, `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, prompt_tokens INTEGER, completion_tokens INTEGER, updated_at INTEGER, created_at INTEGER, summary_message_id TEXT)`)
	dirstest.Run(t, db, `CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER)`)
	dirstest.Run(t, db, `INSERT INTO sessions VALUES ('s1', NULL, 'Prices', 0, 0, 1764590401, 1764590393, NULL)`)
	dirstest.Run(t, db, `INSERT INTO messages VALUES ('m1', 's1', 'user', '[{"type":"text","data":{"text":"Add the tax."}}]', '', 1764590393)`)
	dirstest.Run(t, db, `INSERT INTO messages VALUES ('m2', 's1', 'assistant', '[{"type":"text","data":{"text":"It is"}}]', 'qwen3', 1764590394)`)
	return db
}

// TestAStoreIsFollowed checks that changed records replace earlier ones, that new ones are added, and that an undo
// starts over.
func TestAStoreIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop", ".crush", "crush.db")
	db := crushDatabase(t, path)
	s, err := At(path)
	if err != nil || s.Agent != "crush" || s.ID != "s1" || s.Label != "Prices" {
		t.Fatalf("%+v, %v", s, err)
	}
	tail := agents.OpenTail(s)
	count := func(what string, wanted int, words ...string) bool {
		t.Helper()
		records, reset := drained(t, tail)
		if len(records) != wanted {
			t.Fatalf("%s: %d records: %q", what, len(records), records)
		}
		for _, word := range words {
			if !strings.Contains(strings.Join(records, "\n"), word) {
				t.Errorf("%s: no %s in %q", what, word, records)
			}
		}
		return reset
	}
	count("at first", 3, "Prices", "Add the tax.", "It is")
	count("nothing new", 0)
	dirstest.Run(t, db, `UPDATE messages SET parts='[{"type":"text","data":{"text":"It is done."}}]' WHERE id='m2'`)
	dirstest.Run(t, db, `UPDATE sessions SET prompt_tokens=900, completion_tokens=5`)
	if count("grown", 2, "It is done.", `"in":900`, `"before":"m2/0"`) {
		t.Error("growing is a reset")
	}
	dirstest.Run(t, db, `DELETE FROM messages WHERE id='m2'`)
	if !count("undone", 2, "Add the tax.") {
		t.Error("an undo is no reset")
	}
}

// TestASessionWithoutATitleHasNoneOfAnothers checks that a session without a title in a store with many sessions does
// not get the first one's title.
func TestASessionWithoutATitleHasNoneOfAnothers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop", ".crush", "crush.db")
	db := crushDatabase(t, path)
	dirstest.Run(t, db, `INSERT INTO sessions VALUES ('s2', NULL, '', 0, 0, 1764590301, 1764590293, NULL)`)
	sessions, err := agents.StoreSessions(context.Background(), "crush", path)
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%+v, %v", sessions, err)
	}
	for _, s := range sessions {
		if want := map[string]string{"s1": "Prices"}[s.ID]; Title(s) != want {
			t.Errorf("%s is called %q, not %q", s.ID, Title(s), want)
		}
		s.Label = "" // as if it was found by its file alone
		if want := map[string]string{"s1": "Prices"}[s.ID]; Title(s) != want {
			t.Errorf("%s is called %q, not %q", s.ID, Title(s), want)
		}
	}
}

// likeLinux returns an environment with paths of this system, in which the directories of Windows are where Linux has
// them.
func likeLinux(home string) dirs.Environment {
	if runtime.GOOS != "windows" {
		return dirs.New("linux", home, func(string) string { return "" })
	}
	folders := map[string]string{"APPDATA": filepath.Join(home, ".config"), "LOCALAPPDATA": filepath.Join(home, ".local", "share")}
	return dirs.New("windows", home, func(name string) string { return folders[name] })
}

// TestABrokenStoreHidesNoOther checks that the sessions of all other stores are found, and that the broken one is
// named.
func TestABrokenStoreHidesNoOther(t *testing.T) {
	home := t.TempDir()
	good, bad := filepath.Join(home, "good"), filepath.Join(home, "bad")
	crushDatabase(t, filepath.Join(good, ".crush", "crush.db"))
	dirstest.Write(t, filepath.Join(bad, ".crush", "crush.db"), "SQLite format 3\x00"+strings.Repeat("\xff", 4096))
	dirstest.Write(t, filepath.Join(home, ".local/share/crush/projects.json"), fmt.Sprintf(`{"projects":[{"path":%q,"data_dir":".crush"},{"path":%q},7]}`, bad, good))
	finder := NewFinder(likeLinux(home)).Hold()
	if _, problems, err := finder.Find(context.Background(), Query{}); err != nil || len(problems) != 1 {
		t.Errorf("the first search: %v, %v", problems, err)
	}
	sessions, problems, err := finder.Find(context.Background(), Query{})
	if err != nil || len(sessions) != 1 || sessions[0].Workspace != good || sessions[0].Size != 0 {
		t.Errorf("%+v, %v", sessions, err)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].String(), filepath.Join(bad, ".crush", "crush.db")) || !strings.Contains(problems[0].String(), "damaged") {
		t.Errorf("%v", problems)
	}
}

// TestChatsOfEditorsAreFound checks each editor made from VS Code: chats are found by their directory, and the log
// takes precedence over the document.
func TestChatsOfEditorsAreFound(t *testing.T) {
	home := t.TempDir()
	const chat = `{"kind":0,"v":{"customTitle":"Prices","requests":[{"requestId":"r1","message":{"text":"hello"},"response":[]}]}}`
	for i, editor := range []string{".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".local/share/code-server", ".vscode-server/data"} {
		storage := filepath.Join(home, editor, "User", "workspaceStorage", "abc")
		dirstest.Write(t, filepath.Join(home, editor, "User", "globalStorage", "x"), "")
		dirstest.Write(t, filepath.Join(storage, "workspace.json"), fmt.Sprintf(`{"folder":%q}`, "file:///"+strings.TrimPrefix(filepath.ToSlash(dirstest.Whole("/w/shop")), "/")))
		name := filepath.Join(storage, "chatSessions", "chat-"+string(rune('a'+i)))
		dirstest.Write(t, name+".jsonl", chat)
		dirstest.Write(t, name+".json", `{"requests":[]}`)
		dirstest.Write(t, filepath.Join(storage, "chatSessions", "empty.jsonl"), `{"kind":0,"v":{"requests":[]}}`)
	}
	large := filepath.Join(home, ".config/Code/User/globalStorage/emptyWindowChatSessions/large.jsonl")
	dirstest.Write(t, large, chat+"\n"+strings.Repeat(" ", agents.SmallChat))
	finder := NewFinder(likeLinux(home))
	sessions, problems, err := finder.Find(context.Background(), Query{})
	if err != nil || len(problems) > 0 || len(sessions) != 6 {
		t.Fatalf("%d sessions %+v, %v, %v", len(sessions), sessions, problems, err)
	}
	for _, s := range sessions {
		if want := dirstest.Whole("/w/shop"); s.Agent != "copilot" || s.Workspace != want && s.ID != "large" || Title(s) != "Prices" {
			t.Errorf("%+v", s)
		}
		if records, _ := drained(t, agents.OpenTail(s)); len(records) < 2 || !strings.Contains(records[1], "hello") {
			t.Errorf("%q", records)
		}
	}
}

// TestStoresAreKnownWhereverTheyAre checks stores and transcripts with other files next to them in a directory of
// another program: each is found with its sessions, once, and a chat by its content.
func TestStoresAreKnownWhereverTheyAre(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	crushDatabase(t, path("a/backup.db"))
	const chat = `{"creationDate":1,"requests":[{"requestId":"r1","message":{"text":"hello"},"response":[]}]}`
	for _, name := range []string{"b/chat.json", "b/log.jsonl", "b/chat.txt"} {
		text := chat
		if name == "b/log.jsonl" {
			text = `{"kind":0,"v":` + chat + "}\n"
		}
		dirstest.Write(t, path(name), text)
		if s, err := At(path(name)); err != nil || s.Agent != agent.Copilot || s.Form != transcript.Store || s.Path != path(name) || s.Size != int64(len(text)) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	dirstest.Write(t, path("b/empty.json"), `{"creationDate":1,"requests":[]}`)
	if s, err := At(path("b/empty.json")); err == nil {
		t.Errorf("a chat without requests: %+v", s)
	}
	const session = `{"type":"session_start","id":"d1","cwd":"/w"}` + "\n" + `{"type":"message","id":"m1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":[{"type":"text","text":"hello"}]}}` + "\n"
	dirstest.Write(t, path("d/d1.jsonl"), session)
	if s, err := At(path("d/d1.jsonl")); err != nil || s.Agent != agent.Droid || s.Form != transcript.WithSidecars || s.ID != "d1" {
		t.Errorf("a transcript with documents next to it: %+v, %v", s, err)
	}
	var found []string
	Below(dir, nil, func(s transcript.Session) { found = append(found, s.Agent+" "+filepath.Base(s.Path)) }, func(Problem) {})
	slices.Sort(found)
	if want := []string{"copilot chat.json", "copilot log.jsonl", "crush backup.db", "droid d1.jsonl"}; !slices.Equal(found, want) {
		t.Errorf("found are %q, want %q", found, want)
	}
}
