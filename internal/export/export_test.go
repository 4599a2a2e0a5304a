// Copyright The ctx-lsp authors. MIT licence.

package export_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sink/sinktest"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// writeTranscript writes a session of Claude Code with that many requests, the last of them on another day.
func writeTranscript(t *testing.T, path string, requests int) transcript.Session {
	t.Helper()
	var text strings.Builder
	record := func(n int, kind, rest string) {
		day := 21
		if n == requests {
			day = 22
		}
		fmt.Fprintf(&text, `{"type":%q,"uuid":"%s%d","parentUuid":null,"isSidechain":false,"sessionId":"s","version":"2.1.200","cwd":"/w/secret-project","timestamp":"2026-11-%dT10:%02d:00.000Z",%s}`+"\n", kind, kind, n, day, n%60, rest)
	}
	for n := 1; n <= requests; n++ {
		record(n, "user", fmt.Sprintf(`"message":{"role":"user","content":"private words %d"}`, n))
		record(n, "assistant", fmt.Sprintf(`"requestId":"r%d","message":{"id":"m%d","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"answer"}],"usage":{"input_tokens":10,"cache_creation_input_tokens":%d,"cache_read_input_tokens":15000,"output_tokens":5}}`, n, n, n*100))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, s transcript.Session, names export.Names) []*export.Row {
	t.Helper()
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var rows []*export.Row
	err = export.Read(t.Context(), s, pool.Call, nil, names, func(r *export.Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestARequestIsARow(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	rows := read(t, s, export.Names{Key: []byte("k")})
	if len(rows) != 3 {
		t.Fatalf("%d rows, want 3", len(rows))
	}
	for i, r := range rows {
		if want := int64(15_010 + (i+1)*100); r.In != want || r.Call != int64(i+1) || *r.CacheRead != 15_000 || *r.CacheWrite != int64(i+1)*100 {
			t.Errorf("row %d: %+v", i, r)
		}
		if sum := r.System + r.Tools + r.MCPTools + r.Skills + r.Agents + r.Memory + r.Documents + r.Summary + r.User + r.Assistant + r.ToolCalls + r.ToolResults + r.RowReasoning + r.Media + r.Messages + r.Prefix + r.Unattributed; sum != r.Used {
			t.Errorf("row %d: the kinds are %d, used is %d", i, sum, r.Used)
		}
		if i > 0 && (r.Predicted == nil || *r.Error != *r.Predicted-r.In || *r.Low > *r.Predicted || *r.High < *r.Predicted) {
			t.Errorf("row %d was predicted as %v, error %v", i, r.Predicted, r.Error)
		}
	}
	if rows[0].Project == "" || rows[0].Project == "/w/secret-project" || rows[0].Project != rows[2].Project {
		t.Errorf("the project is called %q", rows[0].Project)
	}
	if other := read(t, s, export.Names{Key: []byte("another")}); other[0].Project == rows[0].Project {
		t.Error("the hash does not depend on the key")
	}
	if plain := read(t, s, export.Names{Plain: true}); plain[0].Project != "/w/secret-project" {
		t.Errorf("asked for names, the project is called %q", plain[0].Project)
	}
}

// TestACopiedRequestHasItsKey checks that a fork, which copies records into a session of another name, and a second
// export give a request the same key, and that keys differ between requests and between keys of the hash.
func TestACopiedRequestHasItsKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	rows := read(t, writeTranscript(t, path, 3), export.Names{Key: []byte("k")})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fork := writeTranscript(t, filepath.Join(t.TempDir(), "fork.jsonl"), 3)
	if err := os.WriteFile(fork.Path, bytes.ReplaceAll(text, []byte(`"sessionId":"s"`), []byte(`"sessionId":"f"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	fork.ID = "f"
	copied := read(t, fork, export.Names{Key: []byte("k"), At: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)})
	other := read(t, fork, export.Names{Key: []byte("another")})
	seen := map[string]bool{}
	for i, row := range rows {
		if copied[i].Request != row.Request || copied[i].Session == row.Session {
			t.Errorf("request %d is %s of %s, and in the fork %s of %s", i, row.Request, row.Session, copied[i].Request, copied[i].Session)
		}
		if seen[row.Request] || other[i].Request == row.Request || len(row.Request) != 24 {
			t.Errorf("request %d has the key %q", i, row.Request)
		}
		seen[row.Request] = true
		if row.Schema != export.Schema || row.ExportedAt != nil || copied[i].ExportedAt == nil {
			t.Errorf("request %d is of the schema %q, exported at %v and %v", i, row.Schema, row.ExportedAt, copied[i].ExportedAt)
		}
	}
}

// TestBoundsOfTheTime checks that Since is inclusive and Until is exclusive.
func TestBoundsOfTheTime(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	rows := read(t, s, export.Names{Plain: true})
	within := read(t, s, export.Names{Plain: true, Since: *rows[1].Time, Until: *rows[2].Time})
	if len(within) != 1 || within[0].Call != rows[1].Call || within[0].Predicted == nil {
		t.Errorf("%d requests are within the bounds", len(within))
	}
}

func TestAllFormatsContainTheSame(t *testing.T) {
	rows := read(t, writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3), export.Names{Key: []byte("k")})
	written := func(format string) []byte {
		var out bytes.Buffer
		w, err := export.NewWriter(format, &out)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(out.Bytes(), []byte("private words")) || bytes.Contains(out.Bytes(), []byte("secret-project")) {
			t.Errorf("%s has words of the conversation, or a path", format)
		}
		return out.Bytes()
	}
	table, err := csv.NewReader(bytes.NewReader(written("csv"))).ReadAll()
	if err != nil || len(table) != 4 || strings.Join(table[0], ",") != strings.Join(export.Columns(), ",") || table[2][0] != "2026-11-21T10:02:00.000Z" {
		t.Errorf("from CSV comes %v, %v", table, err)
	}
	if lines := strings.Count(string(written("jsonl")), "\n"); lines != 3 {
		t.Errorf("%d lines of JSON", lines)
	}
	for _, format := range []string{"xml", "parquet"} {
		if _, err := export.NewWriter(format, &bytes.Buffer{}); err == nil {
			t.Errorf("%s is the format of a stream", format)
		}
	}
}

// files returns the files in a directory except the journal and the lock.
func files(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "_ctx-export") {
			return err
		}
		info, err := entry.Info()
		rel, _ := filepath.Rel(folder, path)
		found[filepath.ToSlash(rel)] = info.ModTime().UnixNano()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A table is a directory that a test exports into.
type table struct {
	t      *testing.T
	folder string
	format string
	names  export.Names
}

func (x table) open() *export.Folder {
	x.t.Helper()
	f, err := export.OpenFolder(x.folder, x.format, x.names)
	if err != nil {
		x.t.Fatal(err)
	}
	return f
}

// add adds rows of a session to a run, and returns how many were new.
func (x table) add(f *export.Folder, s transcript.Session, rows []*export.Row) int {
	x.t.Helper()
	put, added := f.Begin(s, x.names), 0
	for _, row := range rows {
		isNew, err := put.Row(row)
		if err != nil {
			x.t.Fatal(err)
		}
		if isNew {
			added++
		}
	}
	if err := put.Commit(true); err != nil {
		x.t.Fatal(err)
	}
	return added
}

// run exports a session, and returns how many rows were new, -1 if the session was unchanged.
func (x table) run(s transcript.Session) int {
	x.t.Helper()
	f, added := x.open(), -1
	if !f.Has(s, x.names) {
		added = x.add(f, s, read(x.t, s, x.names))
	}
	if err := errors.Join(f.Finish(), f.Close()); err != nil {
		x.t.Fatal(err)
	}
	return added
}

// TestARunAddsAFileWithWhatIsNew exports a session that grows and is then rewritten. Each run adds at most one file,
// and no earlier file changes.
func TestARunAddsAFileWithWhatIsNew(t *testing.T) {
	sinktest.OnPath(t)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	x := table{t, filepath.Join(t.TempDir(), "table"), "parquet", export.Names{Key: []byte("k")}}
	known := map[string]int64{}
	for i, run := range []struct {
		requests  int // of the transcript; 0 if it is as before
		rows      int
		truncated bool // the journal ends as after a power cut
	}{
		{requests: 3, rows: 3},
		{rows: -1},
		{rows: -1, truncated: true},
		{requests: 5, rows: 3}, // the third request is now on another day
		{requests: 1, rows: 1},
		{requests: 5, rows: 0},
	} {
		if run.truncated {
			journal := filepath.Join(x.folder, "_ctx-export.jsonl")
			text, err := os.ReadFile(journal)
			if err == nil {
				err = os.WriteFile(journal, append(text, `{"transcript":"cut off`...), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if run.requests > 0 {
			writeTranscript(t, path, run.requests)
		}
		s, err := sessions.At(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.run(s); got != run.rows {
			t.Errorf("run %d adds %d rows, want %d", i, got, run.rows)
		}
		now, more := files(t, x.folder), 0
		if run.rows > 0 {
			more = 1
		}
		for name, written := range known {
			if now[name] != written {
				t.Errorf("run %d changes %s", i, name)
			}
		}
		if len(now) != len(known)+more {
			t.Errorf("after run %d there are %v", i, now)
		}
		known = now
	}
}

// reported is the window that the agent of every session has reported, 0 for none.
type reported struct{ window int64 }

func (r reported) Of(transcript.Session) *state.ReportedWindow {
	if r.window == 0 {
		return nil
	}
	return &state.ReportedWindow{Window: r.window}
}

func (reported) Changed() time.Time { return time.Time{} }

// TestAWindowThatIsReportedLaterGivesNewRows checks that rows are written again if their window was unknown.
func TestAWindowThatIsReportedLaterGivesNewRows(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	rows := read(t, s, x.names)
	for i, window := range []int64{0, 300_000, 300_000, 0} {
		f := x.open()
		f.Windows = reported{window}
		want := 3
		if i == 2 {
			want = 0
		}
		if f.Has(s, x.names) != (want == 0) {
			t.Errorf("run %d: that it has the session is %v", i, want > 0)
		}
		if got := x.add(f, s, rows); got != want {
			t.Errorf("run %d adds %d rows, want %d", i, got, want)
		}
		if err := errors.Join(f.Finish(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRowsOfOneKeyAreAllWritten checks that two requests of one key are two rows, and that neither is written twice.
func TestRowsOfOneKeyAreAllWritten(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	row := read(t, s, x.names)[0]
	for i, run := range []struct {
		rows []*export.Row
		want int
	}{{[]*export.Row{row, row}, 2}, {[]*export.Row{row, row, row}, 1}, {[]*export.Row{row}, 0}} {
		f := x.open()
		if got := x.add(f, s, run.rows); got != run.want {
			t.Errorf("run %d adds %d rows, want %d", i, got, run.want)
		}
		if err := errors.Join(f.Finish(), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestASessionThatWasNotReadToItsEndIsReadAgain checks that the rows before an error are written once.
func TestASessionThatWasNotReadToItsEndIsReadAgain(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	f := x.open()
	put := f.Begin(s, x.names)
	_, err := put.Row(read(t, s, x.names)[0])
	if err := errors.Join(err, put.Commit(false), f.Finish(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := x.run(s); got != 2 {
		t.Errorf("the next run adds %d rows, want 2", got)
	}
}

// TestNothingHalfWrittenHasAName checks that programs that read the directory during an export never see an incomplete
// file, and that a run which is given up leaves nothing.
func TestNothingHalfWrittenHasAName(t *testing.T) {
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	f := x.open()
	x.add(f, s, read(t, s, x.names))
	begun := files(t, x.folder)
	if len(begun) != 1 {
		t.Errorf("during a run there are %v", begun)
	}
	for name := range begun {
		if !strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".part") {
			t.Errorf("%s has its name before it is complete", name)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left := files(t, x.folder); len(left) > 0 {
		t.Errorf("a run that was given up leaves %v", left)
	}
	if got := x.run(s); got != 3 {
		t.Errorf("the next run adds %d rows, want 3", got)
	}
}

// TestARunThatWasKilledIsCompleted returns a directory to its state at each moment of the end of a run: the file is
// complete, the journal is partly written, the file has no name.
func TestARunThatWasKilledIsCompleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	x.run(writeTranscript(t, path, 2))
	before := files(t, x.folder)
	journal := filepath.Join(x.folder, "_ctx-export.jsonl")
	old, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	s := writeTranscript(t, path, 6)
	x.run(s)
	whole, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	name := ""
	for each := range files(t, x.folder) {
		if _, ok := before[each]; !ok {
			name = each
		}
	}
	content, err := os.ReadFile(filepath.Join(x.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	rows := read(t, s, x.names)
	moments := []int{len(whole) - 1, len(whole)}
	for at := len(old); at < len(whole); at += 9 {
		moments = append(moments, at)
	}
	for _, at := range moments {
		folder := t.TempDir()
		for name, text := range map[string][]byte{"_ctx-export.jsonl": whole[:at], "." + name + ".part": content} {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		y := x
		y.folder = folder
		f, complete := y.open(), at == len(whole)
		want := 5 // of the first run's two requests, the second is now on another day
		if complete {
			want = 0
		}
		if added := y.add(f, s, rows); added != want || f.Has(s, x.names) != complete {
			t.Errorf("after %d bytes of the journal, %d rows are new, want %d", at, added, want)
		}
		if err := errors.Join(f.Finish(), f.Close()); err != nil {
			t.Fatal(err)
		}
		left := files(t, folder)
		if _, ok := left[name]; ok != complete || len(left) != 1 {
			t.Errorf("after %d bytes of the journal there are %v", at, left)
		}
	}
}

func TestTwoExportsDoNotWriteIntoOneFolder(t *testing.T) {
	x := table{t, t.TempDir(), "csv", export.Names{}}
	f := x.open()
	if _, err := export.OpenFolder(x.folder, "csv", x.names); !errors.Is(err, export.ErrTaken) {
		t.Errorf("a second export gets %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x.open().Close()
}

// TestATableIsOfOneKind checks that a table has one format and one key, and that the table of another version is left
// alone.
func TestATableIsOfOneKind(t *testing.T) {
	x := table{t, t.TempDir(), "csv", export.Names{Key: []byte("k")}}
	x.open().Close()
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "_ctx-export.jsonl"), []byte("\n"+`{"transcript":"a","files":[]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, other := range []table{
		{t, x.folder, "jsonl", x.names},
		{t, x.folder, "csv", export.Names{Key: []byte("another")}},
		{t, x.folder, "csv", export.Names{Plain: true}},
		{t, old, "csv", x.names},
	} {
		if _, err := export.OpenFolder(other.folder, other.format, other.names); !errors.Is(err, export.ErrOther) {
			t.Errorf("a table of another kind is opened: %v", err)
		}
	}
	x.open().Close()
}

// TestTheDocumentNamesEveryColumn checks docs/export.md.
func TestTheDocumentNamesEveryColumn(t *testing.T) {
	text, err := os.ReadFile("../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range export.Columns() {
		if !bytes.Contains(text, []byte("`"+column+"`")) {
			t.Errorf("docs/export.md does not name %s", column)
		}
	}
	if !bytes.Contains(text, []byte(export.Schema)) {
		t.Errorf("docs/export.md does not name %s", export.Schema)
	}
}
