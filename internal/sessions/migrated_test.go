// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// session2 inserts a session of version 2.
func session2(id, parent, workspace, version string, changed time.Time) string {
	return fmt.Sprintf(`INSERT INTO session_v2 (id, project_id, parent_id, slug, directory, title, version, model, time_created, time_updated)
		VALUES ('%s', 'p', %s, 'calm-lake', '%s', NULL, '%s', '{"id":"gpt-5.4","providerID":"openai"}', %d, %d)`,
		id, parent, dirstest.Whole(workspace), version, changed.UnixMilli()-9, changed.UnixMilli())
}

// row2 inserts a message of version 2.
func row2(session, kind string, seq int, changed time.Time, data string) string {
	return fmt.Sprintf(`INSERT INTO session_message VALUES ('msg_%s_%d', '%s', '%s', %d, %d, %d, '%s')`,
		session, seq, session, kind, seq, changed.UnixMilli(), changed.UnixMilli(), data)
}

// TestAMigratedMachineShowsTheLiveSession checks that sessions of version 2 are found, dated by their last message
// because version 2 does not update their own time. A copied session is found once and read from the new tables.
func TestAMigratedMachineShowsTheLiveSession(t *testing.T) {
	at := time.Now().Add(-20 * 24 * time.Hour).Truncate(time.Millisecond)
	m := dirstest.NewMachine(t)
	path := migrated(t, m, at, dirstest.OpenCodeTables2,
		session2("ses_1", "NULL", "/w/shop", "1.18.0", at),
		row2("ses_1", "user", 0, at, `{"time":{"created":1},"text":"Go on."}`),
		session2("ses_new", "NULL", "/w/shop", "2.2.0", at.Add(time.Hour)),
		row2("ses_new", "user", 4, at.Add(time.Hour), `{"time":{"created":1},"text":"Hello."}`),
		row2("ses_new", "assistant", 5, at.Add(3*time.Hour), `{"time":{"created":2},"agent":"build","model":{"id":"gpt-5.4","providerID":"openai"},"content":[]}`),
		session2("ses_sub", "'ses_new'", "/w/shop", "2.2.0", at.Add(2*time.Hour)))
	found := find(m, Query{Near: dirstest.Whole("/w/shop")})
	var ids []string
	for _, s := range found {
		ids = append(ids, s.ID)
		if s.Agent != agent.OpenCode || s.UnreadBy != "" || !agent.AtLeast(s.Version, "2") {
			t.Errorf("%s is of %q %s, unread by %q", s.ID, s.Agent, s.Version, s.UnreadBy)
		}
	}
	if len(ids) < 2 || ids[0] != "ses_new" || !slices.Contains(ids, "ses_1") || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
		t.Fatalf("found %q", ids)
	}
	if want := at.Add(3 * time.Hour); !found[0].Modified.Equal(want) {
		t.Errorf("changed at %v, want %v", found[0].Modified, want)
	}
	records, _ := drained(t, agents.OpenTail(transcript.Session{Agent: agent.OpenCode, Path: path, Key: "ses_1", Form: transcript.Database}))
	if len(records) != 2 || !strings.Contains(records[1], "Go on.") {
		t.Errorf("the copied session has %q", records)
	}
}

// TestAMachineOfVersion2Only checks a database without the tables of version 1.
func TestAMachineOfVersion2Only(t *testing.T) {
	at := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	m := dirstest.NewMachine(t)
	path := migrated(t, m, at, `DROP TABLE session`, `DROP TABLE message`, `DROP TABLE part`, dirstest.OpenCodeTables2,
		session2("ses_new", "NULL", "/w/shop", "2.2.0", at), row2("ses_new", "user", 4, at, `{"text":"Hello."}`))
	found := find(m, Query{Near: dirstest.Whole("/w/shop")})
	if len(found) != 1 || found[0].ID != "ses_new" || found[0].Version != "2.2.0" {
		t.Fatalf("found %+v", found)
	}
	records, _ := drained(t, agents.OpenTail(transcript.Session{Agent: agent.OpenCode, Path: path, Key: "ses_new", Form: transcript.Database}))
	if len(records) != 2 {
		t.Errorf("%q", records)
	}
}

