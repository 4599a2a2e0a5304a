// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"encoding/json"
	"os"
	"path/filepath"
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
	if (*Trace)(nil).folder("/w", "/w") != nil || (&Trace{Folders: []*TracedFolder{{Dir: `\\server\share`}}}).Same() {
		t.Error("a trace without directories has one, or a directory elsewhere is looked at")
	}
}
