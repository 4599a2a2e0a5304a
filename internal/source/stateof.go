// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// stateOf is the state of the files of a session.
func stateOf(s transcript.Session) state {
	switch s.Form {
	case transcript.Database, transcript.Store:
		modified, size, _ := sqlite.Time(s.Path)
		return state{size, modified}
	case transcript.Task:
		modified, size, _ := taskTime(s.Path)
		return state{size, modified}
	case transcript.WithSidecars:
		modified, size := besideTime(s.Path, agents.Sidecars(s))
		return state{size, modified}
	case transcript.Folder:
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

// taskTime is when one of the documents of a task last changed.
func taskTime(path string) (latest time.Time, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, 0, err
	}
	latest, size = info.ModTime(), info.Size()
	if sent, err := os.Stat(filepath.Join(filepath.Dir(path), agents.SentFile)); err == nil {
		size += sent.Size()
		if sent.ModTime().After(latest) {
			latest = sent.ModTime()
		}
	}
	return latest, size, nil
}
