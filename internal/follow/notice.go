// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notices reports changed files, as the system notifies of them.
//
// Notices are used on Linux and Windows, where watching a folder costs one
// handle. Other systems need a handle for every file of a folder, and an
// agent's folder may hold thousands. There the few files that are followed are
// looked at ten times a second instead. The same happens where the system
// allows no more watches.
type notices struct {
	watcher *fsnotify.Watcher // nil where there are no notices
	folders map[string]bool
	made    map[string]time.Time // of these, the folders that are watched because they are new, and since when
	paths   chan string
	full    bool // the system has refused a watch
}

const (
	// maxWatches is far below the limits of systems with many users, and maxMade is how many of them new folders have.
	maxWatches = 512
	maxMade    = 64
	// newFor is how long a folder is new.
	newFor = time.Minute
)

func newNotices() *notices {
	n := &notices{folders: map[string]bool{}, made: map[string]time.Time{}, paths: make(chan string, 256)}
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		return n
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return n
	}
	n.watcher = watcher
	go n.forward(watcher)
	return n
}

// forward passes on the names of changed files. Names that nobody reads for a
// while are dropped, and found by the regular look.
func (n *notices) forward(watcher *fsnotify.Watcher) {
	for {
		select {
		case event, ok := <-watcher.Events:
			if !ok {
				return
			}
			if event.Op == fsnotify.Chmod {
				continue
			}
			select {
			case n.paths <- event.Name:
			default:
			}
		case _, ok := <-watcher.Errors:
			if !ok {
				return
			}
		}
	}
}

// lookEvery is how often files have to be looked at besides the notices.
func (n *notices) lookEvery() time.Duration {
	if n.watcher == nil || n.full {
		return lookEvery
	}
	return lookAnyway
}

func (n *notices) changes() <-chan string { return n.paths }

// watch makes the folders the ones that are watched, besides those that are new. It returns whether one of them was
// not watched before: what has changed in it up to now was not noticed.
func (n *notices) watch(folders []string) (begun bool) {
	if n.watcher == nil {
		return false
	}
	for folder, since := range n.made {
		if time.Since(since) >= newFor {
			delete(n.made, folder)
			continue
		}
		folders = append(folders, folder)
	}
	wanted := map[string]bool{}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			wanted[folder] = true
		}
	}
	for folder := range n.folders {
		if !wanted[folder] {
			_ = n.watcher.Remove(folder) // a folder that is gone is not watched any more
			delete(n.folders, folder)
		}
	}
	for folder := range wanted {
		begun = n.add(folder) || begun
	}
	return begun
}

// add watches a folder, and returns whether it was not watched before and is now.
func (n *notices) add(folder string) bool {
	if n.folders[folder] || len(n.folders) >= maxWatches {
		return false
	}
	if n.watcher.Add(folder) != nil {
		n.full = true
		return false
	}
	n.folders[folder] = true
	return true
}

// watchMade watches a folder that has just been made, for a minute, and the folders in it. The session for which an
// agent has made them follows, and a search that comes before it finds nothing there.
func (n *notices) watchMade(path string) {
	if n.watcher == nil {
		return
	}
	made := []string{path}
	for at := 0; at < len(made) && len(n.made) < maxMade; at++ {
		info, err := os.Lstat(made[at])
		if err != nil || !info.IsDir() || !n.add(made[at]) {
			continue
		}
		n.made[made[at]] = time.Now()
		entries, _ := os.ReadDir(made[at]) // after it is watched, so that none is missed
		for _, entry := range entries[:min(len(entries), maxMade)] {
			made = append(made, filepath.Join(made[at], entry.Name()))
		}
	}
}

func (n *notices) close() {
	if n.watcher != nil {
		n.watcher.Close()
	}
}
