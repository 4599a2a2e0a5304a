// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/agents/opencode"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func filesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestADatabaseGivesRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := dirstest.OpenCodeDatabase(t, path, "wal")
	sessions, err := agents.DatabaseSessions(context.Background(), "opencode", path)
	if err != nil || len(sessions) != 2 {
		t.Fatal(sessions, err)
	}
	if s := sessions[0]; s.ID != "ses_1" || s.Workspace != "/w/shop" || s.Label != "Title" || !s.Modified.Equal(time.UnixMilli(2000)) {
		t.Errorf("session %+v", s)
	}
	if sessions[1].Parent != "ses_1" {
		t.Errorf("the sub-agent's parent is %q", sessions[1].Parent)
	}
	tail := agents.OpenTail(sessions[0])
	session := `{"table":"session","id":"ses_1","project_id":"p","parent_id":null,"directory":"/w/shop","title":"Title","version":"1.18.33","time_created":1000,"time_updated":2000}`
	message := `{"table":"message","id":"msg_1","session_id":"ses_1","time_created":1000,"time_updated":1000,"data":{"role":"user"}}`
	part := `{"table":"part","id":"prt_1","message_id":"msg_1","session_id":"ses_1","time_created":1000,"time_updated":1000,"data":{"type":"text","text":"hello"}}`
	got, _ := drained(t, tail)
	dirstest.Expect(t, "at first", got, session, message, part)

	dirstest.Run(t, db, `INSERT INTO message VALUES ('msg_2','ses_1',3000,3000,'{"role":"assistant"}')`)
	dirstest.Run(t, db, `INSERT INTO part VALUES ('prt_2','msg_2','ses_1',3000,3000,'not JSON')`)
	dirstest.Run(t, db, `UPDATE part SET data='{"type":"text","text":"hello!"}', time_updated=3100 WHERE id='prt_1'`)
	got, reset := drained(t, tail)
	dirstest.Expect(t, "what is new and what changed", got,
		`{"table":"message","id":"msg_2","session_id":"ses_1","time_created":3000,"time_updated":3000,"data":{"role":"assistant"}}`,
		`{"table":"part","id":"prt_2","message_id":"msg_2","session_id":"ses_1","time_created":3000,"time_updated":3000,"data":"not JSON"}`,
		`{"table":"part","id":"prt_1","message_id":"msg_1","session_id":"ses_1","time_created":1000,"time_updated":3100,"data":{"type":"text","text":"hello!"}}`)
	if reset {
		t.Error("growing is a reset")
	}
	dirstest.Run(t, db, `DELETE FROM message WHERE id='msg_2'`)
	dirstest.Run(t, db, `DELETE FROM part WHERE id='prt_2'`)
	if got, reset = drained(t, tail); !reset || len(got) != 3 {
		t.Errorf("after an undo: reset %v, %q", reset, got)
	}
}

