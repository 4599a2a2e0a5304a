// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// manyTranscripts creates a home with more transcripts than are read without a file of their heads.
func manyTranscripts(t *testing.T) (dirs.Environment, string) {
	home := t.TempDir()
	for i := range manyHeads + 50 {
		writeTranscript(t, home, i, "/w/p")
	}
	return dirs.New(runtime.GOOS, home, func(string) string { return "" }), home
}

func writeTranscript(t *testing.T, home string, i int, cwd string) string {
	path := filepath.Join(home, ".claude", "projects", "-w-p", fmt.Sprintf("u%d.jsonl", i))
	dirstest.Write(t, path, fmt.Sprintf(`{"type":"user","uuid":"a","sessionId":"u%d","cwd":%q,"version":"2.1.0","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}`+"\n", i, dirstest.Whole(cwd)))
	return path
}

func near(t *testing.T, f *Finder, dir string) []string {
	found, problems, err := f.Find(context.Background(), Query{Near: dirstest.Whole(dir)})
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	var ids []string
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return ids
}

// The next process knows where sessions were started without reading them, and reads only replaced and new ones.
func TestHeadsAreKeptForTheNextProcess(t *testing.T) {
	e, home := manyTranscripts(t)
	if ids := near(t, NewFinder(e), "/w/q"); len(ids) != 0 {
		t.Fatal(ids)
	}
	if _, err := os.Stat(NewFinder(e).headsPath()); err != nil {
		t.Skip("nothing tells one file from another here without opening it: ", err)
	}
	next := NewFinder(e)
	if near(t, next, "/w/q"); next.read > manyHeads {
		t.Errorf("%d heads were read again", next.read)
	}
	all := near(t, NewFinder(e), "/w/p")
	if len(all) != manyHeads+50 {
		t.Errorf("%d sessions are found", len(all))
	}
	// The oldest is rewritten as another file, and a new one is added.
	old := time.Now().Add(-time.Hour)
	replaced := filepath.Join(home, "new")
	if err := os.Rename(writeTranscript(t, home, 100_000, "/w/q"), replaced); err != nil {
		t.Fatal(err)
	}
	path := writeTranscript(t, home, 7, "/w/p")
	if err := os.Rename(replaced, path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	writeTranscript(t, home, 200_000, "/w/q")
	if ids := near(t, NewFinder(e), "/w/q"); !slices.Equal(ids, []string{"u200000", "u7"}) {
		t.Errorf("%v are found", ids)
	}
}

// Heads are restored from their file unchanged, and a file that is damaged anywhere restores none.
func TestHeadsComeBackOrThereAreNone(t *testing.T) {
	var want []head
	for i := range 40 {
		s := transcript.Session{ID: fmt.Sprintf("ses_%d", i), Workspace: "/w/p", Parent: []string{"", "ses_0"}[i%2], Label: fmt.Sprint("No. ", i), Version: "1.0", Modified: time.Unix(0, int64(i+1))}
		s.Key = s.ID
		s.Form, s.Agent, s.Path = kinds[i%len(kinds)], "claude-code", "/w/"+s.ID+".jsonl"
		want = append(want, head{session: s, size: int64(i), file: fileID{1 << 40, uint64(i)}})
	}
	file := appendHeads(nil, want)
	if got := readHeads(file); !reflect.DeepEqual(got, want) {
		t.Fatalf("they came back as %+v", got)
	}
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 0x55
		if readHeads(damaged) != nil || readHeads(file[:i]) != nil {
			t.Fatalf("a file that is damaged at %d is read", i)
		}
	}
}

// A later search reuses the first one's listing if a command asks for it.
func TestAFinderReusesItsListing(t *testing.T) {
	e, home := manyTranscripts(t)
	held, other := NewFinder(e).Hold(), NewFinder(e)
	before := near(t, held, "/w/p")
	near(t, other, "/w/p")
	writeTranscript(t, home, 200_000, "/w/p")
	if ids := near(t, held, "/w/p"); !slices.Equal(ids, before) {
		t.Errorf("%d are found after %d", len(ids), len(before))
	}
	if ids := near(t, other, "/w/p"); len(ids) != len(before)+1 {
		t.Errorf("%d are found after %d", len(ids), len(before))
	}
}

// A glance detects a new session in a known directory or in a new one, and nothing else.
func TestAGlanceDetectsNewSessions(t *testing.T) {
	home := t.TempDir()
	path := writeTranscript(t, home, 1, "/w/p")
	old := time.Now().Add(-time.Hour)
	quiet := func() {
		for _, folder := range []string{path, filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
			if err := os.Chtimes(folder, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	quiet()
	f := NewFinder(dirs.New(runtime.GOOS, home, func(string) string { return "" }))
	if !f.Changed() {
		t.Error("before the first search nothing is known")
	}
	near(t, f, "/w/p")
	if f.Changed() {
		t.Error("nothing has changed")
	}
	writeTranscript(t, home, 2, "/w/p")
	if !f.Changed() {
		t.Error("a new session in a known folder is not seen")
	}
	near(t, f, "/w/p")
	if !f.Changed() {
		t.Error("what changed in the moment of the search may not have been seen by it")
	}
	quiet()
	near(t, f, "/w/p")
	if f.Changed() {
		t.Error("nothing has changed")
	}
	if err := os.Mkdir(filepath.Join(home, ".claude", "projects", "-w-q"), 0o755); err != nil {
		t.Fatal(err)
	}
	if !f.Changed() {
		t.Error("a new folder is not seen")
	}
}

// The newest candidates come first, and those with the same time in the order of discovery, however many are requested.
func TestCandidatesComeNewestFirst(t *testing.T) {
	var piles [2]pile
	for i := range 2000 {
		at := time.Unix(int64(i*7919%100), 0)
		piles[i%2].add(agents.Candidate{ID: fmt.Sprint(i), Session: &transcript.Session{ID: fmt.Sprint(i), Modified: at}})
	}
	c := heapOf(piles[:])
	seen := map[string]bool{}
	last := time.Unix(1000, 0)
	for next := c.newest(); len(next) > 0; next = c.newest() {
		for _, of := range next {
			if of.Modified().After(last) || seen[of.ID] {
				t.Fatalf("%s comes at %v, after %v", of.ID, of.Modified(), last)
			}
			last, seen[of.ID] = of.Modified(), true
		}
	}
	if len(seen) != 2000 || len(c.those(func(*agents.Candidate) bool { return true })) != 2000 {
		t.Errorf("%d of 2000 come", len(seen))
	}
}
