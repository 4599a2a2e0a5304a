// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestUnreadDataIsReported checks that status, the list of sessions and doctor mark an older session and give the
// reason, if the database of OpenCode was migrated to unknown tables.
func TestUnreadDataIsReported(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	database, _ := exportToDatabase(t, madeExport(t))
	path := filepath.Join(env.Getenv("HOME"), ".local", "share", "opencode", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(database, path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	do := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(`UPDATE session SET directory = ?`, env.Dir)
	printedBy := func(args ...string) string {
		t.Helper()
		out.Reset()
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, errs.String())
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	const since = "OpenCode has written since, in a form that this version does not read"
	if text := printedBy("status"); strings.Contains(text, since) || strings.Contains(text, "!") {
		t.Errorf("before the migration: %s", text)
	}
	do(`CREATE TABLE session_v3 (id text PRIMARY KEY, directory text, version text, time_created integer, time_updated integer)`)
	do(`CREATE TABLE session_event (id text PRIMARY KEY, session_id text, type text, seq integer, time_updated integer, data text)`)
	do(`INSERT INTO session_v3 VALUES ('ses_2', ?, '3.0.0', 1, ?)`, env.Dir, time.Now().UnixMilli())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"doctor"}} {
		if text := printedBy(args...); !strings.Contains(text, since) || !strings.Contains(text, "!") {
			t.Errorf("%v: %s", args, text)
		}
	}
	if text := printedBy("sessions"); !strings.Contains(text, " !") {
		t.Errorf("sessions: %s", text)
	}
	if text := printedBy("doctor"); !strings.Contains(text, "tables that this version does not read: session_v3, session_event.") {
		t.Errorf("doctor: %s", text)
	}
}
