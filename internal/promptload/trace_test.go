// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestATraceNoticesEveryChange checks what a result depends on: the files that were checked, also those that were
// missing, and the directories in which they are.
func TestATraceNoticesEveryChange(t *testing.T) {
	for name, c := range map[string]struct {
		change func(dir string)
		same   bool
	}{
		"nothing":              {func(string) {}, true},
		"another file":         {func(dir string) { os.WriteFile(filepath.Join(dir, "other.md"), []byte("x"), 0o600) }, true},
		"a longer file":        {func(dir string) { os.WriteFile(filepath.Join(dir, "there.md"), []byte("longer"), 0o600) }, false},
		"a file written again": {func(dir string) { os.Chtimes(filepath.Join(dir, "there.md"), time.Unix(5, 0), time.Unix(5, 0)) }, false},
		"a file that is gone":  {func(dir string) { os.Remove(filepath.Join(dir, "there.md")) }, false},
		"a file that is new":   {func(dir string) { os.WriteFile(filepath.Join(dir, "missing.md"), []byte("x"), 0o600) }, false},
		"a missing directory":  {func(dir string) { os.RemoveAll(dir) }, false},
	} {
		dir := filepath.Join(t.TempDir(), "w")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || os.WriteFile(filepath.Join(dir, "there.md"), []byte("text"), 0o600) != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(real)
		if err != nil {
			t.Fatal(err)
		}
		trace := &Trace{}
		folder := &Folder{Dir: dir, Root: root, trace: trace.folder(dir, real)}
		if again := trace.folder(dir, real); again != folder.trace {
			t.Errorf("%s: a directory is recorded twice", name)
		}
		for range 2 {
			folder.note("there.md")
			if _, err := folder.Stat("missing.md"); !os.IsNotExist(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if trace.Len() != 2 || trace.Settled(time.Now().Add(-time.Hour)) || !trace.Settled(time.Now().Add(time.Hour)) {
			t.Errorf("%s: it has %d files, or is settled at the wrong time", name, trace.Len())
		}
		text, err := json.Marshal(trace)
		var kept Trace
		if err != nil || json.Unmarshal(text, &kept) != nil {
			t.Fatal(err)
		}
		root.Close()
		c.change(dir)
		if got := kept.Same(); got != c.same {
			t.Errorf("%s: it is the same: %v", name, got)
		}
	}
	gone := filepath.Join(t.TempDir(), "gone")
	trace := &Trace{Folders: []*TracedFolder{{Dir: gone}}}
	if !trace.Same() {
		t.Error("a directory that is still missing has changed")
	}
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	if trace.Same() {
		t.Error("a directory that appears has not changed")
	}
	file := filepath.Join(gone, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil || (&Trace{Folders: []*TracedFolder{{Dir: file, Real: real}}}).Same() {
		t.Errorf("a file is taken for a directory: %v", err)
	}
	if (*Trace)(nil).folder("/w", "/w") != nil || (&Trace{Folders: []*TracedFolder{{Dir: `\\server\share`}}}).Same() {
		t.Error("a trace without directories has one, or a directory elsewhere is looked at")
	}
}

// TestATraceHasWhatALoaderHasLookedFor checks the directories, also those that are missing or have another name, and
// the files in them.
func TestATraceHasWhatALoaderHasLookedFor(t *testing.T) {
	p := newPlace(t, map[string]string{"work/repo/a.md": "A", "work/repo/skills/x.md": "X"})
	if err := os.Symlink("repo", p.path("work/link")); err != nil {
		t.Skip(err)
	}
	l := &Loader{Session: p.session, Budget: maxLoadedBytes, Listing: MaxListed, Trace: &Trace{}}
	defer l.Close()
	l.Workspace = l.Root(p.path("work/repo"))
	for _, dir := range []string{"work/missing", "work/link", "work/repo/a.md", "work/link"} {
		l.Root(p.path(dir))
	}
	l.Memory(l.Workspace, "a.md")
	if !l.Trace.Settled(began) || l.Trace.Settled(began.Add(-1)) {
		t.Error("a file is settled at the wrong time")
	}
	l.Rules(l.Workspace, "skills")
	l.Settings(l.Workspace, "s.json")
	var got []string
	for _, f := range l.Trace.Folders {
		line := f.Dir + " = " + f.Real
		for _, file := range f.Files {
			line += fmt.Sprintf(" %s:%d", file.Path, file.Size)
		}
		got = append(got, strings.ReplaceAll(filepath.ToSlash(line), filepath.ToSlash(p.base), ""))
	}
	expect(t, got, "/work/repo = /work/repo a.md:1 skills:0 skills/x.md:1 s.json:0", "/work/missing = ", "/work/link = /work/repo", "/work/repo/a.md = ")
}
