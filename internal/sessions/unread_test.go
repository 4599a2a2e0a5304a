// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// migrated creates a database of OpenCode whose session of version 1 last changed at the given time, and runs further
// statements.
func migrated(t *testing.T, m *dirstest.Machine, changed time.Time, more ...string) (path string) {
	t.Helper()
	path = filepath.Join(m.Home, ".local", "share", "opencode", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		`CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, time_created integer, time_updated integer)`,
		`CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text)`,
		`CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text)`,
		`CREATE TABLE session_share (session_id text PRIMARY KEY, id text, secret text, url text, time_created integer, time_updated integer)`,
	} {
		dirstest.Run(t, db, statement)
	}
	dirstest.Run(t, db, `INSERT INTO session VALUES ('ses_1', NULL, ?, 'A title', '1.18.0', ?, ?)`, dirstest.Whole("/w/shop"), changed.UnixMilli()-9, changed.UnixMilli())
	for _, statement := range more {
		dirstest.Run(t, db, statement)
	}
	return path
}

// sessions3 are tables that no version has yet, with one session of a workspace.
func sessions3(workspace, changed, message string) []string {
	return []string{
		`CREATE TABLE session_v3 (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text, title text, version text, time_created integer, time_updated integer)`,
		`CREATE TABLE session_event (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer, time_updated integer, data text)`,
		`INSERT INTO session_v3 VALUES ('ses_2', 'p', NULL, 'a', '` + dirstest.Whole(workspace) + `', 'Another', '3.0.0', 1, ` + changed + `)`,
		`INSERT INTO session_event VALUES ('m', 'ses_2', 'user', 1, 1, ` + message + `, '{}')`,
	}
}

// TestNewerTablesMarkASession checks that the current session is marked as old if its agent's database has newer
// sessions of the same workspace in unread tables, and that older ones or other workspaces do not mark it.
func TestNewerTablesMarkASession(t *testing.T) {
	at := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	number := func(d time.Duration) string { return strconv.FormatInt(at.Add(d).UnixMilli(), 10) }
	for _, c := range []struct {
		name string
		more []string
		want time.Duration // 0 for a session that is not marked
	}{
		{"version 1", nil, 0},
		{"a table without sessions", []string{`CREATE TABLE session_event (id text PRIMARY KEY, session_id text, time_updated integer)`, `INSERT INTO session_event VALUES ('m', 'ses_1', ` + number(time.Hour/2) + `)`}, 0},
		{"frozen at the migration", sessions3("/w/shop", number(time.Second), number(time.Second)), 0},
		{"a newer session", sessions3("/w/shop", number(20*time.Minute), number(time.Second)), 20 * time.Minute},
		{"a message that changed in place", sessions3("/w/shop", number(time.Second), number(30*time.Minute)), 30 * time.Minute},
		{"another workspace", sessions3("/elsewhere", number(20*time.Minute), number(20*time.Minute)), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := dirstest.NewMachine(t)
			path := migrated(t, m, at, c.more...)
			found := find(m, Query{Near: dirstest.Whole("/w/shop")})
			if len(found) != 1 || found[0].ID != "ses_1" {
				t.Fatalf("found %+v", found)
			}
			want, by := time.Time{}, ""
			if c.want > 0 {
				want, by = at.Add(c.want), "opencode"
			}
			if s := found[0]; !s.Unread.Equal(want) || s.UnreadBy != by {
				t.Errorf("unread since %v by %q, want %v", s.Unread, s.UnreadBy, want)
			}
			listed := false
			for _, sentence := range Oddities(context.Background(), m.Environment(), found) {
				listed = listed || sentence.String() == path+" has sessions in tables that this version does not read: session_v3, session_event."
			}
			if new2 := len(c.more) > 2; listed != new2 {
				t.Errorf("the tables are listed: %v, want %v", listed, new2)
			}
		})
	}
}

