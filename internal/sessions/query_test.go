// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func idsOf(sessions []transcript.Session) string {
	var ids []string
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// TestAQuerySelectsByEachOfItsFields checks the fields of a query, alone and together.
func TestAQuerySelectsByEachOfItsFields(t *testing.T) {
	m := dirstest.NewMachine(t)
	put := func(id, dir string) {
		m.Put(".claude/projects/-w/"+id+".jsonl", dirstest.ClaudeLine(id, dirstest.Whole(dir)))
	}
	put("old", "/w/a")
	put("above", "/w")
	put("below", "/w/a/b")
	put("beside", "/w/ab")
	put("old2", "/elsewhere")
	m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-24-23-"+dirstest.UUID2+".jsonl",
		fmt.Sprintf(`{"timestamp":"2026-06-26T12:24:23.646Z","type":"session_meta","payload":{"id":%q,"cwd":%q}}`+"\n", dirstest.UUID2, dirstest.Whole("/w/a")))
	first := find(m, Query{ID: "old"})
	if idsOf(first) != "old old2" {
		t.Fatalf("the sessions whose id begins with old are %s", idsOf(first))
	}
	since := first[0].Modified // of old2, the newer one
	for name, c := range map[string]struct {
		query Query
		want  string
	}{
		"a workspace":      {Query{Workspace: dirstest.Whole("/w/a")}, dirstest.UUID2 + " below old"},
		"near":             {Query{Near: dirstest.Whole("/w/a")}, dirstest.UUID2 + " above below old"},
		"an agent":         {Query{Agent: agent.Codex}, dirstest.UUID2},
		"an id":            {Query{ID: "be"}, "below beside"},
		"since":            {Query{Since: since}, dirstest.UUID2 + " old2"},
		"since, an id":     {Query{Since: since, ID: "o"}, "old2"},
		"since, near":      {Query{Since: since, Near: dirstest.Whole("/w/a")}, dirstest.UUID2},
		"two, near":        {Query{Limit: 2, Near: dirstest.Whole("/w/a")}, dirstest.UUID2 + " below"},
		"an id of another": {Query{ID: "none"}, ""},
	} {
		if got := idsOf(find(m, c.query)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestACandidateIsReadOnlyIfItMayBeWanted checks which candidates a query excludes by their path and time.
func TestACandidateIsReadOnlyIfItMayBeWanted(t *testing.T) {
	at, here, there := dirstest.FileTime, dirstest.Whole("/w/a"), dirstest.Whole("/w/b")
	of := func(id, parent, workspace string, age time.Duration, alone bool) *agents.Candidate {
		return &agents.Candidate{ID: id, Parent: parent, Alone: alone, Session: &transcript.Session{Workspace: workspace, Modified: at.Add(-age)}}
	}
	for _, c := range []struct {
		query     Query
		candidate *agents.Candidate
		want      bool
	}{
		{Query{}, of("a", "", "", 0, false), true},
		{Query{}, of("a", "p", "", 0, false), false},
		{Query{ID: "a"}, of("ab", "p", "", 0, false), true},
		{Query{ID: "ab"}, of("a", "", "", 0, false), false},
		{Query{ID: "a"}, of("", "", "", 0, false), true},
		{Query{Since: at}, of("a", "", "", 0, false), true},
		{Query{Since: at}, of("a", "", "", 1, false), false},
		{Query{Workspace: here}, of("a", "", here, 0, false), true},
		{Query{Workspace: here}, of("a", "", "", 0, false), true},
		{Query{Workspace: here}, of("a", "", there, 0, false), false},
		{Query{Workspace: here}, of("a", "", filepath.Dir(here), 0, false), false},
		{Query{Near: here}, of("a", "", filepath.Dir(here), 0, false), true},
		{Query{ID: "a", Near: here}, of("a", "", there, 0, false), true},
	} {
		m := matcher{query: c.query}
		if place := cmp.Or(c.query.Workspace, c.query.Near); place != "" {
			m.workspace, m.near = newWorkspace(place), map[string]bool{}
		}
		if got := m.mayBeWanted(c.candidate); got != c.want {
			t.Errorf("%+v wants %+v in %q: %v", c.query, c.candidate, c.candidate.Session.Workspace, got)
		}
	}
	var m matcher
	m.begin([]transcript.Session{{ID: "b", Started: at}, {ID: "a", Started: at.Add(-time.Minute)}, {ID: "c", Started: at}})
	for _, c := range []struct {
		candidate *agents.Candidate
		want      bool
	}{
		{of("", "a", "", time.Minute, false), true},
		{of("", "c", "", 0, false), true},
		{of("", "d", "", 0, false), false},
		{of("", "a", "", time.Minute+1, false), false},
		{of("", "", "", 0, false), true},
		{of("", "", "", 0, true), false},
	} {
		if got := m.mayBeChild(c.candidate); got != c.want {
			t.Errorf("%+v may be a sub-agent: %v", c.candidate, got)
		}
	}
}

// TestASearchEndsWithItsCaller checks that a search whose caller has ended is an error, and that one whose deadline has
// passed returns what it has found, and says so.
func TestASearchEndsWithItsCaller(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".claude/projects/-w/a.jsonl", dirstest.ClaudeLine("a", dirstest.Whole("/w")))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, q := range []Query{{}, {Children: true}} {
		f := NewFinder(m.Environment()).Hold()
		if _, _, err := f.Find(t.Context(), Query{}); err != nil { // later searches have its listing
			t.Fatal(err)
		}
		if _, _, err := f.Find(canceled, q); !errors.Is(err, context.Canceled) {
			t.Errorf("after its caller has ended: %v", err)
		}
		found, problems, err := f.Find(over, q)
		if err != nil || len(found) != 0 || !slices.Contains(problems, unfinished) {
			t.Errorf("after its deadline: %v, %v, %v", found, problems, err)
		}
		if late := f.Late(); len(late) != 1 || late[0] != unfinished {
			t.Errorf("late is %v", late)
		}
	}
}

// endsAfter is a context that ends while a search checks it.
type endsAfter struct {
	context.Context
	checks *int // what is left of them
	err    error
}

func (c endsAfter) Err() error {
	if *c.checks--; *c.checks < 0 {
		return c.err
	}
	return nil
}

// TestASearchThatEndsEarlyReportsThat ends a search at each of its steps: it is complete, or what is missing is
// reported.
func TestASearchThatEndsEarlyReportsThat(t *testing.T) {
	m := dirstest.NewMachine(t)
	for i := range stepOfCandidates {
		id := fmt.Sprint("p", i)
		m.Put(".claude/projects/-w/"+id+".jsonl", dirstest.ClaudeLine(id, dirstest.Whole("/w")))
		m.Put(".claude/projects/-w/"+id+"/subagents/agent-a.jsonl", dirstest.ClaudeLine(id, dirstest.Whole("/w")))
	}
	f, cores := NewFinder(m.Environment()).Hold(), runtime.GOMAXPROCS(0)
	whole, _, err := f.Find(t.Context(), Query{Children: true})
	if err != nil || len(whole) != 2*stepOfCandidates || runtime.GOMAXPROCS(0) != cores {
		t.Fatalf("%d sessions with %d of %d cores, %v", len(whole), runtime.GOMAXPROCS(0), cores, err)
	}
	if one, _, err := f.Find(t.Context(), Query{Limit: 1, Children: true}); err != nil || len(one) != 2 || one[1].Parent != one[0].ID {
		t.Errorf("the newest session with its sub-agent: %s, %v", idsOf(one), err)
	}
	lengths := map[int]bool{}
	for _, ended := range []error{context.DeadlineExceeded, context.Canceled} {
		for checks := 0; ; checks++ {
			left := checks
			found, problems, err := f.Find(endsAfter{t.Context(), &left, ended}, Query{Children: true})
			lengths[len(found)] = true
			if len(found) == len(whole) && len(problems) == 0 && err == nil {
				break
			}
			if ended == context.Canceled && !errors.Is(err, ended) {
				t.Errorf("canceled after %d checks: %d sessions, %v", checks, len(found), err)
			}
			if ended == context.DeadlineExceeded && (err != nil || !slices.Contains(problems, unfinished)) {
				t.Errorf("over after %d checks: %d sessions, %v, %v", checks, len(found), problems, err)
			}
		}
	}
	if len(lengths) < 4 { // none, some, all without their sub-agents, all
		t.Errorf("only %v sessions were found", lengths)
	}
}

// TestCopiesOfASessionHaveTheirOwnIDs checks that of two transcripts with the same id the newest keeps it, and that a
// session that claims to be its own ancestor is left out.
func TestCopiesOfASessionHaveTheirOwnIDs(t *testing.T) {
	m := dirstest.NewMachine(t)
	older := m.Put(".claude/projects/-w-a/s.jsonl", dirstest.ClaudeLine("s", dirstest.Whole("/w/a")))
	newer := m.Put(".claude/projects/-w-b/s.jsonl", dirstest.ClaudeLine("s", dirstest.Whole("/w/a")))
	found := find(m, Query{})
	if len(found) != 2 || found[0].Path != newer || found[0].ID != "s" || found[1].Path != older || !strings.HasPrefix(found[1].ID, "s@") || len(found[1].ID) < 4 {
		t.Errorf("found %+v", found)
	}
	of := func(id, parent string) transcript.Session {
		return transcript.Session{ID: id, Parent: parent, Path: id}
	}
	got := descendants([]transcript.Session{of("a", ""), of("b", "")},
		[]transcript.Session{of("a1", "a"), of("a11", "a1"), of("b1", "b"), of("c1", "c"), of("x", "y"), of("y", "x"), of("z", "z"), of("a", "a11")})
	if idsOf(got) != "a a1 a11 b1" {
		t.Errorf("the descendants are %s", idsOf(got))
	}
}

// TestADefectAtOneSessionIsItsProblemAlone checks that a panic while a location is listed or a session is read is an
// error of it.
func TestADefectAtOneSessionIsItsProblemAlone(t *testing.T) {
	list := func(agents.Root, func(agents.Candidate)) error { panic("a defect") }
	if err := lookInto(agents.Root{List: list}, &pile{}); err == nil {
		t.Error("the panic of a location is lost")
	}
	f := NewFinder(dirstest.NewMachine(t).Environment())
	if s, err := f.describe(&agents.Candidate{Path: "without its file"}, new(json.Document)); s != nil || err == nil {
		t.Errorf("the panic of a session is lost: %+v", s)
	}
}

// TestOnlyLocationsThatExistAreWatched checks the directories that new sessions appear in.
func TestOnlyLocationsThatExistAreWatched(t *testing.T) {
	m := dirstest.NewMachine(t)
	path := m.Put(".claude/projects/-w/s.jsonl", dirstest.ClaudeLine("s", dirstest.Whole("/w")))
	want := []string{filepath.Dir(filepath.Dir(path))}
	if got := NewFinder(m.Environment()).Watched(); !slices.Equal(got, want) {
		t.Errorf("%q are watched, want %q", got, want)
	}
}

// TestADamagedSessionIsAProblem checks that a session whose beginning cannot be read is reported, and others are found.
func TestADamagedSessionIsAProblem(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-24-23-"+dirstest.UUID1+".jsonl", fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":"/w"}}`+"\n", dirstest.UUID1))
	damaged := m.Put(".codex/sessions/2026/06/26/rollout-2026-06-26T12-24-23-"+dirstest.UUID2+".jsonl.zst", "not compressed")
	found, problems, err := NewFinder(m.Environment()).Find(t.Context(), Query{})
	if err != nil || idsOf(found) != dirstest.UUID1 || len(problems) != 1 || problems[0].Path != damaged || problems[0].Late {
		t.Errorf("%s, %v, %v", idsOf(found), problems, err)
	}
}

// TestAPathThatDoesNotRespondIsLeftAlone checks that a path with a pending access is not accessed again until that has
// returned, and that the others are.
func TestAPathThatDoesNotRespondIsLeftAlone(t *testing.T) {
	var a asked
	for range 2 {
		if !a.begin("slow") {
			t.Fatal("a path that was never late is left alone")
		}
	}
	a.isLate("slow")
	a.isLate("another") // it has no pending access
	if a.begin("slow") || !a.begin("another") {
		t.Error("the wrong path is left alone")
	}
	results, failed := ask(t.Context(), &a, []string{"slow", "quick", "broken"}, 2, func(i int) (int, error) {
		return i, map[int]error{2: fs.ErrPermission}[i]
	})
	if !errors.Is(failed[0], transcript.ErrLate) || failed[1] != nil || results[1] != 1 || !errors.Is(failed[2], fs.ErrPermission) {
		t.Errorf("%v, %v", results, failed)
	}
	a.end("slow")
	if a.begin("slow") {
		t.Error("one of two accesses is still pending")
	}
	a.end("slow")
	if !a.begin("slow") {
		t.Error("a path whose accesses have returned is left alone")
	}
	over, cancel := context.WithCancel(t.Context())
	started, release := make(chan struct{}), make(chan struct{})
	go func() { <-started; cancel() }()
	_, failed = ask(over, &a, []string{"stuck"}, 1, func(int) (int, error) { close(started); <-release; return 0, nil })
	if !errors.Is(failed[0], transcript.ErrLate) || a.begin("stuck") {
		t.Errorf("a path that does not respond: %v", failed)
	}
	close(release)
	for end := time.Now().Add(30 * time.Second); !a.begin("stuck"); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a path that responded late is left alone for ever")
		}
	}
}

// TestAProblemNamesItsPathOnce checks the messages for paths that cannot be read.
func TestAProblemNamesItsPathOnce(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
		late bool
	}{
		{&fs.PathError{Op: "open", Path: "/w/s", Err: syscall.ENOENT}, "there is no such file", false},
		{fmt.Errorf("reading: %w", fs.ErrPermission), "permission denied", false},
		{&fs.PathError{Op: "open", Path: "/w/s", Err: errors.New("the disk is gone")}, "the disk is gone", false},
		{errors.New("/w/s: it is damaged"), "it is damaged", false},
		{errors.New("/w/s is damaged after 5 bytes"), "it is damaged after 5 bytes", false},
		{errors.New("/w/s contains no session"), "contains no session", false},
		{errors.New("another sentence"), "another sentence", false},
		{fmt.Errorf("/w/s: %w", transcript.ErrLate), transcript.ErrLate.Error(), true},
	} {
		p := problem("/w/s", c.err)
		if p.What != c.want || p.Late != c.late || p.String() != "/w/s: "+c.want {
			t.Errorf("%v: %+v", c.err, p)
		}
	}
	if got := (Problem{What: "the disk is gone"}).String(); got != "the disk is gone" {
		t.Errorf("without a path: %s", got)
	}
}

// TestASessionIsKnownByItsPath checks the session of a transcript that its agent has named.
func TestASessionIsKnownByItsPath(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]transcript.Session{
		"a.jsonl":     {ID: "a", Form: transcript.Lines},
		"b.jsonl.zst": {ID: "b", Form: transcript.Compressed},
		"c.jsonl.gz":  {ID: "c", Form: transcript.Compressed},
		"d.json":      {ID: "d", Form: transcript.Document},
	} {
		path := filepath.Join(dir, name)
		dirstest.Write(t, path, "text")
		s, err := AtPath(path, "", "codex", "/w")
		if err != nil || s.ID != want.ID || s.Form != want.Form || s.Agent != "codex" || s.Workspace != "/w" || s.Size != 4 || s.Modified.IsZero() {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if s, _ = AtPath(path, "own", "codex", ""); s.ID != "own" {
			t.Errorf("%s is called %q", name, s.ID)
		}
	}
	if _, err := AtPath(filepath.Join(dir, "none"), "", "", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestTheFormOfAFileIsThatOfItsFirstBytes checks records, documents and what could be either.
func TestTheFormOfAFileIsThatOfItsFirstBytes(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", transcript.FirstRead) + `"}`
	for name, c := range map[string]struct {
		text string
		want transcript.Form
	}{
		"records.json":         {"{\"a\":1}\n{\"a\":2}\n", transcript.Lines},
		"one.json":             {"{\"a\":1}\n", transcript.Document},
		"one":                  {"{\"a\":1}\n", transcript.Lines},
		"pretty":               {"{\n  \"a\": 1\n}\n", transcript.Document},
		"begun.json":           {`{"a":`, transcript.Document},
		"begun":                {`{"a":`, transcript.Lines},
		"list":                 {" [1,\n2]", transcript.Document},
		"long records.json":    {long + "\n" + long + "\n", transcript.Lines},
		"long document.json":   {long, transcript.Document},
		"text":                 {"hello", transcript.Lines},
		"db":                   {"SQLite format 3\x00 and more", transcript.Database},
		"short":                {"SQLite", transcript.Lines},
		"db in text":           {strings.Repeat("x", 16) + "SQLite format 3\x00", transcript.Lines},
		"two objects.json":     {`{"a":1} {"b":2}`, transcript.Lines},
		"object and more.json": {`{"a":1}]`, transcript.Lines},
		"brace":                {"{", transcript.Document},
		"bracket":              {"[", transcript.Document},
		"brace and space":      {"{ \n\"a\": 1}", transcript.Document},
		"brace and more":       {"{ 1\n\"a\": 1}", transcript.Lines},
		"blank":                {" \n", transcript.Lines},
		"long":                 {long, transcript.Lines},
		"number.json":          {"5", transcript.Lines},
	} {
		path := filepath.Join(t.TempDir(), name)
		dirstest.Write(t, path, c.text)
		if got, err := kindOf(path); err != nil || got != c.want {
			t.Errorf("%s is of form %d, want %d: %v", name, got, c.want, err)
		}
	}
	if _, err := kindOf(t.TempDir()); err == nil {
		t.Error("a directory has a form")
	}
}

