// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestEveryTranscriptIsKnownWhereverItIs checks that a transcript is read for the agent that wrote it, whatever its
// name, compressed or not.
func TestEveryTranscriptIsKnownWhereverItIs(t *testing.T) {
	files, err := filepath.Glob("../../testdata/sessions/*/*.json*")
	if err != nil || len(files) < 15 {
		t.Fatalf("only %d transcripts found: %v", len(files), err)
	}
	for _, file := range files {
		want := filepath.Base(filepath.Dir(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		w.Close()
		form := transcript.Lines
		if strings.HasSuffix(file, ".json") {
			form = transcript.Document
		}
		plain := filepath.Join(t.TempDir(), "session")
		dirstest.Write(t, plain, string(text))
		s, err := At(plain)
		if err != nil || s.Agent != want || s.Form != form || s.Path != plain || s.Size != int64(len(text)) || s.ID == "" {
			t.Errorf("%s: %+v, %v", file, s, err)
		}
		if form != transcript.Lines {
			continue
		}
		again := filepath.Join(t.TempDir(), "session.gz")
		dirstest.Write(t, again, packed.String())
		c, err := At(again)
		if err != nil || c.Agent != want || c.Form != transcript.Compressed || c.Workspace != s.Workspace {
			t.Errorf("%s, compressed: %+v, %v", file, c, err)
		}
	}
}

func TestADatabaseWithoutSessionsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	dirstest.Database(t, path, `CREATE TABLE other (a)`)
	if s, err := At(path); err == nil {
		t.Errorf("a database of another program is a session: %+v", s)
	}
	path = filepath.Join(t.TempDir(), "opencode.db")
	dirstest.Run(t, dirstest.OpenCodeDatabase(t, path, "delete"), `DELETE FROM session`)
	if s, err := At(path); err == nil || err.Error() != path+" contains no session" {
		t.Errorf("an empty database is a session: %+v, %v", s, err)
	}
}

// TestTheNewestSessionOfADatabaseIsChosen checks which session a database that was named stands for: the newest one,
// wherever it is in the table, that is not a sub-agent's.
func TestTheNewestSessionOfADatabaseIsChosen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := dirstest.OpenCodeDatabase(t, path, "delete")
	dirstest.Run(t, db, `INSERT INTO session VALUES ('ses_0','p',NULL,'/w/shop','New','1.18.33',1000,3000), ('ses_3','p',NULL,'/w/shop','Old','1.18.33',1000,1500)`)
	dirstest.Run(t, db, `UPDATE session SET time_updated=9000 WHERE parent_id IS NOT NULL`)
	for _, newest := range []string{"ses_0", "ses_3", "ses_1"} {
		dirstest.Run(t, db, `UPDATE session SET time_updated=(SELECT max(time_updated) FROM session)+1 WHERE id=?`, newest)
		if s, err := At(path); err != nil || s.ID != newest {
			t.Errorf("the session is %s, want %s: %v", s.ID, newest, err)
		}
	}
}

// TestTheAgentIsKnownByTheFirstCompleteRecords checks how far into a file its agent is looked for.
func TestTheAgentIsKnownByTheFirstCompleteRecords(t *testing.T) {
	record := strings.TrimSuffix(dirstest.ClaudeLine(dirstest.UUID1, "/w/a"), "\n")
	record = record[strings.IndexByte(record, '\n')+1:]
	other := func(length int) string { return `{"other":"` + strings.Repeat("x", length) + `"}` + "\n" }
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"the first one":              {record + "\n", agent.ClaudeCode},
		"without its end":            {record, agent.ClaudeCode},
		"after others":               {"\n" + other(3) + "broken\n" + record, agent.ClaudeCode},
		"after a long one":           {other(transcript.FirstRead) + record, agent.ClaudeCode},
		"after one that is too long": {other(transcript.LongRead) + record, ""},
		"the last of those checked":  {strings.Repeat(other(1), transcript.HeadLines-1) + record, agent.ClaudeCode},
		"far behind":                 {strings.Repeat(other(1), transcript.HeadLines) + record, ""},
		"cut off":                    {record[:len(record)/2], ""},
		"of nobody":                  {other(3), ""},
	} {
		path := filepath.Join(t.TempDir(), "session")
		dirstest.Write(t, path, c.text)
		for _, form := range []transcript.Form{transcript.Lines, transcript.Compressed} {
			if form == transcript.Compressed {
				var packed bytes.Buffer
				w := gzip.NewWriter(&packed)
				w.Write([]byte(c.text))
				w.Close()
				dirstest.Write(t, path, packed.String())
			}
			if got := recognise(transcript.Session{Path: path, Form: form}); got != c.want {
				t.Errorf("%s, in form %d: %q, want %q", name, form, got, c.want)
			}
		}
	}
	for _, form := range []transcript.Form{transcript.Lines, transcript.Compressed, transcript.Document} {
		if got := recognise(transcript.Session{Path: filepath.Join(t.TempDir(), "none"), Form: form}); got != "" {
			t.Errorf("a missing file in form %d is of %q", form, got)
		}
	}
}

// TestNoFileStaysOpen checks that the files of sessions are closed after each of them was read.
func TestNoFileStaysOpen(t *testing.T) {
	const open = "/dev/fd"
	if _, err := os.ReadDir(open); err != nil {
		t.Skip("this system does not list open files: ", err)
	}
	m := dirstest.NewMachine(t)
	lines := m.Put(".claude/projects/-w/s.jsonl", byUser("Title")+dirstest.ClaudeLine("s", "/w"))
	document := m.Put(".local/share/opencode/storage/session/p1/ses_1.json", `{"id":"ses_1","directory":"/w"}`)
	database := filepath.Join(m.Home, "s.db")
	dirstest.Database(t, database, `CREATE TABLE v (n INTEGER)`)
	s := transcript.Session{Agent: agent.ClaudeCode, Path: lines}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it would close them
	for name, read := range map[string]func(){
		"At": func() {
			for _, path := range []string{lines, document, database} {
				_, _ = At(path)
			}
		},
		"Find":         func() { find(m, Query{}) },
		"Title":        func() { Title(s) },
		"FindTitle":    func() { FindTitle(s, "Title") },
		"TitleAt":      func() { TitleAt(s, 0, 10) },
		"Oddities":     func() { Oddities(t.Context(), m.Environment(), []transcript.Session{s}) },
		"its form":     func() { formOfDatabase(t.Context(), database, `SELECT n FROM v`) },
		"its records":  func() { unknownRecords(&s) },
		"its document": func() { _ = readDocumentHead(&transcript.Session{Path: document}, new(json.Document)) },
	} {
		read() // what is opened once may stay open
		before, _ := os.ReadDir(open)
		for range 5 {
			read()
		}
		if after, _ := os.ReadDir(open); len(after) > len(before) {
			t.Errorf("%s leaves %d files open", name, len(after)-len(before))
		}
	}
}