// TestRowsOfVersion2ChangeInPlace checks that a changed row is returned again, and that all rows are returned after a
// migration, and after an undo that is followed by another message.
func TestRowsOfVersion2ChangeInPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := dirstest.OpenCodeDatabase(t, path, "wal")
	tail := agents.OpenTail(transcript.Session{Path: path, Key: "ses_1", Form: transcript.Database})
	if got, _ := drained(t, tail); len(got) != 3 {
		t.Fatalf("version 1: %q", got)
	}
	at := time.UnixMilli(1_791_500_531_000)
	for _, statement := range []string{
		dirstest.OpenCodeTables2, session2("ses_1", "NULL", "/w/shop", "1.18.33", at),
		row2("ses_1", "user", 0, at, `{"text":"hello"}`), row2("ses_1", "assistant", 1, at, `{"content":[]}`),
	} {
		dirstest.Run(t, db, statement)
	}
	got, reset := drained(t, tail)
	if len(got) != 3 || !reset || !strings.HasPrefix(got[0], `{"table":"session_v2","id":"ses_1"`) || !strings.Contains(got[0], `"model":{"id":"gpt-5.4","providerID":"openai"}`) {
		t.Fatalf("after a migration: reset %v, %q", reset, got)
	}
	dirstest.Run(t, db, `UPDATE session_message SET data='{"content":[{"type":"text","text":"Yes."}]}', time_updated=time_updated+1 WHERE seq=1`)
	got, reset = drained(t, tail)
	dirstest.Expect(t, "the row that changed", got,
		`{"table":"session_message","id":"msg_ses_1_1","session_id":"ses_1","type":"assistant","seq":1,"time_created":1791500531000,"time_updated":1791500531001,"data":{"content":[{"type":"text","text":"Yes."}]}}`)
	if reset {
		t.Error("a change in place is a reset")
	}
	dirstest.Run(t, db, `DELETE FROM session_message WHERE seq=1`)
	dirstest.Run(t, db, row2("ses_1", "user", 2, at.Add(time.Second), `{"text":"Or rather:"}`))
	if got, reset = drained(t, tail); !reset || len(got) != 3 {
		t.Errorf("after an undo: reset %v, %q", reset, got)
	}
}

// TestUndoneMessagesAreNotRead checks that messages that the user has undone are left out until the user redoes them.
// The next request has none of them, although their rows stay until then.
func TestUndoneMessagesAreNotRead(t *testing.T) {
	at := time.UnixMilli(1_791_500_531_000)
	for _, c := range []struct {
		name                   string
		prepare                []string
		table, revert          string
		before, undone, redone int
		gone                   string
	}{
		{"version 1", []string{
			`INSERT INTO message VALUES ('msg_z', 'ses_1', 1791500539000, 1791500539000, '{"role":"user","time":{"created":1791500539000}}')`,
			`INSERT INTO part VALUES ('prt_z', 'msg_z', 'ses_1', 1791500539000, 1791500539000, '{"type":"text","text":"Undo me."}')`,
		}, "session", `{"messageID":"msg_z","snapshot":"0a"}`, 5, 3, 5, "Undo me."},
		{"a part of version 1", []string{
			`INSERT INTO message VALUES ('msg_z', 'ses_1', 1791500539000, 1791500539000, '{"role":"assistant","time":{"created":1791500539000}}')`,
			`INSERT INTO part VALUES ('prt_y', 'msg_z', 'ses_1', 1791500539000, 1791500539000, '{"type":"text","text":"This stays."}')`,
			`INSERT INTO part VALUES ('prt_z', 'msg_z', 'ses_1', 1791500539000, 1791500539000, '{"type":"text","text":"Undo me."}')`,
		}, "session", `{"messageID":"msg_z","partID":"prt_z"}`, 6, 5, 6, "Undo me."},
		{"version 2", []string{
			dirstest.OpenCodeTables2, session2("ses_1", "NULL", "/w/shop", "2.2.0", at),
			row2("ses_1", "user", 0, at, `{"text":"hello"}`), row2("ses_1", "assistant", 1, at, `{"content":[]}`),
			row2("ses_1", "user", 2, at, `{"text":"Undo me."}`), row2("ses_1", "assistant", 3, at, `{"content":[]}`),
		}, "session_v2", `{"messageID":"msg_ses_1_2","files":[]}`, 5, 3, 5, "Undo me."},
		{"a message that is not there", []string{
			dirstest.OpenCodeTables2, session2("ses_1", "NULL", "/w/shop", "2.2.0", at),
			row2("ses_1", "user", 0, at, `{"text":"hello"}`),
		}, "session_v2", `{"messageID":"msg_none"}`, 2, 2, 2, "Undo me."},
	} {
		path := filepath.Join(t.TempDir(), "opencode.db")
		db := dirstest.OpenCodeDatabase(t, path, "wal")
		dirstest.Run(t, db, `ALTER TABLE session ADD COLUMN revert text`)
		for _, statement := range c.prepare {
			dirstest.Run(t, db, statement)
		}
		tail := agents.OpenTail(transcript.Session{Path: path, Key: "ses_1", Form: transcript.Database})
		check := func(when string, records int, resets bool) {
			t.Helper()
			got, reset := drained(t, tail)
			if len(got) != records || reset != resets {
				t.Errorf("%s, %s: reset %v, %d records, want %d: %q", c.name, when, reset, len(got), records, got)
			}
			if when == "undone" && strings.Contains(strings.Join(got, ""), c.gone) {
				t.Errorf("%s: %q is still there", c.name, c.gone)
			}
		}
		check("before", c.before, false)
		dirstest.Run(t, db, `UPDATE `+c.table+` SET revert=? WHERE id='ses_1'`, c.revert)
		check("undone", c.undone, true)
		dirstest.Run(t, db, `UPDATE `+c.table+` SET revert=NULL WHERE id='ses_1'`)
		check("redone", c.redone, true)
	}
}