// TestCredentialsNextToSessionsAreNotSessions checks files that are never opened, and endings of sessions.
func TestCredentialsNextToSessionsAreNotSessions(t *testing.T) {
	for path, want := range map[string]bool{
		"/a/s.jsonl": true, "/a/s.json": true, "/a/s.jsonl.zst": true, "/a/s.jsonl.gz": true, "/a/s.db": true, "/a/state.vscdb": true, "/a/s.sqlite3": true,
		"/a/auth.json": false, "/a/oauth_creds.json": false, "/a/.hidden.json": false, "/a/s.txt": false, "/a/s": false, "/a/my-auth.json": true,
	} {
		if got := LooksLikeSession(filepath.FromSlash(path)); got != want {
			t.Errorf("%s looks like a session: %v", path, got)
		}
	}
}

// TestTheSessionsBelowADirectoryAreFound checks a directory with sessions of several forms: other files are passed
// over, and those that may not be read or cannot be are reported.
func TestTheSessionsBelowADirectoryAreFound(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	dirstest.Write(t, path("a/s.jsonl"), dirstest.ClaudeLine("s", "/w"))
	dirstest.Write(t, path("a/auth.json"), `{"token":"secret"}`)
	dirstest.Write(t, path("a/notes.txt"), dirstest.ClaudeLine("n", "/w"))
	dirstest.Write(t, path("a/other.jsonl"), `{"hello":"world"}`+"\n")
	dirstest.Write(t, path("other.jsonl"), `{"hello":"world"}`+"\n")
	dirstest.Write(t, path("b/refused/r.jsonl"), dirstest.ClaudeLine("r", "/w"))
	dirstest.Write(t, path("b/broken.jsonl.gz"), "\x1f\x8b broken")
	dirstest.Write(t, path("z.jsonl"), dirstest.ClaudeLine("z", "/w"))
	look := func(at string) (found, troubles []string) {
		Below(at, func(path string) error {
			if filepath.Base(path) == "refused" {
				return errors.New("it is refused")
			}
			return nil
		}, func(s transcript.Session) { found = append(found, s.ID) }, func(p Problem) { troubles = append(troubles, filepath.Base(p.Path)) })
		return found, troubles
	}
	found, troubles := look(dir)
	if got := strings.Join(found, " "); got != "s z" || strings.Join(troubles, " ") != "broken.jsonl.gz refused" {
		t.Errorf("found are %s, and reported %q", got, troubles)
	}
	if found, troubles = look(path("a/notes.txt")); strings.Join(found, " ") != "n" || len(troubles) != 0 {
		t.Errorf("a file that was named: %q, %q", found, troubles)
	}
	if found, troubles = look(path("none")); len(found) != 0 || len(troubles) != 1 {
		t.Errorf("a missing path: %q, %q", found, troubles)
	}
	if found, troubles = look(path("a")); strings.Join(found, " ") != "s" || len(troubles) != 0 {
		t.Errorf("in one directory: %q, %q", found, troubles)
	}
	if found, troubles = look(path("b/refused")); len(found) != 0 || len(troubles) != 1 {
		t.Errorf("a path that was named is read although it is refused: %q, %q", found, troubles)
	}
	deep := strings.Repeat("d/", 63)
	dirstest.Write(t, path("deep/"+deep+"s.jsonl"), dirstest.ClaudeLine("deep", "/w"))
	dirstest.Write(t, path("deep/"+deep+"d/d/s.jsonl"), dirstest.ClaudeLine("deeper", "/w"))
	if found, troubles = look(path("deep")); strings.Join(found, " ") != "deep" || len(troubles) != 0 {
		t.Errorf("in nested directories: %q, %q", found, troubles)
	}
}

