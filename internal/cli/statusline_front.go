// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	shown "github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Which session is in front takes a look at every agent's folders and at the processes of this machine, for which a
// prompt has no time. So the answer is noted for each folder. A note that is some seconds old is still used, and
// another process, for which nobody waits, finds the session anew. The note is not used when the folder in which the
// session lies has changed, because a session that began there is probably the one in front now.

const (
	// refreshFlag has the command find the session in front and print nothing.
	refreshFlag = "refresh"
	// frontFresh is how old a note may be before the session is found anew.
	frontFresh = 3 * time.Second
	// frontKept is how old a note may be to be used at all.
	frontKept = 24 * time.Hour
	// maxFronts is how many folders have a note.
	maxFronts = 128
)

// A frontNote says which session is in front in a folder.
type frontNote struct {
	At      int64            `json:"at"`    // milliseconds
	Asked   int64            `json:"asked"` // when another process was last asked to find it again
	Session *transcript.Kept `json:"session"`
	Folder  int64            `json:"folder"` // when the folder of the session changed, in nanoseconds
}

func (f frontFlags) notes(env *environment) (state.Notes, string) {
	m := state.NotesIn(env.host().CacheDir(), "shell")
	// Another home of an agent is another machine to a person.
	of := []string{env.Dir, strconv.FormatBool(f.here), f.since.String(), env.Getenv("HOME")}
	for _, name := range agents.Variables() {
		of = append(of, env.Getenv(name))
	}
	key, _ := json.Marshal(of)
	return m, m.Path(string(key))
}

// front is the session in front, nil where there is none.
func (f frontFlags) front(ctx context.Context, env *environment) (*transcript.Kept, error) {
	m, path := f.notes(env)
	var note frontNote
	text, err := os.ReadFile(path)
	now := env.Now().UnixMilli()
	if err != nil || m.Folder == "" || len(text) > maxStatus || json.Unmarshal(text, &note) != nil || note.At > now ||
		now-note.At > frontKept.Milliseconds() || note.Session != nil && note.Folder != changedAt(note.Session.Path) {
		return f.findInTime(ctx, env)
	}
	if now-max(note.At, note.Asked) > frontFresh.Milliseconds() {
		note.Asked = now
		if text, err := json.Marshal(note); err == nil {
			m.Write(path, text)
		}
		f.findLater(env)
	}
	if s := note.Session; s != nil && f.since > 0 {
		if found, err := s.Session(); err != nil || env.Now().Sub(found.Modified) > f.since {
			return nil, nil
		}
	}
	return note.Session, nil
}

// changedAt is when something was added to the folder of a file.
func changedAt(path string) int64 {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// findInTime finds the session unless it takes too long; then the search goes on in another process.
func (f frontFlags) findInTime(ctx context.Context, env *environment) (*transcript.Kept, error) {
	done := make(chan *transcript.Kept, 1)
	go func() { done <- f.find(ctx, env) }()
	select {
	case kept := <-done:
		return kept, nil
	case <-ctx.Done():
		f.findLater(env)
		return nil, errors.New("finding the session takes longer than --timeout; the search continues, and the next run uses its result")
	}
}

// find finds the session in front and notes it.
func (f frontFlags) find(ctx context.Context, env *environment) *transcript.Kept {
	m, path := f.notes(env)
	var note frontNote
	if s, some := f.look(ctx, env); some {
		kept := s.Keep()
		note.Session, note.Folder = &kept, changedAt(s.Path)
	}
	if ctx.Err() != nil {
		return nil
	}
	note.At = env.Now().UnixMilli()
	if text, err := json.Marshal(note); err == nil && m.Folder != "" {
		m.Write(path, text)
		m.Prune(maxFronts)
	}
	return note.Session
}

// look picks the session as every face does.
func (f frontFlags) look(ctx context.Context, env *environment) (transcript.Session, bool) {
	finder := sessions.NewFinder(env.host()).Hold()
	defer func() { env.late(finder.Late()) }()
	query := sessions.Query{Limit: maxChoices}
	if f.since > 0 {
		query.Since = env.Now().Add(-f.since)
	}
	front := shown.Look("", env.Dir)
	query.Near = front.Workspace
	sessions, _, err := finder.Find(ctx, query)
	if err != nil {
		return transcript.Session{}, false
	}
	if picked, some := choose(env, finder, front, sessions); some {
		return sessions[picked.Index], true
	}
	if f.here {
		return transcript.Session{}, false
	}
	query.Near, query.Limit = "", 1
	if sessions, _, err = finder.Find(ctx, query); err != nil || len(sessions) == 0 {
		return transcript.Session{}, false
	}
	return sessions[0], true
}

// findLater has another process find the session.
func (f frontFlags) findLater(env *environment) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	again := exec.Command(self, "statusline", "--for=shell", "--"+refreshFlag, "--dir="+env.Dir, "--since="+f.since.String(), "--here="+strconv.FormatBool(f.here))
	again.Env = env.variables()
	_ = startAlone(again) // without it the next run tries again
}