// TestASessionOfVersion2FromItsDatabase writes recorded rows into a database, step by step, and compares each Reading
// with that of the recorded rows.
func TestASessionOfVersion2FromItsDatabase(t *testing.T) {
	text, err := os.ReadFile("../../testdata/sessions/opencode/second.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := dirstest.OpenCodeDatabase(t, path, "wal")
	dirstest.Run(t, db, dirstest.OpenCodeTables2)
	tail := agents.OpenTail(transcript.Session{Agent: agent.OpenCode, Path: path, Key: "ses_2", Form: transcript.Database})
	live, recorded := core.New(core.Identity{}, uncounted{}), core.New(core.Identity{}, uncounted{})
	fromDatabase, fromFile := agent.New(agent.OpenCode), agent.New(agent.OpenCode)
	steps := 0
	for line := range strings.Lines(string(text)) {
		r, err := json.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		fromFile.Record(r, func(e core.Event) { recorded.Apply(e) })
		number := func(name string) int64 { n, _ := r.Get(name).Int64(); return n }
		if r.Get("table").Is("session_v2") {
			dirstest.Run(t, db, `INSERT INTO session_v2 (id, project_id, slug, directory, title, version, model, time_created, time_updated) VALUES ('ses_2', 'p1', 's', ?, ?, ?, ?, ?, ?)`,
				r.Get("directory").String(), r.Get("title").String(), r.Get("version").String(), string(r.Get("model").Raw()), number("time_created"), number("time_updated"))
		} else {
			dirstest.Run(t, db, `INSERT OR REPLACE INTO session_message VALUES (?, 'ses_2', ?, ?, ?, ?, ?)`,
				r.Get("id").String(), r.Get("type").String(), number("seq"), number("time_created"), number("time_updated"), string(r.Get("data").Raw()))
		}
		records, reset := drained(t, tail)
		if reset || len(records) != 1 {
			t.Fatalf("step %d: reset %v, %q", steps, reset, records)
		}
		row, err := json.Parse([]byte(records[0]))
		if err != nil {
			t.Fatal(err)
		}
		fromDatabase.Record(row, func(e core.Event) { live.Apply(e) })
		if got, want := live.Reading(), recorded.Reading(); got.Used != want.Used || got.Compaction.Count != want.Compaction.Count {
			t.Errorf("step %d: used %d, want %d", steps, got.Used, want.Used)
		}
		steps++
	}
	if r := live.Reading(); r.LastRequest.In != 10_172 || r.Compaction.Count != 1 {
		t.Errorf("at the end: %+v", r.LastRequest)
	}
}