// TestNewerTablesOfAnotherAgent checks that a session of another agent is marked if it is the newest of its workspace.
func TestNewerTablesOfAnotherAgent(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.At = time.Now().Add(-50 * time.Minute)
	m.Own = true
	m.Put(".codex/sessions/2026/02/09/rollout-2026-02-09T06-01-53-"+dirstest.UUID2+".jsonl", `{"type":"session_meta","payload":{"id":"`+dirstest.UUID2+`","cwd":"/w/shop"}}`+"\n")
	m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, "/w/shop"))
	at := time.Now().Add(-time.Hour)
	migrated(t, m, at, sessions3("/w/shop", strconv.FormatInt(time.Now().Add(-time.Minute).UnixMilli(), 10), "1")...)
	found := find(m, Query{Near: dirstest.Whole("/w/shop")})
	if len(found) != 3 || found[0].Agent != "claude-code" || found[0].UnreadBy != "opencode" || found[1].UnreadBy != "" || found[2].UnreadBy != "opencode" {
		t.Errorf("found %+v", found)
	}
}

// TestNewerTablesOfAProjectMarkItsOwnSessions checks a database of one project, whose tables do not name it: only
// sessions in the same database are known to be of that project.
func TestNewerTablesOfAProjectMarkItsOwnSessions(t *testing.T) {
	m := dirstest.NewMachine(t)
	shop := filepath.Join(m.Home, "shop")
	db := crushDatabase(t, filepath.Join(shop, ".crush", "crush.db"))
	m.Put(".local/share/crush/projects.json", fmt.Sprintf(`{"projects":[{"path":%q,"data_dir":".crush"}]}`, shop))
	m.At = time.Unix(1764590401, 0).Add(time.Minute)
	m.Put(".claude/projects/-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, shop))
	dirstest.Run(t, db, `CREATE TABLE sessions_v2 (id TEXT PRIMARY KEY, updated_at INTEGER)`)
	dirstest.Run(t, db, `INSERT INTO sessions_v2 VALUES ('s2', 1764594001)`)
	found, _, err := NewFinder(likeLinux(m.Home)).Find(t.Context(), Query{})
	if err != nil || len(found) != 2 || found[0].UnreadBy != "" || found[1].UnreadBy != agent.Crush || found[1].Unread.Unix() != 1764594001 {
		t.Errorf("found %+v, %v", found, err)
	}
}

// TestAnUnknownFileMarksASession checks that a file of unknown records in an agent's location marks the previous
// session, and that an older or empty file, or one of another project or with known records, does not.
func TestAnUnknownFileMarksASession(t *testing.T) {
	const unknown = `{"kind":"turn","thread":"9f","at":1796000000000,"body":{"text":"hello"}}` + "\n"
	for _, c := range []struct {
		name, folder, text string
		after              time.Duration
		marked             bool
	}{
		{"newer", "-w-shop", unknown + unknown, 10 * time.Minute, true},
		{"not JSON", "-w-shop", "\x01\x02binary\nrecords\n", 10 * time.Minute, true},
		{"older", "-w-shop", unknown, -10 * time.Minute, false},
		{"empty", "-w-shop", "", 10 * time.Minute, false},
		{"of another project", "-w-other", unknown, 10 * time.Minute, false},
		{"known notes", "-w-shop", `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-02-09T06:01:53.253Z"}` + "\n", 10 * time.Minute, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := dirstest.NewMachine(t)
			m.Own = true
			m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, "/w/shop"))
			m.At = m.At.Add(c.after)
			m.Put(".claude/projects/"+c.folder+"/"+dirstest.UUID2+".jsonl", c.text)
			found := find(m, Query{Near: dirstest.Whole("/w/shop")})
			at := slices.IndexFunc(found, func(s transcript.Session) bool { return s.ID == dirstest.UUID1 })
			if at < 0 {
				t.Fatalf("found %+v", found)
			}
			if marked := found[at].UnreadBy == "claude-code"; marked != c.marked {
				t.Errorf("marked %v (%v), want %v", marked, found[at].Unread, c.marked)
			}
			if c.marked && (at != 0 || len(found) != 1) {
				t.Errorf("a file that shows nothing is listed for the folder: %+v", found)
			}
			if all := find(m, Query{}); len(all) != 2 {
				t.Errorf("%d sessions are listed in all, want 2", len(all))
			}
		})
	}
}

