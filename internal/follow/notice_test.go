// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// noticesOrSkip returns new notices. It skips the test on systems where directories are not watched.
func noticesOrSkip(t *testing.T) *notices {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("on this system directories are not watched")
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		t.Skip("this system reports no changes: ", err)
	}
	watcher.Close()
	n := newNotices()
	if n.watcher == nil {
		t.Fatal("directories are not watched")
	}
	return n
}

// TestOnlyWantedDirectoriesAreWatched checks which directories are watched, for how long a new one is, and what is
// reported if the system cannot watch.
func TestOnlyWantedDirectoriesAreWatched(t *testing.T) {
	root := t.TempDir()
	dir := func(names ...string) (paths []string) {
		for _, name := range names {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
		return paths
	}
	n := noticesOrSkip(t)
	defer n.close()
	watched := func(want ...string) {
		t.Helper()
		var got []string
		for folder := range n.folders {
			rel, _ := filepath.Rel(root, folder)
			got = append(got, filepath.ToSlash(rel))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("watched are %q, want %q", got, want)
		}
	}
	ab := dir("a", "b")
	if !n.watch(ab) || n.watch(ab) {
		t.Error("the wrong watch is new")
	}
	watched("a", "b")
	if n.watch([]string{ab[0], filepath.Join(root, "missing")}) {
		t.Error("a missing directory is watched")
	}
	watched("a")
	dirstest.Write(t, filepath.Join(root, "file"), "x")
	if n.watch([]string{ab[0], filepath.Join(root, "file")}) {
		t.Error("a file is watched")
	}
	made := dir("made", "made/one", "made/one/two")[0]
	n.watchMade(made)
	n.watchMade(filepath.Join(root, "file"))
	n.watchMade(filepath.Join(root, "missing"))
	watched("a", "made", "made/one", "made/one/two")
	if n.watch(ab[:1]) {
		t.Error("a new directory is watched twice")
	}
	watched("a", "made", "made/one", "made/one/two")
	n.made[made] = time.Now().Add(-newFor)
	n.watch(ab[:1])
	watched("a", "made/one", "made/one/two")
	many := dir("many")[0]
	for i := range maxMade + 10 {
		dir(fmt.Sprintf("many/%03d", i))
	}
	n.watchMade(many)
	if len(n.made) != maxMade {
		t.Errorf("%d new directories are watched", len(n.made))
	}
	var most []string
	for i := range maxWatches {
		most = append(most, dir(fmt.Sprintf("most/%03d", i))...)
	}
	if n.watch(append(most, ab[0])); len(n.folders) != maxWatches || n.full {
		t.Errorf("%d directories are watched; the system refuses more: %v", len(n.folders), n.full)
	}
	clear(n.made)
	n.watch(ab[:1])
	watched("a")
	if n.add(filepath.Join(root, "missing")) || !n.full {
		t.Error("a directory that cannot be watched is")
	}

	change := func() string {
		t.Helper()
		select {
		case path := <-n.changes():
			return path
		case <-time.After(30 * time.Second):
			t.Fatal("a change is not reported")
			return ""
		}
	}
	path, other := filepath.Join(ab[0], "s.jsonl"), filepath.Join(ab[0], "other")
	for dirstest.Write(t, other, ""); change() != other; {
	}
	if err := os.Chmod(other, 0o600); err != nil { // this is not a change of its content
		t.Fatal(err)
	}
	if dirstest.Write(t, path, "x"); change() != path {
		t.Error("a change of the mode is reported")
	}
}

// TestFilesAreCheckedMoreOftenWithoutReports checks how often files are checked, with and without reports of changes.
func TestFilesAreCheckedMoreOftenWithoutReports(t *testing.T) {
	blind := &notices{}
	if blind.lookEvery() != lookEvery || blind.watch([]string{t.TempDir()}) {
		t.Error("without reports, files are checked rarely")
	}
	blind.watchMade(t.TempDir())
	blind.close()
	n := noticesOrSkip(t)
	defer func() {
		if n.close(); n.watcher.Add(t.TempDir()) == nil {
			t.Error("a directory is watched after the end")
		}
	}()
	if n.lookEvery() != lookAnyway {
		t.Error("with reports, files are checked often")
	}
	if n.full = true; n.lookEvery() != lookEvery {
		t.Error("if not all directories are watched, files are checked rarely")
	}
}

// TestSessionsAtRestAreCheckedLessOften checks that a session whose last change is old is checked at some of the checks
// only, and any other at each.
func TestSessionsAtRestAreCheckedLessOften(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{}\n")
	f := NewFollower(nil, newFakeEngine().call, func(Update) {})
	for age, want := range map[time.Duration]int{0: 1, restful - time.Minute: 1, restful + time.Minute: restfulLooks} {
		w := &followed{feed: NewFeed(transcript.Session{ID: "s", Path: path}, f.Call), wake: make(chan struct{}, 1)}
		w.seen.Modified = time.Now().Add(-age)
		f.followed, f.checks = map[string]*followed{"s": w}, 0
		checks := 0
		for len(w.wake) == 0 && checks < 2*restfulLooks {
			f.lookAtAll()
			checks++
		}
		if checks != want {
			t.Errorf("a change after %s is noticed at check %d, want %d", age, checks, want)
		}
	}
}