// TestAHeadOfAnotherFileIsNotUsed checks when a cached head belongs to a candidate: to the same file, which has only
// grown.
func TestAHeadOfAnotherFileIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "12345")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	other := path + ".other"
	dirstest.Write(t, other, "12345")
	otherInfo, err := os.Stat(other)
	if err != nil {
		t.Fatal(err)
	}
	candidate := agents.Candidate{Path: path, Info: info}
	known := head{session: transcript.Session{Workspace: "/w", Modified: info.ModTime()}, size: 5}
	for name, c := range map[string]struct {
		change func(h *head, c *agents.Candidate)
		want   bool
	}{
		"the same":            {func(*head, *agents.Candidate) {}, true},
		"grown":               {func(h *head, _ *agents.Candidate) { h.size = 4 }, true},
		"shrunk":              {func(h *head, _ *agents.Candidate) { h.size = 6 }, false},
		"without a workspace": {func(h *head, _ *agents.Candidate) { h.session.Workspace = "" }, false},
		"another file":        {func(h *head, _ *agents.Candidate) { h.info = otherInfo }, false},
	} {
		h, of := known, candidate
		h.info = info
		c.change(&h, &of)
		if got := h.is(&of); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	file := fileOf(info)
	if file == (fileID{}) {
		t.Skip("this system has no ids of files")
	}
	known.file = file
	for name, c := range map[string]struct {
		change func(h *head, c *agents.Candidate)
		want   bool
	}{
		"from another process": {func(*head, *agents.Candidate) {}, true},
		"grown lines":          {func(h *head, _ *agents.Candidate) { h.size = 4 }, true},
		"another file":         {func(h *head, _ *agents.Candidate) { h.file = fileOf(otherInfo) }, false},
		"no file":              {func(h *head, _ *agents.Candidate) { h.file = fileID{} }, false},
		"another form":         {func(_ *head, c *agents.Candidate) { c.Kind = transcript.Compressed }, false},
		"compressed": {func(h *head, c *agents.Candidate) {
			c.Kind, h.session.Form = transcript.Compressed, transcript.Compressed
		}, true},
		"an unchanged document": {func(h *head, c *agents.Candidate) { c.Kind, h.session.Form = transcript.Document, transcript.Document }, true},
		"a document that has grown": {func(h *head, c *agents.Candidate) {
			c.Kind, h.session.Form, h.size = transcript.Document, transcript.Document, 4
		}, false},
		"a document written again": {func(h *head, c *agents.Candidate) {
			c.Kind, h.session.Form, h.session.Modified = transcript.Document, transcript.Document, info.ModTime().Add(-1)
		}, false},
	} {
		h, of := known, candidate
		c.change(&h, &of)
		if got := h.is(&of); got != c.want {
			t.Errorf("%s, from another process: %v", name, got)
		}
	}
}

