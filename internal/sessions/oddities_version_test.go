// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestANewerFormOfAStoreIsReported checks that a store with a newer version than any tested one is reported with both
// versions, and that any other store is not.
func TestANewerFormOfAStoreIsReported(t *testing.T) {
	for _, version := range []string{"known", "newer"} {
		m := dirstest.NewMachine(t)
		of := func(known, newer string) string {
			if version == "newer" {
				return newer
			}
			return known
		}
		store := filepath.Join(m.Home, ".copilot/session-store.db")
		dirstest.Run(t, dirstest.OpenCodeDatabase(t, store, "wal"), `CREATE TABLE schema_version AS SELECT `+of("8", "80")+` AS version`)
		log := m.Put(".copilot/session-state/c1/events.jsonl", `{"type":"session.start","data":{"sessionId":"c1","version":`+of("1", "2")+`,"producer":"copilot-agent","copilotVersion":"1.0.91","context":{"cwd":"/w"}},"id":"e1","timestamp":"2026-05-01T10:00:00Z","parentId":null}`+"\n")
		pi := m.Put(".pi/agent/sessions/--w--/2026-05-01_p1.jsonl", `{"type":"session","version":`+of("3", "4")+`,"id":"p1","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/w"}`+"\n")
		kimi := m.Put(".kimi-code/sessions/w/k1/agents/main/wire.jsonl", `{"type":"metadata","protocol_version":"`+of("1.5", "1.50")+`","created_at":1764590000000}`+"\n")
		sessions, _, err := NewFinder(m.Environment()).Find(context.Background(), Query{Children: true})
		if err != nil || len(sessions) != 3 {
			t.Fatalf("%v %+v", err, sessions)
		}
		said := strings.Join(inEnglish(Oddities(context.Background(), m.Environment(), sessions)), "\n")
		for _, want := range []string{
			store + " has format version 80, but the newest version tested with ctx-lsp is 8",
			log + " has format version 2, but the newest version tested with ctx-lsp is 1",
			pi + " has format version 4, but the newest version tested with ctx-lsp is 3",
			kimi + " has format version 1.50, but the newest version tested with ctx-lsp is 1.5",
		} {
			if strings.Contains(said, want) != (version == "newer") {
				t.Errorf("%s: %q in\n%s", version, want, said)
			}
		}
		if n := strings.Count(said, store+" says"); n > 1 {
			t.Errorf("%s: a database is named %d times", version, n)
		}
	}
}

func inEnglish(sentences []phrase.Text) (out []string) {
	for _, sentence := range sentences {
		out = append(out, sentence.String())
	}
	return out
}

// TestTheVersionOfRecordsIsInTheFirstFew checks where the version of a file's form is looked for.
func TestTheVersionOfRecordsIsInTheFirstFew(t *testing.T) {
	field := agents.Version{Field: []string{"v", "version"}}
	long := agents.Version{Field: field.Field, Long: true}
	pad := func(length int) string {
		return `{"v":{"pad":"` + strings.Repeat("x", length) + `","version":4}}` + "\n"
	}
	for _, c := range []struct {
		name, text string
		version    agents.Version
		want       string
	}{
		{"a", `{"v":{"version":4}}`, field, "4"},
		{"a", `{"v":{"version":"4.5"}}` + "\n", field, "4.5"},
		{"a", `{"v":{"version":"` + strings.Repeat("1", 19) + `"}}`, field, strings.Repeat("1", 19)},
		{"a", `{"v":{"version":"` + strings.Repeat("1", 20) + `"}}`, field, ""},
		{"a", `{"v":{"version":true}}` + "\n" + `{"v":{"version":5}}` + "\n" + `{"v":{"version":6}}`, field, "5"},
		{"a", "broken\n{}\n\n{}\n" + `{"v":{"version":5}}`, field, "5"},
		{"a", "{}\n{}\n{}\n{}\n{}\n" + `{"v":{"version":5}}`, field, ""},
		{"a", pad(transcript.FirstRead), field, ""},
		{"a", pad(transcript.FirstRead), long, "4"},
		{"a", pad(transcript.LongRead), long, ""},
		{"a", "", field, ""},
		{"a.db", `{"v":{"version":4}}`, field, ""},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		dirstest.Write(t, path, c.text)
		if got := formOfRecords(&transcript.Session{Path: path}, c.version); got != c.want {
			t.Errorf("%.60s: %q, want %q", c.text, got, c.want)
		}
	}
	if got := formOfRecords(&transcript.Session{Path: filepath.Join(t.TempDir(), "none")}, field); got != "" {
		t.Errorf("a missing file has the version %q", got)
	}
	path := filepath.Join(t.TempDir(), "s.db")
	dirstest.Database(t, path, `CREATE TABLE v (n INTEGER); INSERT INTO v VALUES (7)`)
	for _, c := range []struct{ path, query, want string }{
		{path, `SELECT n FROM v`, "7"},
		{path, `SELECT n FROM v WHERE n=8`, ""},
		{path, `SELECT n FROM none`, ""},
		{path + ".none.db", `SELECT 1`, ""},
		{strings.TrimSuffix(path, ".db"), `SELECT 1`, ""},
	} {
		if got := formOfDatabase(t.Context(), c.path, c.query); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.query, c.path, got, c.want)
		}
	}
}

// TestAStoreOfANewerFormIsReportedOnce checks two sessions of one database.
func TestAStoreOfANewerFormIsReportedOnce(t *testing.T) {
	m := dirstest.NewMachine(t)
	store := filepath.Join(m.Home, ".copilot/session-store.db")
	dirstest.Run(t, dirstest.OpenCodeDatabase(t, store, "wal"), `CREATE TABLE schema_version AS SELECT 80 AS version`)
	for _, id := range []string{"c1", "c2"} {
		m.Put(".copilot/session-state/"+id+"/events.jsonl", `{"type":"session.start","data":{"sessionId":"`+id+`","version":1}}`+"\n")
	}
	o := &oddities{seen: map[string]bool{}, paths: map[string][]string{}}
	for _, s := range find(m, Query{}) {
		o.form(t.Context(), &s)
	}
	if got := inEnglish(o.sentences()); len(got) != 1 || !strings.HasPrefix(got[0], store) {
		t.Errorf("%q", got)
	}
}

func TestNewerVersions(t *testing.T) {
	for _, c := range []struct {
		said, known string
		newer       bool
	}{{"3", "3", false}, {"4", "3", true}, {"10", "9", true}, {"1.10", "1.9", true}, {"1.9.1", "1.9", true}, {"1.9.0", "1.9", false}, {"1.9", "1.9.1", false}, {"1.8.9", "1.9", false}, {"2", "1.9", true}, {"-1", "0", false}, {"1.-1", "1", false}, {"v1", "v1", false}, {"v2", "v1", true}, {"", "3", false}, {"next", "3", false}, {"2.x", "3", false}, {"99999999999999999999", "3", false}} {
		if newer(c.said, c.known) != c.newer {
			t.Errorf("%q is newer than %q: %v", c.said, c.known, !c.newer)
		}
	}
}
