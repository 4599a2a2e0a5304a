// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// made makes a database by statements, and closes it. A statement and its arguments are one list.
func made(t testing.TB, path string, statements ...[]any) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s[0].(string), s[1:]...); err != nil {
			t.Fatal(s[0], err)
		}
	}
	return path
}

func do(statement string, args ...any) []any { return append([]any{statement}, args...) }

// list lists the sessions of a store.
func list(t testing.TB, of, path string) []transcript.Session {
	t.Helper()
	found, err := storeOf(of).List(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// events are what the reader of the agent makes of a session, a line for each that says something of the conversation.
func events(t testing.TB, of, path, id string) []string {
	t.Helper()
	records, err := storeRecords(context.Background(), of, path, id)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, of, records)
}

// raw are the records of a session as they are written.
func raw(t testing.TB, of, path, id string) (lines []string) {
	t.Helper()
	records, err := storeRecords(context.Background(), of, path, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		lines = append(lines, string(r.JSON))
	}
	return lines
}

// described are the sessions of a store with all that the list says of them; times are in milliseconds, 0 if unknown.
func described(t testing.TB, of, path string) (lines []string) {
	t.Helper()
	for _, s := range list(t, of, path) {
		lines = append(lines, fmt.Sprintf("%s of %q: %q in %q, %d to %d", s.ID, s.Parent, s.Label, s.Workspace, milliseconds(s.Started), milliseconds(s.Modified)))
	}
	return lines
}

func read(t testing.TB, of string, records []transcript.StoreRecord) (lines []string) {
	t.Helper()
	reader := agent.New(of)
	for _, r := range records {
		v, err := json.Parse(r.JSON)
		if err != nil {
			t.Fatalf("%s: %v", r.JSON, err)
		}
		reader.Record(v, func(e core.Event) {
			switch e := e.(type) {
			case core.At, core.AgentSeen:
			case core.Appended:
				i := e.Item
				line := fmt.Sprintf("%v %s %q", i.Kind, i.Name, i.Text)
				if i.Error {
					line += " failed"
				}
				if i.Answers > 0 {
					line += fmt.Sprintf(" for %d", i.Answers-1)
				}
				lines = append(lines, line)
			case core.Metered:
				line := fmt.Sprintf("used in %d out %d reasoning %d read %d write %d through %d by %s", e.In, e.Out, e.Reasoning, e.CacheRead, e.CacheWrite, e.Through, e.Model.Model)
				for _, is := range []struct {
					set  bool
					name string
				}{{e.Own, "own"}, {e.SideRequest, "side"}, {e.Sum, "sum"}, {e.OutPlaceholder, "placeholder"}} {
					if is.set {
						line += ", " + is.name
					}
				}
				lines = append(lines, line)
			case core.Compacted:
				line := fmt.Sprintf("compacted, kept %d, before %d, left %d", e.Kept, e.Before, e.Tokens)
				if e.Summary != nil {
					line += fmt.Sprintf(", %q", e.Summary.Text)
				}
				lines = append(lines, line)
			case core.ContextSet:
				for _, p := range e.Parts {
					lines = append(lines, fmt.Sprintf("%v %s %q", e.Kind, p.Label, p.Text))
				}
			case core.PrefixKnown:
				for _, p := range e.Parts {
					lines = append(lines, fmt.Sprintf("%v %s of %d", e.Kind, p.Label, p.Tokens))
				}
			case core.LimitsKnown:
				lines = append(lines, fmt.Sprintf("window %d input %d output %d", e.Window, e.Input, e.Output))
			case core.TurnStarted:
				lines = append(lines, "turn")
			case core.TurnEnded:
				lines = append(lines, "over")
			case core.WorkspaceSeen:
				lines = append(lines, "in "+e.Path)
			case core.TitleSeen:
				lines = append(lines, "title "+e.Title)
			case core.ModelSet:
				lines = append(lines, "model "+e.Model+" of "+e.Provider)
			case core.Warned:
				lines = append(lines, "warning "+e.Sentence.String())
			case core.Skipped:
				lines = append(lines, "skipped "+e.Reason.String())
			default:
				lines = append(lines, strings.TrimPrefix(fmt.Sprintf("%T%v", e, e), "core."))
			}
		})
	}
	return lines
}

func expect(t testing.TB, got []string, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("%d:\n got %s\nwant %s\nall:\n%s", i, g, w, strings.Join(got, "\n"))
		}
	}
}

