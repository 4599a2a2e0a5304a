// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notices passes on the system's notifications of changed files.
//
// Notices are used on Linux and Windows, where watching a directory costs one handle. Other systems need a handle for
// every file of a directory, and an agent's directory may contain thousands. There the few followed files are checked
// ten times a second instead, and so they are if the system allows no more watches.
type notices struct {
	watcher *fsnotify.Watcher // nil without notices
	folders map[string]bool
	made    map[string]time.Time // new directories among these, and since when they are watched
	paths   chan string
	full    bool // the system has refused a watch
}

const (
	// maxWatches is far below the limits of systems with many users, and maxMade is how many of them are for new
	// directories.
	maxWatches = 512
	maxMade    = 64
	// newFor is how long a directory is considered new.
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

// forward passes on the names of changed files. Names that are not received in time are dropped, and the next regular
// check finds those files.
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

// lookEvery returns how often files have to be checked in addition to notices.
func (n *notices) lookEvery() time.Duration {
	if n.watcher == nil || n.full {
		return lookEvery
	}
	return lookAnyway
}

func (n *notices) changes() <-chan string { return n.paths }

// watch replaces the watched directories, except for new ones. It reports whether one of them was not watched before,
// so that earlier changes in it were not noticed.
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
			_ = n.watcher.Remove(folder) // a removed directory is no longer watched
			delete(n.folders, folder)
		}
	}
	for folder := range wanted {
		begun = n.add(folder) || begun
	}
	return begun
}

// add watches a directory, and reports whether the watch is new.
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

// watchMade watches a directory that was just created, and its subdirectories, for a minute. The agent creates the
// session in them later, so a search would still find nothing there.
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
		entries, _ := os.ReadDir(made[at]) // after the watch was added, so that none is missed
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