// Reading must not create, change or remove any file next to the database, whether its agent is running, has ended, or
// has crashed.
func TestReadingADatabaseLeavesNoFiles(t *testing.T) {
	for _, test := range []struct {
		name, journal string
		end           func(t *testing.T, db *sql.DB, path string)
		messages      int
	}{
		{"the agent runs, WAL", "wal", func(*testing.T, *sql.DB, string) {}, 1},
		{"the agent has ended, WAL", "wal", func(t *testing.T, db *sql.DB, path string) { db.Close() }, 1},
		{"the agent has ended, rollback", "delete", func(t *testing.T, db *sql.DB, path string) { db.Close() }, 1},
		{"the agent runs, rollback", "delete", func(*testing.T, *sql.DB, string) {}, 1},
		{"copied without its -shm", "wal", func(t *testing.T, db *sql.DB, path string) {
			dirstest.Run(t, db, `PRAGMA wal_checkpoint(TRUNCATE)`)
			dirstest.Run(t, db, `INSERT INTO message VALUES ('msg_2','ses_1',3000,3000,'{}')`)
			for _, suffix := range []string{"", "-wal"} {
				text, err := os.ReadFile(path + suffix)
				if err != nil {
					t.Fatal(err)
				}
				dirstest.Write(t, filepath.Join(filepath.Dir(path), "copy", "opencode.db"+suffix), string(text))
			}
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "opencode.db")
			db := dirstest.OpenCodeDatabase(t, path, test.journal)
			test.end(t, db, path)
			if copied := filepath.Join(filepath.Dir(path), "copy", "opencode.db"); fileExists(copied) {
				path = copied
			}
			before := filesIn(t, filepath.Dir(path))
			content, _ := os.ReadFile(path)
			log, _ := os.ReadFile(path + "-wal")
			records, _ := drained(t, agents.OpenTail(transcript.Session{Path: path, Key: "ses_1", Form: transcript.Database}))
			if len(records) != 2+test.messages {
				t.Errorf("%d records: %q", len(records), records)
			}
			if after := filesIn(t, filepath.Dir(path)); after != before {
				t.Errorf("the files were %q and are %q", before, after)
			}
			if now, _ := os.ReadFile(path); string(now) != string(content) {
				t.Error("the database has changed")
			}
			if now, _ := os.ReadFile(path + "-wal"); string(now) != string(log) {
				t.Error("the log has changed")
			}
		})
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// While the database is read the agent can write, and reading continues while the agent holds a transaction open.
func TestReaderAndAgentDoNotLockEachOtherOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	agent := dirstest.OpenCodeDatabase(t, path, "wal")
	reader, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	tx, err := reader.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	tx.QueryRow(`SELECT count(*) FROM message`).Scan(&n)
	dirstest.Run(t, agent, `INSERT INTO message VALUES ('msg_9','ses_1',9000,9000,'{}')`)
	dirstest.Run(t, agent, `PRAGMA wal_checkpoint(PASSIVE)`)
	tx.Rollback()

	dirstest.Run(t, agent, `BEGIN IMMEDIATE`)
	dirstest.Run(t, agent, `INSERT INTO message VALUES ('msg_10','ses_1',9000,9000,'{}')`)
	records, _ := drained(t, agents.OpenTail(transcript.Session{Path: path, Key: "ses_1", Form: transcript.Database}))
	if len(records) != 4 {
		t.Errorf("while the agent writes %d records are read", len(records))
	}
	dirstest.Run(t, agent, `COMMIT`)
}

// noFile returns this system's message for a missing file.
func noFile() string {
	_, err := os.Stat("no-such-file")
	return errors.Unwrap(err).Error()
}

func TestDatabasesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	dirstest.OpenCodeDatabase(t, good, "delete").Close()
	text, _ := os.ReadFile(good)

	locked := filepath.Join(dir, "locked.db")
	holder := dirstest.OpenCodeDatabase(t, locked, "delete")
	dirstest.Run(t, holder, `PRAGMA locking_mode=EXCLUSIVE`)
	dirstest.Run(t, holder, `UPDATE session SET title='x'`)

	future := filepath.Join(dir, "future.db")
	db, _ := sql.Open("sqlite", "file:"+future)
	dirstest.Run(t, db, `CREATE TABLE conversation (id text)`)
	db.Close()

	for name, test := range map[string]struct{ text, want string }{
		"missing.db":  {"", noFile()},
		"locked.db":   {"", "is currently locked by its agent"},
		"future.db":   {"", "has an unsupported version"},
		"text.db":     {strings.Repeat("this is no database ", 20), "is not a SQLite database"},
		"short.db":    {"SQLite format 3\x00", "is not a SQLite database"},
		"garbage.db":  {string(text[:100]) + strings.Repeat("\xee", len(text)-100), "damaged"},
		"cut.db":      {string(text[:len(text)/2]), "damaged"},
		"emptyone.db": {"", "is not a SQLite database"},
	} {
		path := filepath.Join(dir, name)
		if test.text != "" || name == "emptyone.db" {
			dirstest.Write(t, path, test.text)
		}
		sessions, err := agents.DatabaseSessions(context.Background(), "opencode", path)
		if err == nil {
			var b transcript.Batch
			err = agents.OpenTail(transcript.Session{Path: path, Key: "ses_1", Form: transcript.Database}).Next(context.Background(), &b)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v; want an error with %q", name, sessions, err, test.want)
		}
	}
}

