// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// StateOf is the state of the files of a session, with that of its host's database if records come from there.
func StateOf(s transcript.Session) transcript.State {
	state := ownState(s)
	if beside := Of(s).Beside; beside != nil && beside(s) != "" {
		if info, err := os.Stat(beside(s)); err == nil {
			state.Size += info.Size()
			if info.ModTime().After(state.Modified) {
				state.Modified = info.ModTime()
			}
		}
	}
	if s.HostStore == "" || Of(s).JoinHost == nil {
		return state
	}
	if changed, size, err := sqlite.Time(s.HostStore); err == nil {
		state.Size += size
		if changed.After(state.Modified) {
			state.Modified = changed
		}
	}
	return state
}

// SettlesIn returns how long the database of a session may not show its last change yet; not more than 0 if it shows
// it, or if there is no database.
func SettlesIn(s transcript.Session, state transcript.State, now time.Time) time.Duration {
	if s.Form != transcript.Database && s.Form != transcript.Store {
		return 0
	}
	return sqlite.Settles - now.Sub(state.Modified)
}

// IsThere reports whether the file or store of a session exists, and can be looked at.
func IsThere(s transcript.Session) bool { return ownState(s) != transcript.State{} }

// ownState is StateOf for the session's own file; zero if it is missing.
func ownState(s transcript.Session) transcript.State {
	if form := formOf(s.Form); form != nil && form.State != nil {
		return form.State(s.Path)
	}
	switch s.Form {
	case transcript.Database, transcript.Store:
		modified, size, _ := sqlite.Time(s.Path)
		return transcript.State{Size: size, Modified: modified}
	case transcript.WithSidecars:
		modified, size := transcript.SidecarsTime(s.Path, Sidecars(s))
		return transcript.State{Size: size, Modified: modified}
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return transcript.State{}
	}
	return transcript.State{Size: info.Size(), Modified: info.ModTime()}
}