// TestAFileOfAnUnknownFormMarksASession checks that a file with a session's name but an unknown extension marks the
// previous session, and that files next to sessions do not.
func TestAFileOfAnUnknownFormMarksASession(t *testing.T) {
	const claude, codex, document = ".claude/projects/-w-shop/", ".codex/sessions/2026/02/", ".continue/sessions/"
	const rollout = "rollout-2026-02-09T06-01-53-" + dirstest.UUID1
	encoder, _ := zstd.NewWriter(nil)
	for _, c := range []struct {
		agent, file string
		after       time.Duration
		marked      bool
	}{
		{"claude-code", claude + dirstest.UUID2 + ".ctxdb", 10 * time.Minute, true},
		{"claude-code", claude + dirstest.UUID2 + ".sqlite", 10 * time.Minute, true},
		{"codex", codex + "09/rollout-2026-02-09T07-11-53-" + dirstest.UUID2 + ".cbor", 10 * time.Minute, true},
		{"codex", codex + "11/rollout-2026-02-11T07-11-53-" + dirstest.UUID2 + ".cbor", 10 * time.Minute, true},
		{"claude-code", claude + dirstest.UUID2 + ".ctxdb", -10 * time.Minute, false},
		{"claude-code", ".claude/projects/-w-other/" + dirstest.UUID2 + ".ctxdb", 10 * time.Minute, false},
		{"claude-code", claude + dirstest.UUID1 + ".index", 10 * time.Minute, false},
		{"claude-code", claude + dirstest.UUID2 + ".jsonl.tmp.4711", 10 * time.Minute, false},
		{"claude-code", claude + dirstest.UUID2 + ".lock", 10 * time.Minute, false},
		{"claude-code", claude + "sessions-index.cache", 10 * time.Minute, false},
		{"claude-code", claude + "notes.odt", 10 * time.Minute, false},
		{"claude-code", claude + "memory/" + dirstest.UUID2 + ".ctxdb", 10 * time.Minute, false},
		{"codex", codex + "09/" + rollout + ".state", 10 * time.Minute, false},
		{"continue", document + dirstest.UUID2 + ".ctxdb", 10 * time.Minute, true},
		{"continue", document + dirstest.UUID1 + ".index", 10 * time.Minute, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			m := dirstest.NewMachine(t)
			m.Own = true
			m.Put(claude+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, "/w/shop"))
			meta := `{"timestamp":"2026-02-09T06:01:53.253Z","type":"session_meta","payload":{"id":"` + dirstest.UUID1 + `","cwd":"` + dirstest.Whole("/w/shop") + `"}}` + "\n"
			m.Put(codex+"09/"+rollout+".jsonl.zst", string(encoder.EncodeAll([]byte(meta), nil)))
			m.Put(document+dirstest.UUID1+".json", `{"sessionId":"`+dirstest.UUID1+`","workspaceDirectory":"`+dirstest.Whole("/w/shop")+`","history":[]}`)
			m.At = m.At.Add(c.after)
			m.Put(c.file, "\x01\x02 records of a form that nobody knows")
			found := find(m, Query{Near: dirstest.Whole("/w/shop")})
			if len(found) != 3 {
				t.Errorf("found %+v", found)
			}
			for _, s := range found {
				if marked := s.UnreadBy != ""; marked != (c.marked && s.Agent == c.agent) {
					t.Errorf("%s: marked %v", s.Agent, marked)
				}
			}
		})
	}
}

