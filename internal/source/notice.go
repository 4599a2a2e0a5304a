// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/ctx-lsp/ctx-lsp/internal/database"
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
	paths   chan string
	full    bool // the system has refused a watch
}

// maxWatches is far below the limits of systems with many users.
const maxWatches = 512

func newNotices() *notices {
	n := &notices{folders: map[string]bool{}, paths: make(chan string, 256)}
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

// watch makes the folders the ones that are watched.
func (n *notices) watch(folders []string) {
	if n.watcher == nil {
		return
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
		if !n.folders[folder] && len(n.folders) < maxWatches {
			if n.watcher.Add(folder) == nil {
				n.folders[folder] = true
			} else {
				n.full = true
			}
		}
	}
}

func (n *notices) close() {
	if n.watcher != nil {
		n.watcher.Close()
	}
}

// stateOf is the state of the files of a session.
func stateOf(s Session) state {
	switch s.kind {
	case kindDatabase, kindStore:
		modified, size, _ := database.Time(s.Path)
		return state{size, modified}
	case kindTask:
		modified, size, _ := taskTime(s.Path)
		return state{size, modified}
	case kindBeside:
		modified, size := besideTime(s)
		return state{size, modified}
	case kindTree:
		// The parts of such a session lie in many folders, so its tail finds out what
		// has changed.
		return state{0, time.Now().Truncate(2 * time.Second)}
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return state{}
	}
	return state{info.Size(), info.ModTime()}
}
