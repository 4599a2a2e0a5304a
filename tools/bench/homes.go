// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the program reads with the same driver
)

// followed is the number of sessions that changed in the last day; `top` follows these.
const followed = 200

// manySessions writes a home directory with a hundred thousand sessions of four agents, and returns their number.
func manySessions(home string) (int, error) {
	const folders, claude, chats, inDatabases = 100, 200, 100, 35_000
	day := time.Now().Add(-time.Hour)
	old := day.AddDate(0, -1, 0)
	recent := 0
	add := func(path, text string) error {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		changed := old
		if recent++; recent%(folders*(claude+chats)/followed) == 0 {
			changed = day
		}
		return os.Chtimes(path, changed, changed)
	}
	for f := range folders {
		project := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-w-p%d", f))
		for i := range claude {
			id := fmt.Sprintf("u%d-%d", f, i)
			if err := add(filepath.Join(project, id+".jsonl"), fmt.Sprintf(`{"type":"user","uuid":"a","sessionId":%q,"cwd":"/w/p%d","version":"2.1.0","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}`+"\n", id, f)); err != nil {
				return 0, err
			}
		}
		storage := filepath.Join(home, ".config/Code/User/workspaceStorage", fmt.Sprintf("w%d", f))
		if err := os.MkdirAll(storage, 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(storage, "workspace.json"), fmt.Appendf(nil, `{"folder":"file:///w/p%d"}`, f), 0o600); err != nil {
			return 0, err
		}
		for i := range chats {
			if err := add(filepath.Join(storage, "chatSessions", fmt.Sprintf("s%d-%d.jsonl", f, i)), `{"kind":0,"v":{"customTitle":"t","requests":[{"requestId":"r","message":{"text":"hi"},"response":[]}]}}`+"\n"); err != nil {
				return 0, err
			}
		}
	}
	rows := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ` + fmt.Sprint(inDatabases) + `) INSERT INTO `
	if err := database(filepath.Join(home, cursorPath), old,
		headers, rows+`composerHeaders SELECT 'c'||i, 'w'||(i%100), 1704067200000, 1704067200000+i, 0, '{"name":"Session '||i||'","subtitle":"`+strings.Repeat("0", 200)+`"}' FROM n`); err != nil {
		return 0, err
	}
	if err := database(filepath.Join(home, ".local/share/goose/sessions/sessions.db"), old,
		`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)`,
		rows+`sessions SELECT 'g'||i, 'Session', '', 'user', '/w/p'||(i%100), '2024-12-02 16:58:55', '2024-12-02 17:00:00' FROM n`); err != nil {
		return 0, err
	}
	return folders*(claude+chats) + 2*inDatabases, nil
}

const (
	cursorPath = ".config/Cursor/User/globalStorage/state.vscdb"
	headers    = `CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER, isSubagent INTEGER, value TEXT)`
)

// cursorDatabase writes a home directory with one Cursor conversation in a database with megabytes of others.
func cursorDatabase(home string, megabytes int) error {
	statements := []string{
		headers,
		`CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
		`INSERT INTO composerHeaders VALUES ('c1', 'w', 1764590000000, 1764590090000, 0, '{"name":"Prices with tax"}')`,
		`INSERT INTO cursorDiskKV VALUES ('composerData:c1', '{"_v":17,"composerId":"c1","name":"Prices with tax","createdAt":1764590000000,"modelConfig":{"modelName":"claude-4.5-sonnet"},"contextTokensUsed":111068,"contextTokenLimit":272000,"fullConversationHeadersOnly":[{"bubbleId":"b0","type":1},{"bubbleId":"b1","type":2}]}')`,
		`INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b0', '{"type":1,"text":"Add the tax."}'), ('bubbleId:c1:b1', '{"type":2,"text":"There is none."}')`,
	}
	for i := range megabytes { // messages of 4 KB
		statements = append(statements, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 256) INSERT INTO cursorDiskKV SELECT 'bubbleId:o%d:'||i, '{"type":2,"text":"'||hex(randomblob(2000))||'"}' FROM n`, i))
	}
	return database(filepath.Join(home, cursorPath), time.Now().Add(-time.Hour), statements...)
}

// database writes a database file with the given modification time.
func database(path string, changed time.Time, statements ...string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", path+"?_pragma=synchronous(off)")
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			_ = db.Close()
			return err
		}
	}
	if err := db.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, changed, changed)
}