func TestAnOldTreeOfFilesGivesTheSameRows(t *testing.T) {
	storage := filepath.Join(t.TempDir(), "storage")
	session := filepath.Join(storage, "session", "p", "ses_1.json")
	dirstest.Write(t, session, `{"id":"ses_1","directory":"/w","time":{"created":1}}`)
	for i := range 3 {
		id := fmt.Sprintf("msg_%d", i)
		dirstest.Write(t, filepath.Join(storage, "message", "ses_1", id+".json"), fmt.Sprintf(`{"id":%q,"sessionID":"ses_1","role":"user","time":{"created":%d}}`, id, 10-i))
		dirstest.Write(t, filepath.Join(storage, "part", id, "prt_"+id+".json"), fmt.Sprintf(`{"id":"prt_%s","messageID":%q,"sessionID":"ses_1","type":"text"}`, id, id))
	}
	dirstest.Write(t, filepath.Join(storage, "message", "ses_1", "msg_half.json"), `{"id":"msg_ha`)
	tail := agents.OpenTail(transcript.Session{Path: session, Key: "ses_1", Form: transcript.Folder})
	got, _ := drained(t, tail)
	if len(got) != 7 {
		t.Fatalf("%d records: %q", len(got), got)
	}
	dirstest.Expect(t, "the first", got[:3],
		`{"table":"session","id":"ses_1","data":{"id":"ses_1","directory":"/w","time":{"created":1}}}`,
		`{"table":"message","id":"msg_2","session_id":"ses_1","data":{"id":"msg_2","sessionID":"ses_1","role":"user","time":{"created":8}}}`,
		`{"table":"part","id":"prt_msg_2","message_id":"msg_2","session_id":"ses_1","data":{"id":"prt_msg_2","messageID":"msg_2","sessionID":"ses_1","type":"text"}}`)
	dirstest.Write(t, filepath.Join(storage, "message", "ses_1", "msg_half.json"), `{"id":"msg_half","sessionID":"ses_1","role":"assistant","time":{"created":20}}`)
	got, reset := drained(t, tail)
	if len(got) != 1 || reset {
		t.Errorf("when a file is whole: %q, reset %v", got, reset)
	}
	os.Remove(filepath.Join(storage, "message", "ses_1", "msg_half.json"))
	if got, reset = drained(t, tail); len(got) != 7 || !reset {
		t.Errorf("after an undo: %d records, reset %v", len(got), reset)
	}
}

// TestAnEndlessDatabaseIsLeft reads a database whose tables are endless views.
func TestAnEndlessDatabaseIsLeft(t *testing.T) {
	before := transcript.DatabasePatience
	transcript.DatabasePatience = 300 * time.Millisecond
	t.Cleanup(func() { transcript.DatabasePatience = before })
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT `
	for name, view := range map[string]string{
		"without a row":    `CREATE VIEW session AS ` + endless + `i AS id, '' AS parent_id, '' AS directory, '' AS title, '' AS version, 0 AS time_created, 0 AS time_updated FROM n WHERE i < 0`,
		"of messages only": `CREATE TABLE session (id TEXT); CREATE TABLE part (id TEXT, session_id TEXT, message_id TEXT, time_updated INT); CREATE VIEW message AS ` + endless + `'a' AS session_id, i AS id, 0 AS time_updated FROM n`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "opencode.db")
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(view); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			if strings.Contains(name, "messages") {
				var b transcript.Batch
				err = opencode.OpenDatabase(transcript.Session{Key: "a", Path: path}).Next(context.Background(), &b)
			} else {
				_, err = agents.DatabaseSessions(context.Background(), "opencode", path)
			}
			if !errors.Is(err, context.DeadlineExceeded) && (err == nil || !strings.Contains(err.Error(), "interrupted")) {
				t.Errorf("it ended with %v", err)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestEverySessionOfADatabaseIsFoundBelowADirectory checks a directory with databases: the sessions of each are found,
// and the session of a database that was named is its newest one.
func TestEverySessionOfADatabaseIsFoundBelowADirectory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db := dirstest.OpenCodeDatabase(t, path, "delete")
	dirstest.Run(t, db, `UPDATE session SET time_updated=9000 WHERE parent_id IS NOT NULL`)
	dirstest.Database(t, filepath.Join(dir, "other.db"), `CREATE TABLE other (a)`)
	var found, troubles []string
	Below(dir, nil, func(s transcript.Session) { found = append(found, s.ID) }, func(p Problem) { troubles = append(troubles, filepath.Base(p.Path)) })
	if strings.Join(found, " ") != "ses_1 ses_2" && strings.Join(found, " ") != "ses_2 ses_1" || strings.Join(troubles, " ") != "other.db" {
		t.Errorf("found are %q, and reported %q", found, troubles)
	}
	s, err := At(path)
	if err != nil || s.ID != "ses_1" || s.Form != transcript.Database || s.Path != path {
		t.Errorf("the database's session is %+v, %v", s, err)
	}
}
