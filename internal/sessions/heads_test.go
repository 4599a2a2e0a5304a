// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
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
	if info, err := os.Stat(home); err != nil || fileOf(info) == (fileID{}) {
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

// TestHeadsAreSavedWhenManyWereRead checks when a search saves heads, and that what it has read itself takes precedence
// over what was saved.
func TestHeadsAreSavedWhenManyWereRead(t *testing.T) {
	e, home := manyTranscripts(t)
	if info, err := os.Stat(home); err != nil || fileOf(info) == (fileID{}) {
		t.Skip("nothing tells one file from another here without opening it: ", err)
	}
	f := NewFinder(e)
	saved := func() bool {
		_, err := os.Stat(f.headsPath())
		return err == nil
	}
	if _, _, err := f.Find(t.Context(), Query{Limit: 1}); err != nil || saved() {
		t.Errorf("a few heads were saved: %v", err)
	}
	if near(t, f, "/w/q"); !saved() {
		t.Error("many heads were not saved")
	}
	newest, _, err := f.Find(t.Context(), Query{Limit: 1})
	if err != nil || len(newest) != 1 {
		t.Fatal(newest, err)
	}
	if err := os.Remove(f.headsPath()); err != nil {
		t.Fatal(err)
	}
	if near(t, f, "/w/q"); saved() {
		t.Error("heads were saved again, though none was read")
	}
	if near(t, NewFinder(e), "/w/q"); !saved() {
		t.Fatal("many heads were not saved")
	}
	dirstest.Write(t, newest[0].Path, dirstest.ClaudeLine("other", dirstest.Whole("/w/q"))) // in the same file
	f = NewFinder(e)
	for range 2 {
		if ids := near(t, f, "/w/q"); !slices.Equal(ids, []string{newest[0].ID}) {
			t.Errorf("%v are found", ids)
		}
	}
	for _, q := range []Query{{Agent: agent.ClaudeCode}, {}} {
		if err := os.RemoveAll(filepath.Dir(f.headsPath())); err != nil {
			t.Fatal(err)
		}
		f = NewFinder(e)
		if _, _, err := f.Find(t.Context(), q); err != nil || saved() != (q.Agent == "") {
			t.Errorf("after the search %+v the heads are saved: %v, %v", q, saved(), err)
		}
	}
	for n, want := range map[int]bool{manyHeads - 1: false, manyHeads: true} {
		home := t.TempDir()
		for i := range n {
			writeTranscript(t, home, i, "/w/p")
		}
		f = NewFinder(dirs.New(runtime.GOOS, home, func(string) string { return "" }))
		if near(t, f, "/w/q"); saved() != want {
			t.Errorf("%d heads were saved: %v", n, saved())
		}
	}
	if path := NewFinder(dirs.New(runtime.GOOS, "", func(string) string { return "" })).headsPath(); path != "" {
		t.Errorf("without a home directory heads are saved in %s", path)
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
	for _, count := range []uint64{0, 1 << 40} { // a list of none, and of more than fit
		w := &transcript.ListWriter{To: binary.AppendUvarint([]byte(headsMagic), count)}
		w.Plain("more")
		if got := readHeads(w.End()); got != nil {
			t.Errorf("a list of %d heads is read as %+v", count, got)
		}
	}
	want[0].session.Form = transcript.Form(len(kinds))
	if got := readHeads(appendHeads(nil, want[:1])); got != nil {
		t.Errorf("a head of an unknown form is read as %+v", got)
	}
}

// TestAMirrorIsLeftOutIfItsSessionIsFound checks copies that an agent writes of sessions that it keeps elsewhere.
func TestAMirrorIsLeftOutIfItsSessionIsFound(t *testing.T) {
	of := func(list ...agents.Candidate) (p pile) {
		for _, c := range list {
			p.add(c)
		}
		return p
	}
	piles := []pile{
		of(agents.Candidate{Agent: "x", ID: "a", Mirror: true}, agents.Candidate{Agent: "x", ID: "b", Mirror: true}),
		of(), of(agents.Candidate{Agent: "x", ID: "a"}, agents.Candidate{Agent: "x", ID: "c"}),
		of(agents.Candidate{Agent: "y", ID: "b"}), of(agents.Candidate{Agent: "x", ID: "c", Mirror: true}),
	}
	withoutMirrors(piles)
	var got []string
	for _, p := range piles {
		list := fmt.Sprint(p.n)
		for _, piece := range p.pieces {
			for _, c := range piece {
				list += c.ID
			}
		}
		got = append(got, list)
	}
	if want := []string{"1b", "0", "2ac", "1b", "0"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
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

// TestAGlanceChecksEveryLevelAndEveryDatabase checks that a new entry in any directory between a location and its
// sessions is noticed, and a change of a database; and which directories have changed last.
func TestAGlanceChecksEveryLevelAndEveryDatabase(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".codex/sessions/2026/02/09/rollout-2026-02-09T06-01-53-"+dirstest.UUID1+".jsonl", "{}\n")
	m.Put(".codex/sessions/2026/02/10/rollout-2026-02-10T06-01-53-"+dirstest.UUID2+".jsonl", "{}\n")
	path := func(name string) string { return filepath.Join(m.Home, filepath.FromSlash(name)) }
	goose, opencode := path(".local/share/goose/sessions/sessions.db"), path(".local/share/opencode/opencode.db")
	dirstest.OpenCodeDatabase(t, opencode, "delete")
	dirstest.Run(t, dirstest.Database(t, goose, `CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)`),
		`INSERT INTO sessions VALUES ('g', 'Session', '', 'user', '/w/p', '2025-12-02 16:58:55', '2025-12-02 17:00:00')`)
	quiet := func() {
		t.Helper()
		n := 0
		if err := filepath.WalkDir(m.Home, func(path string, _ os.DirEntry, err error) error {
			at := dirstest.FileTime.Add(time.Duration(n) * time.Second) // of several directories the last one is the newest
			n++
			return errors.Join(err, os.Chtimes(path, at, at))
		}); err != nil {
			t.Fatal(err)
		}
	}
	f := NewFinder(m.Environment())
	search := func() {
		t.Helper()
		if _, _, err := f.Find(t.Context(), Query{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := f.Find(t.Context(), Query{Agent: agent.Codex}); err != nil || !f.Changed() || f.NewestFolders(9) != nil {
		t.Errorf("the directories of one agent are taken for all: %v", err)
	}
	for _, changed := range []string{"", ".codex/sessions/2027", ".codex/sessions/2026/03", ".codex/sessions/2026/02/11", ".codex/sessions/2026/02/09/a"} {
		quiet()
		search()
		if changed == "" {
			if f.Changed() {
				t.Error("nothing has changed")
			}
			continue
		}
		if err := os.Mkdir(path(changed), 0o755); err != nil {
			t.Fatal(err)
		}
		if !f.Changed() {
			t.Errorf("%s is new", changed)
		}
	}
	quiet()
	search()
	folders := f.NewestFolders(1000)
	for name, at := range map[string]int{".codex/sessions": -1, ".codex/sessions/2026/02/09": -1, ".gemini/tmp": 0, "": 0, ".codex": 0} {
		if found := slices.Index(folders, path(name)); (found < 0) != (at == 0) {
			t.Errorf("%q is at %d in %q", name, found, folders)
		}
	}
	if got := f.NewestFolders(2); len(got) != 2 || !slices.Equal(got, folders[:2]) {
		t.Errorf("the newest two are %q", got)
	}
	older := func(a, b string) bool { return slices.Index(folders, path(a)) > slices.Index(folders, path(b)) }
	if !older(".codex/sessions/2026/02/09", ".codex/sessions/2026/02/10") || !older(".codex/sessions", ".codex/sessions/2026") {
		t.Errorf("they come in the order %q", folders)
	}
	for _, database := range []string{goose, opencode} {
		log := database + "-wal"
		for _, change := range []string{"", "x", "xx"} {
			dirstest.Write(t, log, change)
			quiet()
			search()
			if f.Changed() {
				t.Errorf("%s: nothing has changed", database)
			}
			dirstest.Add(t, log, "x")
			if err := os.Chtimes(log, dirstest.FileTime, dirstest.FileTime); err != nil || !f.Changed() {
				t.Errorf("the log of %s is longer: %v", database, err)
			}
			quiet()
			search()
			if err := os.Chtimes(log, m.At, m.At); err != nil || !f.Changed() {
				t.Errorf("the log of %s is newer: %v", database, err)
			}
		}
		if err := os.Remove(log); err != nil {
			t.Fatal(err)
		}
	}
	quiet()
	now := time.Now()
	if err := os.Chtimes(goose, now, now); err != nil {
		t.Fatal(err)
	}
	if search(); !f.Changed() {
		t.Error("what changed in the moment of the search may not have been seen by it")
	}
}

// TestCandidatesComeNewestFirst checks that the newest candidates come first, and those with the same time in the order
// of discovery, however many there are.
func TestCandidatesComeNewestFirst(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for n := range 90 {
		if n > 80 {
			n *= 20 // several pieces
		}
		var piles [2]pile
		var want []transcript.Session
		for i := range n {
			s := transcript.Session{ID: fmt.Sprint(i), Modified: time.Unix(random.Int64N(50), 0)}
			piles[2*i/n].add(agents.Candidate{ID: s.ID, Session: &s})
			want = append(want, s)
		}
		slices.SortStableFunc(want, func(a, b transcript.Session) int { return b.Modified.Compare(a.Modified) })
		c := heapOf(piles[:])
		var got, times []string
		for next := c.newest(); len(next) > 0; next = c.newest() {
			for _, of := range next {
				got = append(got, of.ID)
			}
			if times == nil { // the rest is not sorted yet
				for _, of := range c.those(func(c *agents.Candidate) bool { return c.ID != "0" }) {
					times = append(times, fmt.Sprint(of.Modified().Unix()))
				}
			}
		}
		if !slices.EqualFunc(got, want, func(id string, s transcript.Session) bool { return id == s.ID }) {
			t.Fatalf("of %d candidates come %v", n, got)
		}
		want = slices.DeleteFunc(want, func(s transcript.Session) bool { return s.ID == "0" })
		if !slices.EqualFunc(times, want, func(at string, s transcript.Session) bool { return at == fmt.Sprint(s.Modified.Unix()) }) {
			t.Fatalf("of %d candidates those wanted come at %v", n, times)
		}
		if c = heapOf(piles[:]); n > 0 && len(c.left()) != n || n > 64 && c.newest()[0] == c.left()[0] {
			t.Fatalf("of %d candidates the wrong ones are left", n)
		}
	}
}
