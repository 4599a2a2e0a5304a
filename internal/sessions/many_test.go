// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestAHundredThousandSessions measures how long it takes to find the newest sessions among those of several agents:
// the first time, again with the same Finder (like the daemon and watch), and in another process. make bench-sessions
// runs it.
func TestAHundredThousandSessions(t *testing.T) {
	if os.Getenv("CTX_BENCH_SESSIONS") == "" {
		t.Skip("it makes 100,000 sessions; make bench-sessions runs it")
	}
	home := t.TempDir()
	const folders, claude, chats, inDatabases = 100, 200, 100, 35_000
	for f := range folders {
		project := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-w-p%d", f))
		for i := range claude {
			dirstest.Write(t, filepath.Join(project, fmt.Sprintf("u%d-%d.jsonl", f, i)), fmt.Sprintf(`{"type":"user","uuid":"a","sessionId":"u%d-%d","cwd":"/w/p%d","version":"2.1.0","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}`+"\n", f, i, f))
		}
		storage := filepath.Join(home, ".config/Code/User/workspaceStorage", fmt.Sprintf("w%d", f))
		dirstest.Write(t, filepath.Join(storage, "workspace.json"), fmt.Sprintf(`{"folder":"file:///w/p%d"}`, f))
		for i := range chats {
			dirstest.Write(t, filepath.Join(storage, "chatSessions", fmt.Sprintf("s%d-%d.jsonl", f, i)), `{"kind":0,"v":{"customTitle":"t","requests":[{"requestId":"r","message":{"text":"hi"},"response":[]}]}}`)
		}
	}
	fill := func(path, table, row string) {
		os.MkdirAll(filepath.Dir(path), 0o755)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, statement := range []string{table, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ` + fmt.Sprint(inDatabases) + `) INSERT INTO ` + row + ` FROM n`} {
			dirstest.Run(t, db, statement)
		}
	}
	fill(filepath.Join(home, ".config/Cursor/User/globalStorage/state.vscdb"),
		`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER, isSubagent INTEGER, value TEXT)`,
		`composerHeaders SELECT 'c'||i, 'w'||(i%100), 1764590000000, 1764590000000+i, 0, '{"name":"Session '||i||'","subtitle":"`+fmt.Sprintf("%0200d", 0)+`"}'`)
	fill(filepath.Join(home, ".local/share/goose/sessions/sessions.db"),
		`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)`,
		`sessions SELECT 'g'||i, 'Session', '', 'user', '/w/p'||(i%100), '2025-12-02 16:58:55', '2025-12-02 17:00:00'`)

	for _, database := range []string{".config/Cursor/User/globalStorage/state.vscdb", ".local/share/goose/sessions/sessions.db"} {
		quiet := time.Now().Add(-time.Hour)
		os.Chtimes(filepath.Join(home, database), quiet, quiet)
	}
	environment := dirs.New("linux", home, func(string) string { return "" })
	finder := NewFinder(environment)
	look := func() time.Duration {
		began := time.Now()
		found, problems, err := finder.Find(context.Background(), Query{Limit: 50})
		if err != nil || len(problems) > 0 || len(found) != 50 {
			t.Fatalf("%d sessions, %v, %v", len(found), problems, err)
		}
		return time.Since(began)
	}
	first, again := look(), time.Hour
	for range 5 {
		again = min(again, look())
	}
	next := time.Hour
	for range 5 { // another process remembers only what is in files
		agents.ForgetListings()
		finder = NewFinder(environment)
		next = min(next, look())
	}
	t.Logf("among %d sessions the newest 50 are found in %v at first, in %v again, and in %v by another process",
		folders*(claude+chats)+2*inDatabases, first, again, next)
	if first > 2*time.Second || again > 200*time.Millisecond || next > 200*time.Millisecond {
		t.Errorf("at most 2 s and 200 ms are wanted")
	}
}
