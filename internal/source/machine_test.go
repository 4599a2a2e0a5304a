// Copyright The ctx-lsp authors. MIT licence.

package source

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

// machine is a home directory with sessions in it.
type machine struct {
	t    *testing.T
	home string
	env  map[string]string
	at   time.Time
	own  bool // the paths in what is put are those of the system
}

func newMachine(t *testing.T) *machine {
	return &machine{t: t, home: t.TempDir(), env: map[string]string{}, at: fileTime}
}

func (m *machine) environment() dirs.Environment {
	return dirs.Environment{OS: runtime.GOOS, Home: m.home, Getenv: func(k string) string { return m.env[k] }}
}

// put writes a file, a minute younger than the one before it.
func (m *machine) put(path, text string) string {
	m.t.Helper()
	if m.own {
		text = ownPaths(text)
	}
	path = filepath.Join(m.home, filepath.FromSlash(path))
	write(m.t, path, text)
	m.at = m.at.Add(time.Minute)
	os.Chtimes(path, m.at, m.at)
	return path
}

// ownPaths writes the paths of a JSON text as the system has them: "/w/shop" is a path of Windows only with a drive.
func ownPaths(text string) string {
	return regexp.MustCompile(`"/(w|elsewhere)[/a-z]*"`).ReplaceAllStringFunc(text, func(path string) string {
		return strconv.Quote(whole(strings.Trim(path, `"`)))
	})
}

// whole is a path that is absolute on this system too: a workspace that is not is none.
func whole(path string) string {
	if runtime.GOOS == "windows" {
		return "C:" + filepath.FromSlash(path)
	}
	return path
}

func claudeLine(session, cwd string) string {
	return fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue"}
{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":%q,"version":"2.1.60","type":"user","message":{"role":"user","content":"hello"},"uuid":"u1","timestamp":"2026-02-09T06:01:53.253Z"}
`, cwd, session)
}

var fileTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// linked makes a link, and is an error where none comes of it: Wine says that it makes links, and makes none.
func linked(target, path string) error {
	if err := os.Symlink(target, path); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	return err
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func add(t *testing.T, path, text string) {
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

func expect(t *testing.T, what string, got []string, want ...string) {
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

// openCodeDatabase makes a database as OpenCode does, with one session of one
// message, and returns it open: the agent at work.
func openCodeDatabase(t *testing.T, path, journal string) *sql.DB {
	t.Helper()
	os.MkdirAll(filepath.Dir(path), 0o755)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode("+journal+")")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	run(t, db, `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)`)
	run(t, db, `CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)`)
	run(t, db, `CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
	run(t, db, `INSERT INTO session VALUES ('ses_1','p',NULL,'/w/shop','Title','1.18.33',1000,2000), ('ses_2','p','ses_1','/w/shop','Scout','1.18.33',1500,1600)`)
	run(t, db, `INSERT INTO message VALUES ('msg_1','ses_1',1000,1000,'{"role":"user"}')`)
	run(t, db, `INSERT INTO part VALUES ('prt_1','msg_1','ses_1',1000,1000,'{"type":"text","text":"hello"}')`)
	return db
}

func run(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(statement, err)
	}
}

const (
	uuid1 = "0197f1c2-0000-7000-8000-000000000001"
	uuid2 = "0197f1c2-0000-7000-8000-000000000002"
)