// TestAFileOfAnUnknownFormIsNoticedBetweenSearches checks that a later search notices a file that is new, and only once
// it is complete.
func TestAFileOfAnUnknownFormIsNoticedBetweenSearches(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := m.Put(".claude/projects/-w-shop/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, dirstest.Whole("/w/shop")))
	other := filepath.Join(filepath.Dir(path), dirstest.UUID2+".ctxdb")
	f := NewFinder(m.Environment())
	found := func() transcript.Session {
		t.Helper()
		list, problems, err := f.Find(t.Context(), Query{Near: dirstest.Whole("/w/shop")})
		if err != nil || len(problems) > 0 || len(list) != 1 {
			t.Fatal(list, problems, err)
		}
		return list[0]
	}
	before := found()
	if before.UnreadBy != "" {
		t.Errorf("alone: %+v", before)
	}
	later := time.Now().Add(time.Hour)
	for _, c := range []struct {
		name, text string
		at         time.Time
		want       string
	}{
		{"an empty file", "", m.At.Add(time.Hour), ""}, {"one that is being written", "x", later, ""}, {"a complete one", "x", m.At.Add(time.Hour), agent.ClaudeCode},
	} {
		dirstest.Write(t, other, c.text)
		if err := os.Chtimes(other, c.at, c.at); err != nil {
			t.Fatal(err)
		}
		if s := found(); s.UnreadBy != c.want || c.want != "" && !s.Unread.Equal(c.at) {
			t.Errorf("%s: unread since %v by %q", c.name, s.Unread, s.UnreadBy)
		}
	}
	dirstest.Add(t, path, "{}\n")
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if s := found(); s.Size != before.Size+3 || !s.Modified.Equal(later) || s.UnreadBy != "" || s.Workspace != before.Workspace {
		t.Errorf("after the session has grown: %+v", s)
	}
}

// TestUnknownRecordsAreNotTakenForASession checks when all complete records of a file are unknown to its agent.
func TestUnknownRecordsAreNotTakenForASession(t *testing.T) {
	const unknown, known = `{"kind":"turn","thread":"9f"}`, `{"type":"queue-operation","operation":"enqueue"}`
	for name, c := range map[string]struct {
		text string
		form transcript.Form
		want bool
	}{
		"unknown":                     {unknown + "\n", transcript.Lines, true},
		"unknown without its end":     {unknown, transcript.Lines, true},
		"text":                        {"notes\n", transcript.Lines, true},
		"blank":                       {"\n \n", transcript.Lines, false},
		"empty":                       {"", transcript.Lines, false},
		"blank before unknown":        {"\n\n" + unknown + "\n", transcript.Lines, true},
		"known":                       {known + "\n", transcript.Lines, false},
		"known after unknown":         {unknown + "\n" + known, transcript.Lines, false},
		"known after many":            {strings.Repeat(unknown+"\n", transcript.HeadLines-1) + known, transcript.Lines, false},
		"known behind those checked":  {strings.Repeat(unknown+"\n", transcript.HeadLines) + known, transcript.Lines, true},
		"a session":                   {dirstest.ClaudeLine("s", "/w"), transcript.Lines, false},
		"a long record that is known": {`{"type":"queue-operation","text":"` + strings.Repeat("x", transcript.LongRead-100) + `"}`, transcript.Lines, false},
		"one that is incomplete":      {`{"kind":"turn","text":"` + strings.Repeat("x", transcript.LongRead) + `"}`, transcript.Lines, false},
		"unknown before it":           {unknown + "\n" + `{"kind":"turn","text":"` + strings.Repeat("x", transcript.LongRead) + `"}`, transcript.Lines, true},
		"a document":                  {unknown, transcript.Document, true},
		"a document that is known":    {known, transcript.Document, false},
		"a broken document":           {`{"kind":`, transcript.Document, false},
		"a long document":             {`{"kind":"turn","text":"` + strings.Repeat("x", transcript.LongRead) + `"}`, transcript.Document, false},
	} {
		path := filepath.Join(t.TempDir(), "s")
		dirstest.Write(t, path, c.text)
		if got := unknownRecords(&transcript.Session{Agent: agent.ClaudeCode, Path: path, Form: c.form}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if unknownRecords(&transcript.Session{Agent: "none", Path: path, Form: c.form}) && name != "text" {
			t.Errorf("%s: the records are unknown, though no agent is known", name)
		}
	}
	if unknownRecords(&transcript.Session{Agent: agent.ClaudeCode, Path: filepath.Join(t.TempDir(), "none")}) {
		t.Error("a missing file has unknown records")
	}
}

// TestAFileIsCheckedAgainOnceItHasChanged checks when the records of a file without a workspace are unknown: not while
// it may still be being written, and until it changes.
func TestAFileIsCheckedAgainOnceItHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := transcript.Session{Agent: agent.ClaudeCode, Path: path, Size: 10, Modified: time.Now().Add(-time.Hour)}
	f := NewFinder(dirstest.NewMachine(t).Environment())
	for _, c := range []struct {
		text   string
		change func()
		want   bool
	}{
		{`{"a":"bb"}`, func() {}, true},
		{`{"a":"bb"}`, func() { s.Path += ".other" }, false},
		{`{"type":"queue-operation"}`, func() { s.Path = path; s.Size = 26 }, false},
		{`{"type":"anything-of-other"}`, func() { s.Modified = s.Modified.Add(time.Minute) }, true},
		{`{"type":"anything-of-other"}`, func() { s.Modified = time.Now().Add(time.Hour) }, false},
	} {
		dirstest.Write(t, path, c.text)
		if c.change(); f.isUnknown(&s, []transcript.Session{{Path: path}}) != c.want {
			t.Errorf("%s in %s is unknown: %v", c.text, s.Path, !c.want)
		}
	}
}

// TestOnlyTheNewestSessionIsMarked checks that of an agent's sessions in a workspace the newest one is marked, that a
// session of an agent with one directory for all projects is marked once, and that sub-agents are not.
func TestOnlyTheNewestSessionIsMarked(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Own = true
	put := func(id, dir string) {
		m.Put(".claude/projects/-w-shop/"+id+".jsonl", dirstest.ClaudeLine(id, dir))
	}
	const other = "0197f1c2-0000-7000-8000-00000000001"
	rollout := func(n, dir string) {
		m.Put(".codex/sessions/2026/02/09/rollout-2026-02-09T06-01-53-"+other+n+".jsonl",
			`{"timestamp":"2026-02-09T06:01:53.253Z","type":"session_meta","payload":{"id":"`+other+n+`","cwd":"`+dirstest.Whole(dir)+`"}}`+"\n")
	}
	put(dirstest.UUID1, "/w/shop")
	put(dirstest.UUID2, "/w/shop")
	rollout("1", "/w/shop")
	rollout("2", "/elsewhere")
	rollout("3", "/w/shop")
	m.At = m.At.Add(time.Hour)
	m.Put(".claude/projects/-w-shop/0197f1c2-0000-7000-8000-000000000003.ctxdb", "a form that is unknown")
	m.Put(".codex/sessions/2026/02/09/rollout-2026-02-09T06-01-54-"+dirstest.UUID2+".cbor", "a form that is unknown")
	marked := map[string]string{}
	for _, s := range find(m, Query{}) {
		if s.UnreadBy != "" {
			marked[s.ID] = s.UnreadBy
		}
	}
	if want := map[string]string{dirstest.UUID2: agent.ClaudeCode, other + "3": agent.Codex}; !maps.Equal(marked, want) {
		t.Errorf("marked are %v, want %v", marked, want)
	}
}

// TestOnlyFilesThatCouldBeSessionsMayBeUnread checks which sessions without a workspace are checked.
func TestOnlyFilesThatCouldBeSessionsMayBeUnread(t *testing.T) {
	for _, c := range []struct {
		s    transcript.Session
		want bool
	}{
		{transcript.Session{Size: 1}, true},
		{transcript.Session{Size: 1, Form: transcript.Compressed}, true},
		{transcript.Session{Size: 1, Form: transcript.Document}, true},
		{transcript.Session{Size: 1, Form: transcript.Database}, false},
		{transcript.Session{Size: 1, Workspace: "/w"}, false},
		{transcript.Session{Size: 1, Parent: "p"}, false},
		{transcript.Session{}, false},
	} {
		if got := mayBeUnread(&c.s); got != c.want {
			t.Errorf("%+v: %v", c.s, got)
		}
	}
}

// TestASessionIsMarkedWithTheNewestUnreadData checks that unread data marks a session if it is newer by more than a
// minute, and newer than the data that marks it already.
func TestASessionIsMarkedWithTheNewestUnreadData(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	for _, c := range []struct {
		unread, more time.Duration // after the session; 0 for none
		want         string
	}{
		{0, unreadMargin, ""}, {0, unreadMargin + 1, "more"}, {time.Hour, 2 * time.Hour, "more"}, {time.Hour, time.Hour, "first"}, {2 * time.Hour, time.Hour, "first"},
	} {
		s := transcript.Session{Modified: at}
		if c.unread > 0 {
			s.Unread, s.UnreadBy = at.Add(c.unread), "first"
		}
		markOlder(&s, "more", at.Add(c.more))
		if want := map[string]time.Duration{"": 0, "first": c.unread, "more": c.more}[c.want]; s.UnreadBy != c.want || c.want != "" && !s.Unread.Equal(at.Add(want)) {
			t.Errorf("%+v: unread since %v by %q", c, s.Unread, s.UnreadBy)
		}
	}
}

// TestTheShapeOfANameIsWithoutItsIDs checks which parts of names are ids, and the directories of dates.
func TestTheShapeOfANameIsWithoutItsIDs(t *testing.T) {
	for name, want := range map[string]string{
		dirstest.UUID1: "0-0-0-0-0", "rollout-2026-02-09T06-01-53-" + dirstest.UUID2: "rollout-0-0-0-0-0-0-0-0-0-0", "session_a1b": "session-0",
		"sessions-index": "sessions-index", "notes": "notes", "beef-cafe": "0-0", "bee-fed": "bee-fed", "--a__b": "a-b", "feedbackx": "feedbackx", "": "",
	} {
		if got := shapeOf(name); got != want {
			t.Errorf("%q has the shape %q, want %q", name, got, want)
		}
	}
	for path, want := range map[string]string{"/a.b/c.d.e": "c", "/a/b": "b", "/a/.c": ""} {
		if got := stem(path); got != want {
			t.Errorf("%q has the stem %q, want %q", path, got, want)
		}
	}
	dir := filepath.Join(t.TempDir(), "sessions")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"2025/12/31/a", "2026/01/02/a", "2026/02/09/a", "2026/02/10/a", "2026/03", "2026/notes/a", "other/7/2025/12/31/a", "other/7/2026/12/31/a", "other/8/2027/1/1/a"} {
		dirstest.Write(t, at(name), "")
	}
	for path, want := range map[string][]string{
		"2025/12/31/a":         {"2025/12/31", "2026/02/10"},
		"2026/02/09/a":         {"2026/02/09", "2026/02/10"},
		"2026/02/10/a":         {"2026/02/10"},
		"2025/12/a":            {"2025/12", "2026/02"},
		"2026/notes/a":         {"2026/notes"},
		"other/7/2025/12/31/a": {"other/7/2025/12/31", "other/7/2026/12/31"}, // a date has three parts
		"none/1/2/3/a":         {"none/1/2/3"},
	} {
		for i := range want {
			want[i] = at(want[i])
		}
		if got := newestFolders(at(path)); !slices.Equal(got, want) {
			t.Errorf("the directories of %s are %q, want %q", path, got, want)
		}
	}
}