// TestTheHeadOfASession checks which fields of its first records and of a document identify a session.
func TestTheHeadOfASession(t *testing.T) {
	const at = `"timestamp":"2026-02-09T06:01:53Z"`
	long := func(length int) string { return strings.Repeat("x", length) }
	for _, c := range []struct {
		name, text, want string // ID, parent, workspace, label, version and the year in which it started
	}{
		{"a.jsonl", `{"sessionId":"s","cwd":"/w","version":"2",` + at + `}`, "s||/w||2|2026"},
		{"a.jsonl", `{"type":"session","id":"s","cwd":"/w"}`, "s||/w|||1"},
		{"a.jsonl", `{"type":"session_start","id":"s","cwd":"/w"}`, "s||/w|||1"},
		{"a.jsonl", `{"type":"message","id":"m","cwd":"/w"}`, "||/w|||1"},
		{"a.jsonl", `{"sessionId":"s","workspaceDirectory":"/v","cwd":"/w"}`, "s||/v|||1"},
		{"a.jsonl", `{"startTime":"2025-02-09T06:01:53Z"}` + "\n" + `{"sessionId":"s","cwd":"/w",` + at + `}`, "s||/w|||2025"},
		{"a.jsonl", `{"timestamp":5,"startTime":"2025-02-09T06:01:53Z","sessionId":"s","cwd":"/w"}`, "s||/w|||1"},
		{"a.jsonl", `{"sessionId":"s","cwd":"/w"}` + "\n" + `{"version":"2"}`, "s||/w|||1"}, // enough is known
		{"a.jsonl", "broken\n\n" + `{"sessionId":"s"}` + "\n" + `{"cwd":"/w","sessionId":"t"}`, "s||/w|||1"},
		{"a.jsonl", `{"type":"session_meta","payload":{"id":"c","cwd":"/w"}}` + "\n" + `{"sessionId":"s"}`, "c||/w|||1"},
		{"a.jsonl", `{"pad":"` + long(transcript.FirstRead) + `"}` + "\n" + `{"sessionId":"s","cwd":"/w"}`, "s||/w|||1"},
		{"a.jsonl", `{"pad":"` + long(transcript.LongRead) + `"}` + "\n" + `{"sessionId":"s","cwd":"/w"}`, "|||||1"},
		{"a.jsonl", strings.Repeat("{}\n", transcript.HeadLines-1) + `{"sessionId":"s","cwd":"/w"}`, "s||/w|||1"},
		{"a.jsonl", strings.Repeat("{}\n", transcript.HeadLines) + `{"sessionId":"s","cwd":"/w"}`, "|||||1"},
		{"agent-x.jsonl", `{"sessionId":"s","cwd":"/w","isSidechain":true,"agentId":"x"}`, "s/agent-x|s|/w|||1"},
		{"agent-x.jsonl", `{"sessionId":"s","cwd":"/w","isSidechain":false,"agentId":"x"}`, "s||/w|||1"},
		{"agent-x.jsonl", `{"sessionId":"s","cwd":"/w","isSidechain":true,"agentId":5}`, "s||/w|||1"},
		{"x.jsonl", `{"sessionId":"s","cwd":"/w","isSidechain":true,"agentId":"x"}`, "s||/w|||1"},
		{"a.json", `{"id":"s","directory":"/w","title":"T","version":"3","parentID":"p","time":{"created":1764590000000},"messages":[]}`, "s|p|/w|T|3|2025"},
		{"a.json", `{"info":{"id":"s","directory":"/w","title":"T"},"id":"other","messages":[]}`, "s||/w|T||1"},
		{"a.json", `{"info":5,"id":"s","directory":"/w"}`, "s||/w|||1"},
		{"a.json", `{"instance_id":"s","config":{"environment":{"cwd":"/w"}},"messages":[]}`, "s||/w|||1"},
		{"a.json", `{"id":"s","instance_id":"t","cwd":"/w","directory":"/v",` + at + `,"time":{"created":1564590000000}}`, "s||/w|||2026"},
		{"a.json", `{"id":7,"directory":"/` + long(4094) + `","title":"T"}`, "||/" + long(4094) + "|T||1"},
		{"a.json", `{"directory":"/` + long(4095) + `","time":{"created":"1"}}`, "|||||1"},
		{"a.json", `[{"id":"s"}]`, "s|||||1"},
		{"a.json", `{"id":"s"`, "|||||1"},
		{"a.json", `{broken}`, "|||||1"},
		{"a.json", "", "|||||1"},
	} {
		s := transcript.Session{Path: filepath.Join(t.TempDir(), c.name)}
		if dirstest.Write(t, s.Path, c.text); strings.HasSuffix(c.name, ".json") {
			s.Form = transcript.Document
		}
		var doc json.Document
		if err := readHead(&s, &doc); err != nil {
			t.Errorf("%.60s: %v", c.text, err)
		}
		if got := strings.Join([]string{s.ID, s.Parent, s.Workspace, s.Label, s.Version, fmt.Sprint(s.Started.UTC().Year())}, "|"); got != c.want {
			t.Errorf("%.60s: %.60s, want %.60s", c.text, got, c.want)
		}
	}
	missing := filepath.Join(t.TempDir(), "none")
	// A document that is too large is not opened.
	for size, want := range map[int64]error{transcript.MaxDocument: fs.ErrNotExist, transcript.MaxDocument + 1: nil} {
		if err := readHead(&transcript.Session{Path: missing, Form: transcript.Document, Size: size}, new(json.Document)); !errors.Is(err, want) {
			t.Errorf("of %d bytes: %v", size, err)
		}
	}
	if err := readHead(&transcript.Session{Path: missing}, new(json.Document)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestTheLabelOfASubAgentIsInAFileNextToIt checks which member of the file is the label.
func TestTheLabelOfASubAgentIsInAFileNextToIt(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`{"description":"d","name":"n","agentType":"explorer"}`: "explorer", `{"description":"d","name":"n"}`: "n", `{"description":"d"}`: "d",
		`{"agentType":"","name":7,"description":"d"}`: "d", `{"agentType":"` + strings.Repeat("x", 200) + `"}`: "", `{"agentType":"` + strings.Repeat("x", 199) + `"}`: strings.Repeat("x", 199),
		`{"other":"x"}`: "", `broken`: "",
	} {
		dirstest.Write(t, filepath.Join(dir, "agent-x.meta.json"), text)
		if got := labelOf(filepath.Join(dir, "agent-x.jsonl")); got != want {
			t.Errorf("%.50s: %q", text, got)
		}
	}
	for _, path := range []string{"agent-y.jsonl", "agent-x.json"} {
		if got := labelOf(filepath.Join(dir, path)); got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
}