// strange are values that no column and no field expects.
var strange = []any{nil, int64(-1), int64(1) << 62, 1e300, "", "x", "\xff\xfe", []byte{0, 1, 2}, `{"a":[]}`, `[[[]]]`, `[{"type":7,"data":[]},null]`, strings.Repeat("[", 3000)}

// hostile puts every strange value into every column of every row, one at a
// time: the store must answer, and what it tells must be read.
func hostile(t *testing.T, of, path, id string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tables := texts(t, db, "SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'")
	for _, table := range tables {
		rows := texts(t, db, `SELECT rowid FROM "`+table+`" LIMIT 12`)
		for _, column := range texts(t, db, "SELECT name FROM pragma_table_info(?1)", table) {
			for n, row := range rows {
				value := strange[(n+len(column))%len(strange)]
				for range 2 {
					if _, err := db.Exec("SAVEPOINT before"); err != nil {
						t.Fatal(err)
					}
					_, failed := db.Exec(`UPDATE "`+table+`" SET "`+column+`"=?1 WHERE rowid=?2`, value, row)
					if _, err := db.Exec("RELEASE before"); err != nil {
						t.Fatal(err)
					}
					if failed == nil {
						_, _ = storeOf(of).List(context.Background(), path) // an error is an answer
						if records, err := storeRecords(context.Background(), of, path, id); err == nil {
							read(t, of, records)
						}
					}
					value = strange[(n*7+len(column)+3)%len(strange)]
				}
			}
		}
	}
}