// TestRealSessionsAreNotOld reads every real session available, and checks that none of its states is marked as old and
// that no file contains only unknown records.
func TestRealSessionsAreNotOld(t *testing.T) {
	unknown, files := 0, 0
	for _, variable := range []string{"CTX_TRANSCRIPTS", "CTX_SAMPLES", "CTX_FRESH"} {
		folder := os.Getenv(variable)
		if folder == "" {
			continue
		}
		Below(folder, nil, func(s transcript.Session) {
			files++
			if mayBeUnread(&s) && unknownRecords(&s) {
				t.Errorf("%s: its records are unknown", s.Path)
			}
			unknown += checkStates(t, &s)
		}, func(Problem) {})
	}
	if files == 0 {
		t.Skip("CTX_TRANSCRIPTS, CTX_SAMPLES and CTX_FRESH name no folder of real sessions")
	}
	t.Logf("%d sessions, %d records of unknown types", files, unknown)
}

// uncounted resolves every model to one whose tokens are not counted.
type uncounted struct{}

func (uncounted) Resolve(string, string, string) core.Resolved {
	return core.Resolved{Meter: uncounted{}, Limits: core.NoLimits}
}
func (uncounted) Item(*core.Item) core.Count { return core.Count{Tokens: 1, Basis: core.Estimated} }
func (uncounted) Part(*core.Part) core.Count { return core.Count{Tokens: 1, Basis: core.Estimated} }
func (uncounted) Step(core.Step) int64       { return 0 }
func (uncounted) Family() string             { return "" }
func (uncounted) Density() int64             { return 1000 }

// checkStates checks the mark of a session after each record of an unknown type, and returns how many there are.
func checkStates(t *testing.T, s *transcript.Session) (unknown int) {
	tail := agents.OpenTail(*s)
	session, reader := core.New(core.Identity{}, uncounted{}), agent.New(s.Agent)
	if reader == nil {
		return 0
	}
	var b transcript.Batch
	var doc json.Document
	for {
		if err := tail.Next(context.Background(), &b); err != nil || b.Count == 0 {
			return unknown
		}
		for i := range b.Count {
			v, err := doc.Parse(b.Record(i))
			if err != nil {
				continue
			}
			seen := false
			reader.Record(v, func(e core.Event) {
				session.Apply(e)
				if skipped, ok := e.(core.Skipped); ok && skipped.Unknown {
					seen = true
				}
			})
			if !seen {
				continue
			}
			unknown++
			r := session.Reading()
			if len(r.Warnings) > 0 && strings.Contains(r.Warnings[0].String(), "form that this version does not read") {
				t.Errorf("%s: record %d: %s", s.Path, i+1, r.Warnings[0].String())
				return unknown
			}
		}
	}
}
