// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Only the program of a status line gets an agent's message, which names the window of the session's model. So it keeps
// that number, and every front end reads it: a small file for each session in the state directory, without text.

const (
	// maxSaid is how many sessions have such a file.
	maxSaid = 256
	// saidAgain is how old a file may be before its time is renewed.
	saidAgain = time.Hour
)

// saidWindows is the directory of these files.
type saidWindows struct{ state.Notes }

// lastReadings returns the notes with the last good Reading of each session, for the status line.
func (env *environment) lastReadings() state.Notes {
	return state.NotesIn(env.host().CacheDir(), "statusline")
}

func (env *environment) says() saidWindows {
	return saidWindows{state.NotesIn(env.host().StateDir(), "windows")}
}

func (w saidWindows) pathOf(agent, session string) string { return w.Path(agent + " " + session) }

// Of returns what the agent of a session has said of its window, nil if nothing.
func (w saidWindows) Of(s transcript.Session) *follow.Said {
	if w.Folder == "" || s.ID == "" {
		return nil
	}
	var said follow.Said
	text, err := os.ReadFile(w.pathOf(s.Agent, s.ID))
	if err != nil || len(text) > 4<<10 || json.Unmarshal(text, &said) != nil || said.Window <= 0 {
		return nil
	}
	return &said
}

// Changed returns the time at which a file was last added, replaced or removed.
func (w saidWindows) Changed() time.Time {
	if w.Folder == "" {
		return time.Time{}
	}
	info, err := os.Stat(w.Folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// windowOf returns the window that the agent of a session has said, 0 if none.
func windowOf(env *environment, s transcript.Session) int64 {
	if said := env.says().Of(s); said != nil {
		return said.Window
	}
	return 0
}

// keepSaid keeps what the agent's message says of its window.
func (s *agentStatus) keepSaid(env *environment) {
	m := env.says()
	if m.Folder == "" || s.session == "" || s.window <= 0 {
		return
	}
	now := env.Now()
	if old := m.Of(transcript.Session{Agent: s.agent, ID: s.session}); old != nil && old.Window == s.window && old.Model == s.model && now.Sub(old.At) < saidAgain {
		return
	}
	text, err := json.Marshal(follow.Said{Window: s.window, Model: s.model[:min(len(s.model), 200)], At: now.UTC()})
	if err != nil {
		return
	}
	m.Write(m.pathOf(s.agent, s.session), text)
	m.Prune(maxSaid)
}
