// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notices are the system's news of changed files.
//
// They are used on Linux and Windows, where watching a folder costs one
// handle. Elsewhere the system wants a handle for every file of a folder, and
// an agent's folder may hold thousands, so there the few files that are
// followed are looked at ten times a second instead. The same happens
// where watches run out.
type notices struct {
	watcher *fsnotify.Watcher // nil where there are none
	folders map[string]bool
	paths   chan string
	full    bool // a watch was refused
}

// maxWatches keeps far from the limits of systems with many users.
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

// forward passes names on. When nobody takes them for long, the look that
// happens anyway finds what was dropped.
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

// lookEvery is how often files have to be looked at in spite of the notices.
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
			_ = n.watcher.Remove(folder) // a folder that is gone is watched no more
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
	case kindDatabase:
		modified, size, _ := databaseTime(s.Path)
		return state{size, modified}
	case kindTask:
		modified, size, _ := taskTime(s.Path)
		return state{size, modified}
	case kindTree:
		// Its parts lie in many folders; the tail finds out what changed.
		return state{0, time.Now().Truncate(2 * time.Second)}
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return state{}
	}
	return state{info.Size(), info.ModTime()}
}