func texts(t *testing.T, db *sql.DB, query string, args ...any) (list []string) {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// TestAStoreThatCannotBeReadIsAnError checks that a table or a column that is missing is reported, both when sessions
// are listed and when one is read.
func TestAStoreThatCannotBeReadIsAnError(t *testing.T) {
	for _, c := range []struct{ of, path, id, broken string }{
		{agent.Antigravity, antigravityStore(t), "a1", `ALTER TABLE steps RENAME COLUMN step_payload TO other`},
		{agent.Antigravity, antigravityStore(t), "a1", `ALTER TABLE gen_metadata RENAME COLUMN data TO other`},
		{agent.Crush, crushStore(t), "s1", `ALTER TABLE messages RENAME COLUMN role TO other`},
		{agent.Crush, crushStore(t), "s1", `ALTER TABLE messages RENAME COLUMN model TO other`},
		{agent.Crush, crushStore(t), "s1", `ALTER TABLE sessions RENAME COLUMN title TO other`},
		{agent.Cursor, cursorStore(t), "c1", `ALTER TABLE cursorDiskKV RENAME COLUMN value TO other`},
		{agent.Goose, gooseStore(t), "g1", `ALTER TABLE messages RENAME COLUMN content_json TO other`},
		{agent.Goose, gooseStore(t), "g1", `ALTER TABLE usage_ledger RENAME COLUMN session_id TO other`},
		{agent.Goose, gooseStore(t), "g1", `DROP TABLE sessions`},
		{agent.Hermes, hermesStore(t), "h1", `DROP TABLE messages`},
		{agent.Hermes, hermesStore(t), "h1", `DROP TABLE sessions`},
		{agent.Kiro, kiroStore(t), "k1", `ALTER TABLE conversations_v2 RENAME COLUMN value TO other`},
		{agent.Kiro, kiroStore(t), "k1", `DROP TABLE conversations_v2`},
		{agent.Zed, zedStore(t, "json", []byte("{}")), "z1", `ALTER TABLE threads RENAME COLUMN data TO other`},
		{agent.Zed, zedStore(t, "json", []byte("{}")), "z1", `DROP TABLE threads`},
	} {
		made(t, c.path, do(c.broken))
		if _, err := storeRecords(t.Context(), c.of, c.path, c.id); err == nil {
			t.Errorf("%s: %s: a session is read", c.of, c.broken)
		}
		lists := !strings.HasPrefix(c.broken, "DROP TABLE") && !strings.Contains(c.broken, " sessions ") || strings.Contains(c.broken, "messages")
		if _, err := storeOf(c.of).List(t.Context(), c.path); (err == nil) != lists {
			t.Errorf("%s: %s: sessions are listed: %v", c.of, c.broken, err)
		}
	}
	for of, path := range map[string]string{agent.Goose: gooseStore(t), agent.Hermes: hermesStore(t), agent.Zed: zedStore(t, "json", []byte("{}")), agent.Kiro: kiroStore(t), agent.Crush: crushStore(t)} {
		if got := raw(t, of, path, "unknown"); len(got) > 0 {
			t.Errorf("%s: an unknown session: %q", of, got)
		}
	}
}

// TestValuesOfARowAreReadInEveryType checks numbers, texts and times, as databases and JSON have them.
func TestValuesOfARowAreReadInEveryType(t *testing.T) {
	for _, c := range []struct {
		value  any
		text   string
		number int64
		at     int64
	}{
		{nil, "", -1, 0},
		{"x", "x", -1, 0},
		{[]byte("x"), "x", -1, 0},
		{int64(7), "", 7, 7000},
		{7.9, "", 7, 7000},
		{true, "", 1, 0},
		{false, "", 0, 0},
		{float64(1 << 53), "", 1 << 53, 0},
		{-float64(1 << 53), "", -1 << 53, 0},
		{float64(1<<53 + 2), "", -1, 0},
		{-float64(1<<53 + 2), "", -1, 0},
		{int64(1764590000), "", 1764590000, 1764590000000},
		{int64(1764590000000), "", 1764590000000, 1764590000000},
		{int64(1764590000000000), "", 1764590000000000, 0},
		{int64(764590000000000), "", 764590000000000, 764590000000},
		{"2025-12-02 16:58:55", "2025-12-02 16:58:55", -1, 1764694735000},
		{"2025-12-02T16:58:55.5Z", "2025-12-02T16:58:55.5Z", -1, 1764694735500},
		{"2025-12-02 16:58:55+01:00", "2025-12-02 16:58:55+01:00", -1, 1764691135000},
		{time.UnixMilli(5), "", -1, 5},
		{int64(0), "", 0, 0},
		{int64(-5), "", -5, 0},
	} {
		r := row{c.value}
		if r.text(0) != c.text || string(r.bytes(0)) != c.text || r.number(0) != c.number {
			t.Errorf("%v: %q, %q, %d", c.value, r.text(0), r.bytes(0), r.number(0))
		}
		if at := r.time(0); c.at == 7000 && !at.IsZero() || c.at != 7000 && milliseconds(at) != c.at {
			t.Errorf("%v is at %d, want %d", c.value, milliseconds(at), c.at)
		}
	}
	for n, want := range map[int64]int64{
		631152000: 631152000000, 631151999: 0, 100_000_000_000: 0, 7258118399: 7258118399000, 7289654400: 0, 1 << 50: 1 << 50 / 1000, 1<<50 + 1: 0, 100_000_000_000_000: 0, 631152000000: 631152000000, 100_000_000_000_001: 0, 700_000_000_000_000: 700_000_000_000,
	} {
		if got := milliseconds(instant(n)); got != want {
			t.Errorf("%d is at %d, want %d", n, got, want)
		}
	}
	for text, want := range map[string][2]int64{
		`1764590000.9`: {1764590000, 1764590000000}, `"1764590000000"`: {-1, 1764590000000}, `"2025-12-02T16:58:55Z"`: {-1, 1764694735000}, `"x"`: {-1, 0}, `true`: {-1, 0}, `-1`: {-1, 0}, `1125899906842624`: {1 << 50, 1 << 50 / 1000}, `1125899906842625`: {-1, 0}, `1e300`: {-1, 0},
		`"` + strings.Repeat("0", 29) + `1764590000"`: {-1, 1764590000000}, `"` + strings.Repeat("0", 30) + `1764590000"`: {-1, 0},
	} {
		v := parsed([]byte(text))
		if whole(v) != want[0] || milliseconds(timeOf(v)) != want[1] {
			t.Errorf("%s: %d at %d, want %v", text, whole(v), milliseconds(timeOf(v)), want)
		}
	}
	if sum() != -1 || sum(-1, -1) != -1 || sum(0) != 0 || sum(-1, 0) != 0 || sum(3, -1, 4) != 7 {
		t.Error("unknown counts are added")
	}
	if got := Escaped(`/a*b?c[d]/`); got != `/a[*]b[?]c[[]d]/` {
		t.Errorf("the pattern is %s", got)
	}
	if got := quoted(`a"b`); got != `"a""b"` {
		t.Errorf("the name is %s", got)
	}
}

// TestSessionsOfAStoreHaveItsFormAndName checks the sessions of a store, those without a name, and the label of one.
func TestSessionsOfAStoreHaveItsFormAndName(t *testing.T) {
	path := crushStore(t)
	found, err := StoreSessions(t.Context(), agent.Crush, path)
	if err != nil || len(found) != 2 || found[0].Agent != agent.Crush || found[0].Path != path || found[0].Form != transcript.Store || found[0].Key != "s1" {
		t.Errorf("%+v, %v", found, err)
	}
	for id, want := range map[string]string{"s1": "Prices", "s2": "Look around", "s3": "", "": ""} {
		if got := StoreLabel(transcript.Session{Agent: agent.Crush, Path: path, ID: id}); got != want {
			t.Errorf("%q is called %q", id, got)
		}
	}
	chat := cursorChatStore(t, nil, cursorMessages...)
	if got := StoreLabel(transcript.Session{Agent: agent.Cursor, Path: chat}); got != "Prices" {
		t.Errorf("the only session is called %q", got)
	}
	s := transcript.Session{Agent: agent.Cursor, Path: chat, Size: 5, Modified: time.UnixMilli(7)}
	if err := ReadStoreHead(&s); err != nil || s.ID != "ac437fdf" || s.Size != 5 || s.Modified.UnixMilli() != 7 {
		t.Errorf("%+v, %v", s, err)
	}
	s = transcript.Session{Agent: agent.Crush, Path: path, Modified: time.UnixMilli(7)}
	if err := ReadStoreHead(&s); err != nil || s.Modified.UnixMilli() != 1764590401000 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, of := range []string{"another", agent.Codex} {
		if found, err := StoreSessions(t.Context(), of, path); found != nil || err != nil {
			t.Errorf("%s: %+v, %v", of, found, err)
		}
		if records, err := storeRecords(t.Context(), of, path, "s1"); records != nil || err != nil {
			t.Errorf("%s: %d records, %v", of, len(records), err)
		}
	}
	missing := transcript.Session{Agent: agent.Crush, Path: path + "x"}
	if err := ReadStoreHead(&missing); err == nil || StoreLabel(missing) != "" {
		t.Error("a missing store is read")
	}
	made(t, path, do(`UPDATE sessions SET id='' WHERE id='s1'`))
	if found, err := StoreSessions(t.Context(), agent.Crush, path); err != nil || len(found) != 1 || found[0].ID != "s2" {
		t.Errorf("%+v, %v", found, err)
	}
	made(t, path, do(`DELETE FROM sessions WHERE id='s2'`))
	if _, err := StoreSessions(t.Context(), agent.Crush, path); err == nil || !strings.Contains(err.Error(), "its sessions have no names") {
		t.Errorf("%v", err)
	}
	made(t, path, do(`DELETE FROM sessions`))
	if err := ReadStoreHead(&transcript.Session{Agent: agent.Crush, Path: path}); !os.IsNotExist(err) {
		t.Errorf("an empty store: %v", err)
	}
}

// TestAStoreIsListedWithTheTimesOfItsSessions checks the candidates of a database, and a session without a time.
func TestAStoreIsListedWithTheTimesOfItsSessions(t *testing.T) {
	path := crushStore(t)
	made(t, path, do(`UPDATE sessions SET updated_at=NULL WHERE id='s2'`))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = listStore(Root{Agent: agent.Crush, Path: path}, func(c Candidate) {
		got = append(got, fmt.Sprintf("%s of %q alone %v at %d", c.ID, c.Parent, c.Alone, c.Modified().UnixMilli()))
		if c.Kind != transcript.Store || c.Session == nil || c.Info == nil || c.Agent != agent.Crush || c.Path != path || c.KnownWorkspace() != filepath.Dir(filepath.Dir(path)) {
			t.Errorf("%+v", c)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, `s1 of "" alone true at 1764590401000`, fmt.Sprintf(`s2 of "s1" alone false at %d`, info.ModTime().UnixMilli()))
	for _, list := range []lister{listStore, storeFiles("*.db"), listOne} {
		if err := list(Root{Agent: agent.Crush, Path: path + "x"}, func(Candidate) {}); !os.IsNotExist(err) {
			t.Errorf("a missing store: %v", err)
		}
	}
	folder := Root{Agent: agent.MiniSWEAgent, Path: filepath.Dir(path)}
	if err := listOne(folder, func(c Candidate) { t.Errorf("a directory is a session: %+v", c) }); err != nil {
		t.Error(err)
	}
	if err := listStore(Root{Agent: agent.Kiro, Path: path}, func(Candidate) {}); err == nil {
		t.Error("another agent's store is listed")
	}
	old := Candidate{Info: info}
	if !old.Modified().Equal(info.ModTime()) {
		t.Error("a file has another time")
	}
	if old.changed = time.UnixMilli(5); old.Modified().UnixMilli() != 5 {
		t.Error("the time of a database is not used")
	}
}
