// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// StateOf is the state of the files of a session.
func StateOf(s transcript.Session) transcript.State {
	switch s.Form {
	case transcript.Database, transcript.Store:
		modified, size, _ := sqlite.Time(s.Path)
		return transcript.State{Size: size, Modified: modified}
	case transcript.Task:
		modified, size, _ := taskTime(s.Path)
		return transcript.State{Size: size, Modified: modified}
	case transcript.WithSidecars:
		modified, size := transcript.SidecarsTime(s.Path, Sidecars(s))
		return transcript.State{Size: size, Modified: modified}
	case transcript.Folder:
		// The parts of such a session lie in many folders, so its tail finds out what
		// has changed.
		return transcript.State{Size: 0, Modified: time.Now().Truncate(2 * time.Second)}
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return transcript.State{}
	}
	return transcript.State{Size: info.Size(), Modified: info.ModTime()}
}

// taskTime is when one of the documents of a task last changed.
func taskTime(path string) (latest time.Time, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, 0, err
	}
	latest, size = info.ModTime(), info.Size()
	if sent, err := os.Stat(filepath.Join(filepath.Dir(path), SentFile)); err == nil {
		size += sent.Size()
		if sent.ModTime().After(latest) {
			latest = sent.ModTime()
		}
	}
	return latest, size, nil
}
