// Copyright The ctx-lsp authors. MIT licence.

// Package dirstest creates home directories with sessions for tests.
package dirstest

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// Machine is a home directory with sessions.
type Machine struct {
	T    *testing.T
	Home string
	Env  map[string]string
	At   time.Time
	Own  bool // whether Put converts paths to those of this system
}

// NewMachine returns a Machine with an empty home directory.
func NewMachine(t *testing.T) *Machine {
	return &Machine{T: t, Home: t.TempDir(), Env: map[string]string{}, At: FileTime}
}

// Environment returns the environment of a program with this home directory.
func (m *Machine) Environment() dirs.Environment {
	return dirs.Environment{OS: runtime.GOOS, Home: m.Home, Getenv: func(k string) string { return m.Env[k] }}
}

// Put writes a file with a time one minute after the previous file's, and returns its path.
func (m *Machine) Put(path, text string) string {
	m.T.Helper()
	if m.Own {
		text = OwnPaths(text)
	}
	path = filepath.Join(m.Home, filepath.FromSlash(path))
	Write(m.T, path, text)
	m.At = m.At.Add(time.Minute)
	if err := os.Chtimes(path, m.At, m.At); err != nil {
		m.T.Fatal(err)
	}
	return path
}

// OwnPaths converts the paths in a JSON text to those of this system: on Windows, "/w/shop" needs a drive.
func OwnPaths(text string) string {
	return regexp.MustCompile(`"/(w|elsewhere)[/a-z]*"`).ReplaceAllStringFunc(text, func(path string) string {
		return strconv.Quote(Whole(strings.Trim(path, `"`)))
	})
}

// Whole returns a path that is absolute on this system too, because workspaces must have absolute paths.
func Whole(path string) string {
	if runtime.GOOS == "windows" {
		return "C:" + filepath.FromSlash(path)
	}
	return path
}

// ClaudeLine returns the first records of a session of Claude Code.
func ClaudeLine(session, cwd string) string {
	return fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue"}
{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":%q,"version":"2.1.60","type":"user","message":{"role":"user","content":"hello"},"uuid":"u1","timestamp":"2026-02-09T06:01:53.253Z"}
`, cwd, session)
}

// FileTime is one minute before the time of a Machine's first file.
var FileTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Linked creates a link, and returns an error if it does not exist afterward: Wine reports success without creating
// one.
func Linked(target, path string) error {
	if err := os.Symlink(target, path); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	return err
}

// Write writes a file, and creates the directories above it.
func Write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Add appends text to a file.
func Add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// Expect compares records with the expected ones.
func Expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d records %.200q, want %q", what, len(got), got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: record %d is %s, want %s", what, i, got[i], want[i])
		}
	}
}

// Database creates a database from a dump, and returns it open, as if its program were running.
func Database(t *testing.T, path, dump string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	Run(t, db, dump)
	return db
}

// OpenCodeDatabase creates a database like OpenCode's, with one session of one message and a sub-agent's session, and
// returns it open, as if the agent were running.
func OpenCodeDatabase(t *testing.T, path, journal string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode("+journal+")")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	Run(t, db, `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)`)
	Run(t, db, `CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)`)
	Run(t, db, `CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
	Run(t, db, `INSERT INTO session VALUES ('ses_1','p',NULL,'/w/shop','Title','1.18.33',1000,2000), ('ses_2','p','ses_1','/w/shop','Scout','1.18.33',1500,1600)`)
	Run(t, db, `INSERT INTO message VALUES ('msg_1','ses_1',1000,1000,'{"role":"user"}')`)
	Run(t, db, `INSERT INTO part VALUES ('prt_1','msg_1','ses_1',1000,1000,'{"type":"text","text":"hello"}')`)
	return db
}

// OpenCodeTables2 creates the session tables of OpenCode 2.0.
const OpenCodeTables2 = `CREATE TABLE session_v2 (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text,
	fork_session_id text, fork_boundary text, slug text NOT NULL, directory text NOT NULL, path text, title text, version text NOT NULL,
	share_url text, summary_additions integer, summary_deletions integer, summary_files integer, summary_diffs text, metadata text,
	cost real DEFAULT 0 NOT NULL, tokens_input integer DEFAULT 0 NOT NULL, tokens_output integer DEFAULT 0 NOT NULL,
	tokens_reasoning integer DEFAULT 0 NOT NULL, tokens_cache_read integer DEFAULT 0 NOT NULL,
	tokens_cache_write integer DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text,
	time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer, time_archived integer,
	time_suspended integer, resume_attempts integer DEFAULT 0 NOT NULL, time_idle integer, time_viewed integer, idle_outcome text);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
	time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL,
	FOREIGN KEY (session_id) REFERENCES session_v2(id) ON DELETE CASCADE);
CREATE UNIQUE INDEX session_message_session_seq_idx ON session_message (session_id, seq);`

// Run executes a statement.
func Run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(statement, err)
	}
}

// UUID1 and UUID2 are session ids.
const (
	UUID1 = "0197f1c2-0000-7000-8000-000000000001"
	UUID2 = "0197f1c2-0000-7000-8000-000000000002"
)
