// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// recorded returns a directory with the recorded sessions of several agents.
func recorded(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, agent := range []string{"claude-code", "codex", "gemini-cli", "crush"} {
		if err := os.CopyFS(filepath.Join(folder, agent), os.DirFS(filepath.Join("../../testdata/sessions", agent))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestShardsMergeToTheNumbersOfOneRun checks that a replay split over several machines gives the same numbers.
func TestShardsMergeToTheNumbersOfOneRun(t *testing.T) {
	folder := recorded(t)
	whole := replayed0(t, "--json", folder)
	var files []string
	for i := range 3 {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(replayed0(t, "--json", fmt.Sprintf("--shard=%d/3", i+1), folder)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(files)
	if merged := replayed0(t, append([]string{"--json", "--merge"}, files...)...); merged != whole {
		t.Errorf("three shards make\n%s\nand one run\n%s", merged, whole)
	}
	if merged := replayed0(t, append([]string{"--merge"}, files...)...); merged != replayed0(t, folder) {
		t.Error("the tables differ")
	}
	unmergeable := filepath.Join(t.TempDir(), "whole.json")
	if err := os.WriteFile(unmergeable, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runWith(t, "", "replay", "--merge", unmergeable); code != exitError || !strings.Contains(errs, "--shard=I/N") {
		t.Errorf("a summary without its parts: exit %d, %s", code, errs)
	}
}

// replayed0 returns the output of replay; the recorded sessions of testdata contain a record or two that cannot be
// read.
func replayed0(t *testing.T, args ...string) string {
	t.Helper()
	_, out, _ := runWith(t, "", append([]string{"replay", "--jobs=1"}, args...)...)
	if out == "" {
		t.Fatalf("replay %v prints nothing", args)
	}
	return out
}

func lines(text string) []string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(all)
	return all
}

// TestSessionsComeFromAnything checks that patterns, lists and archives give the same sessions.
func TestSessionsComeFromAnything(t *testing.T) {
	folder := recorded(t)
	exported := func(stdin string, args ...string) []string {
		t.Helper()
		_, out, errs := runWith(t, stdin, append([]string{"export", "--key=k", "--format=csv"}, args...)...)
		if out == "" {
			t.Fatalf("export %v prints nothing: %s", args, errs)
		}
		return lines(out)
	}
	want := exported("", folder)
	if len(want) < 20 {
		t.Fatalf("of the recorded sessions there are %d rows", len(want))
	}
	var names []string
	var tarred, zipped bytes.Buffer
	compressed, err := zstd.NewWriter(&tarred)
	if err != nil {
		t.Fatal(err)
	}
	tw, zw := tar.NewWriter(compressed), zip.NewWriter(&zipped)
	escape := []byte(`{"type":"user"}`)
	if err := tw.WriteHeader(&tar.Header{Name: "../escape.jsonl", Mode: 0o644, Size: int64(len(escape))}); err != nil {
		t.Fatal(err)
	}
	_, _ = tw.Write(escape)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		below, _ := filepath.Rel(folder, path)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		names = append(names, path)
		if err := tw.WriteHeader(&tar.Header{Name: "./" + filepath.ToSlash(below), Mode: 0o644, Size: int64(len(text))}); err != nil {
			return err
		}
		if _, err := tw.Write(text); err != nil {
			return err
		}
		member, err := zw.Create(filepath.ToSlash(below))
		if err == nil {
			_, err = member.Write(text)
		}
		return err
	})
	for _, close := range []io.Closer{tw, compressed, zw} {
		if err == nil {
			err = close.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	archives := t.TempDir()
	for name, text := range map[string][]byte{"a.tar.zst": tarred.Bytes(), "b.zip": zipped.Bytes(), "cut.tar.zst": tarred.Bytes()[:tarred.Len()/2]} {
		if err := os.WriteFile(filepath.Join(archives, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for what, got := range map[string][]string{
		"a pattern": exported("", folder+"/**"), "a .tar.zst": exported("", filepath.Join(archives, "a.tar.zst")),
		"a .zip": exported("", filepath.Join(archives, "[b].zip")), "a list": exported(strings.Join(names, "\n")+"\n", "-"),
		"a list and the same again": exported(folder+"\n", "-", folder),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("from %s come %d rows, and %d from the folder", what, len(got), len(want))
		}
	}
	code, _, errs := runWith(t, "", "export", "--key=k", filepath.Join(archives, "cut.tar.zst"))
	if code != exitError || !strings.Contains(errs, "incomplete or damaged") {
		t.Errorf("a damaged archive: exit %d, %s", code, errs)
	}
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("%v is left of what was unpacked", left)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(temporary), "escape.jsonl")); err == nil {
		t.Error("a member of an archive was written outside of its folder")
	}
	table := filepath.Join(t.TempDir(), "table")
	// An export of an archive is continued, too.
	for _, sentence := range []string{"0 sessions unchanged", "0 rows of 0 sessions written"} {
		if _, out, errs := runWith(t, "", "export", "--key=k", "--format=csv", "--out="+table, filepath.Join(archives, "b.zip")); !strings.Contains(out, sentence) {
			t.Errorf("%q is not in %q, %s", sentence, out, errs)
		}
	}
}

// TestEachRequestIsFoundWithoutLookingAtEachRecord checks the shortcut of exports: it visits the same requests as a
// check after every record.
func TestEachRequestIsFoundWithoutLookingAtEachRecord(t *testing.T) {
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	folders := []string{"../../testdata/sessions/claude-code", "../../testdata/sessions/codex"}
	if real := os.Getenv("CTX_TRANSCRIPTS"); real != "" {
		folders = append(folders, real)
	}
	requests := func(s transcript.Session, agent string) (seen []string) {
		s.Agent = agent
		feed := follow.NewFeed(s, pool.Call)
		defer feed.Close(context.Background())
		err := follow.EachRequest(t.Context(), feed, func(reading []byte) error {
			seen = append(seen, string(reading))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return seen
	}
	total := 0
	for _, folder := range folders {
		sessions.Below(folder, nil, func(s transcript.Session) {
			quick, slow := requests(s, s.Agent), requests(s, "") // an agent that is only recognized is checked each time
			total += len(slow)
			if !slices.Equal(quick, slow) {
				t.Errorf("%s: %d requests, and %d when each record is looked at", s.Path, len(quick), len(slow))
			}
		}, func(sessions.Problem) {})
	}
	if total < 20 {
		t.Errorf("there are %d requests only", total)
	}
}
