// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// To find the session in front, every agent's directory and the processes of this machine are searched, and a prompt
// has no time for that. So the result is kept for each directory. A note that is some seconds old is still used, while
// a process in the background searches again. It is not used if the directory of the session's transcript has changed,
// because a session that began there is probably the one in front now.

const (
	// frontFresh is how old a note may be before the session is searched again.
	frontFresh = 3 * time.Second
	// frontKept is how old a note may be to be used at all.
	frontKept = 24 * time.Hour
	// maxFronts is the maximum number of directories with a note.
	maxFronts = 128
)

// A Front sets how the current session is found if none is named.
type Front struct {
	Here  bool          // only a session of the working directory, its repository or a directory above
	Since time.Duration // only a session that changed within this time; 0 for any
	// Later starts a process that finds the session in the background.
	Later func()
}

// A frontNote records the current session of a directory.
type frontNote struct {
	At      int64            `json:"at"`    // milliseconds
	Asked   int64            `json:"asked"` // when another process was last started to find it again
	Session *transcript.Kept `json:"session"`
	Folder  int64            `json:"folder"` // the modification time of the session's directory, in nanoseconds
	// Others are the newest other sessions of the directory. If one of them changes, it may be the current one.
	Others []rival `json:"others,omitempty"`
}

// A rival is another session that may become the current one, and when it was last changed.
type rival struct {
	Session transcript.Kept `json:"session"`
	Changed int64           `json:"changed"` // nanoseconds
}

// maxRivals is the maximum number of other sessions that are checked before a note is used.
const maxRivals = 8

func rivalsOf(others []transcript.Session) (rivals []rival) {
	slices.SortFunc(others, func(a, b transcript.Session) int { return b.Modified.Compare(a.Modified) })
	for _, one := range others[:min(len(others), maxRivals)] {
		rivals = append(rivals, rival{one.Keep(), changedNow(one)})
	}
	return rivals
}

// changedNow returns when a session was last changed, 0 if it was removed.
func changedNow(of transcript.Session) int64 {
	kept := of.Keep()
	now, err := kept.Session()
	if err != nil {
		return 0
	}
	return now.Modified.UnixNano()
}

// rivalChanged reports whether another session of the directory has changed since the note was written.
func (n *frontNote) rivalChanged() bool {
	return slices.ContainsFunc(n.Others, func(r rival) bool {
		now, err := r.Session.Session()
		return err == nil && now.Modified.UnixNano() != r.Changed
	})
}

func (p *Program) frontNotes(f Front) (state.Notes, string) {
	m := state.NotesIn(p.Machine.Host.CacheDir(), "shell")
	// Another home of an agent has other sessions.
	of := []string{p.Dir, strconv.FormatBool(f.Here), f.Since.String(), p.Getenv("HOME")}
	for _, name := range agents.Variables() {
		of = append(of, p.Getenv(name))
	}
	key, _ := json.Marshal(of)
	return m, m.Path(string(key))
}

// inFront returns the current session; nil if there is none.
func (p *Program) inFront(ctx context.Context, f Front) (*transcript.Kept, error) {
	m, path := p.frontNotes(f)
	var note frontNote
	text, err := os.ReadFile(path)
	now := p.Now().UnixMilli()
	if err != nil || m.Folder == "" || len(text) > MaxMessage || json.Unmarshal(text, &note) != nil || note.At > now ||
		now-note.At > frontKept.Milliseconds() || note.Session != nil && note.Folder != changedAt(note.Session.Path) || note.rivalChanged() {
		return p.findInTime(ctx, f)
	}
	if now-max(note.At, note.Asked) > frontFresh.Milliseconds() {
		note.Asked = now
		if text, err := json.Marshal(note); err == nil {
			m.Write(path, text)
		}
		f.Later()
	}
	if s := note.Session; s != nil && f.Since > 0 {
		if found, err := s.Session(); err != nil || p.Now().Sub(found.Modified) > f.Since {
			return nil, nil
		}
	}
	return note.Session, nil
}

// changedAt returns the modification time of a file's directory.
func changedAt(path string) int64 {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// findInTime finds the session unless it takes too long; then another process continues the search.
func (p *Program) findInTime(ctx context.Context, f Front) (*transcript.Kept, error) {
	done := make(chan *transcript.Kept, 1)
	go func() { done <- p.Find(ctx, f) }()
	select {
	case kept := <-done:
		return kept, nil
	case <-ctx.Done():
		f.Later()
		return nil, errors.New("finding the session takes longer than --timeout; the search continues, and the next run uses its result")
	}
}

// Find finds the current session and saves it in a note; nil if there is none.
func (p *Program) Find(ctx context.Context, f Front) *transcript.Kept {
	m, path := p.frontNotes(f)
	var note frontNote
	if s, others, some := p.lookForFront(ctx, f); some {
		kept := s.Keep()
		note.Session, note.Folder, note.Others = &kept, changedAt(s.Path), rivalsOf(others)
	}
	if ctx.Err() != nil {
		return nil
	}
	note.At = p.Now().UnixMilli()
	if text, err := json.Marshal(note); err == nil && m.Folder != "" {
		m.Write(path, text)
		m.Prune(maxFronts)
	}
	return note.Session
}

// lookForFront picks the session like every other front end, and returns the other sessions of the directory.
func (p *Program) lookForFront(ctx context.Context, f Front) (picked transcript.Session, others []transcript.Session, some bool) {
	search := focus.Search{Finder: sessions.NewFinder(p.Machine.Host).Hold(), Dir: p.Dir, Now: p.Now, Processes: p.Processes, NotBelow: f.Here}
	defer func() { p.Late(search.Finder.Late()) }()
	var since time.Time
	if f.Since > 0 {
		since = p.Now().Add(-f.Since)
	}
	list, choice, ok, err := search.Here(ctx, since)
	if err != nil {
		return transcript.Session{}, nil, false
	}
	if ok {
		return list[choice.Index], slices.Delete(slices.Clone(list), choice.Index, choice.Index+1), true
	}
	if f.Here {
		return transcript.Session{}, nil, false
	}
	if list, _, err = search.Finder.Find(ctx, sessions.Query{Limit: 1, Since: since}); err != nil || len(list) == 0 {
		return transcript.Session{}, nil, false
	}
	return list[0], nil, true
}
