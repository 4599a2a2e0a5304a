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
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sink/sinktest"
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

func TestAnExportContinuesInItsFolder(t *testing.T) {
	sinktest.OnPath(t)
	folder, path, names := filepath.Join(t.TempDir(), "table"), filepath.Join(t.TempDir(), "s.jsonl"), export.Names{Key: []byte("k")}
	put := func(s transcript.Session, want bool) {
		t.Helper()
		f, err := export.OpenFolder(folder, "parquet")
		if err != nil {
			t.Fatal(err)
		}
		if f.Has(s, names) != want {
			t.Errorf("that it has the session is %v", !want)
		}
		if !want {
			put := f.Begin(s, names)
			for _, row := range read(t, s, names) {
				if err := put.Row(row); err != nil {
					t.Fatal(err)
				}
			}
			if err := put.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	put(writeTranscript(t, path, 3), false)
	first := files(t, folder)
	if len(first) != 2 {
		t.Fatalf("two days of one agent are in %v", first)
	}
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	put(s, true)
	journal := filepath.Join(folder, "_ctx-export.jsonl")
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, append(text, `{"transcript":"cut off`...), 0o644); err != nil {
		t.Fatal(err)
	}
	put(s, true)
	put(writeTranscript(t, path, 1), false) // a session that was rewound to one day
	if left := files(t, folder); len(left) != 1 {
		t.Errorf("of a session with one day there are %v", left)
	}
	if names = (export.Names{Plain: true}); true {
		s, _ = sessions.At(path)
		put(s, false) // named differently, so that it is written again
	}
}

// TestManyDaysNeedFewOpenFiles checks that a clock that jumps from day to day does not leave a file open for each,
// which would exhaust memory or file handles.
func TestManyDaysNeedFewOpenFiles(t *testing.T) {
	folder, names := filepath.Join(t.TempDir(), "table"), export.Names{Key: []byte("k")}
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	row := read(t, s, names)[0]
	f, err := export.OpenFolder(folder, "csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := f.Begin(s, names)
	const days, rounds = 60, 3
	for range rounds {
		for day := range days {
			row, at := *row, time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC)
			row.Time = &at
			if err := put.Row(&row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if runtime.GOOS == "linux" {
		open, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		parts := 0
		for _, fd := range open {
			if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, folder) && strings.HasSuffix(to, ".part") {
				parts++
			}
		}
		if parts == 0 || parts > 8 {
			t.Errorf("%d files are open at a time", parts)
		}
	}
	if err := put.Commit(); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for name := range files(t, folder) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		rows += strings.Count(string(text), "\n") - 1 // the first line is the header
	}
	if rows != days*rounds || len(files(t, folder)) != days*rounds {
		t.Errorf("%d rows are in %d files", rows, len(files(t, folder)))
	}
	again := f.Begin(s, names)
	if err := errors.Join(again.Row(row), again.Commit()); err != nil {
		t.Fatal(err)
	}
	if left := files(t, folder); len(left) != 1 {
		t.Errorf("the files of before are left: %d", len(left))
	}
}

// TestNothingHalfWrittenHasAName checks that programs that read the directory during an export never see an incomplete
// file.
func TestNothingHalfWrittenHasAName(t *testing.T) {
	folder, names := filepath.Join(t.TempDir(), "table"), export.Names{Key: []byte("k")}
	s := writeTranscript(t, filepath.Join(t.TempDir(), "s.jsonl"), 3)
	f, err := export.OpenFolder(folder, "csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := f.Begin(s, names)
	for _, row := range read(t, s, names) {
		if err := put.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	begun := files(t, folder)
	if len(begun) != 2 {
		t.Errorf("of two days there are %v", begun)
	}
	for name := range begun {
		if !strings.HasSuffix(name, ".part") {
			t.Errorf("%s has its name before it is whole", name)
		}
	}
	put.Abort()
	if left := files(t, folder); len(left) > 0 || f.Has(s, names) {
		t.Errorf("of a session that was given up there are %v", left)
	}
}

func TestTwoExportsDoNotWriteIntoOneFolder(t *testing.T) {
	folder := t.TempDir()
	f, err := export.OpenFolder(folder, "csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.OpenFolder(folder, "csv"); !errors.Is(err, export.ErrTaken) {
		t.Errorf("a second export gets %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = export.OpenFolder(folder, "csv"); err != nil {
		t.Fatalf("after the first has ended, %v", err)
	}
	f.Close()
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
