// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A focusWatch describes what the user is looking at in an editor. The first of its fields that leads to a session
// decides.
type focusWatch struct {
	Session     string `json:"session"`
	TerminalPID int    `json:"terminalPid"`
	File        string `json:"file"`
	Workspace   string `json:"workspace"`

	others []string // further workspaces of a plain client
	sent   string   // the key of the last finding sent to the client
}

// followUpEvery is how often the focused session is looked up while sessions change.
const followUpEvery = 200 * time.Millisecond

// setFocus answers ctx/focus with the Reading of the focused session; its member "focus" gives the reason for
// the choice.
func (c *connection) setFocus(r *request) ([]byte, *api.Error) {
	var f focusWatch
	if err := r.read(&f); err != nil {
		return nil, err
	}
	if path, ok := document.Path(f.File); ok {
		f.File = path
	}
	if path, ok := document.Path(f.Workspace); ok {
		f.Workspace = path
	}
	if f.Session != "" && c.find(f.Session) == nil && !c.fetch(r.ctx, f.Session) {
		return nil, api.NoSession(f.Session)
	}
	c.readFolderOf(r.ctx, &f)
	found := c.findFocused(&f, true)
	f.sent = found.key()
	c.focusing.Lock()
	c.mu.Lock()
	otherShown := c.focused != shownHere(found)
	c.focus, c.focused = &f, shownHere(found)
	c.mu.Unlock()
	c.focusing.Unlock()
	if otherShown {
		go c.documents.modelsChanged()
	}
	if found.session == nil {
		return []byte("null"), nil
	}
	return found.reading(c), nil
}

// readFolderOf has the newest sessions read in the folder that the client works in now, and waits up to firstReads for
// them. Otherwise newer sessions elsewhere could keep them unread, and the folder would seem to have none.
func (c *connection) readFolderOf(ctx context.Context, f *focusWatch) {
	if f.Workspace == "" || c.server.options.Source == nil {
		return
	}
	folder := focus.Look(f.File, f.Workspace).Workspace
	if f.File != "" {
		if root := focus.Repository(filepath.Dir(f.File)); root != "" {
			folder = root
		}
	}
	if focus.Within(folder, c.server.options.Home) {
		return
	}
	c.mu.Lock()
	var changed *watch
	if c.watching != nil {
		changed = c.watching.worksAt(folder)
	}
	if changed != nil {
		c.watching = changed
	}
	c.mu.Unlock()
	if changed == nil {
		return
	}
	late := time.NewTimer(firstReads)
	defer late.Stop()
	select {
	case <-c.server.watcher.search(c.ctx, &watch{workspaces: []string{folder}, shows: []string{folder}}).done:
	case <-late.C:
	case <-ctx.Done():
	}
}

// shownHere returns the session of a finding if it belongs to what the user is looking at, otherwise nil.
func shownHere(found finding) *session {
	if found.shown == focus.Elsewhere {
		return nil
	}
	return found.session
}

// A finding is the focused session, and the reason for choosing it.
type finding struct {
	session    *session
	shown      string // one of the reasons of package focus
	because    string
	candidates []string // the sessions that the agent in the focused terminal may run, if that is uncertain
}

// key identifies the session and the reason for showing it; it is empty without a session.
func (f *finding) key() string {
	if f.session == nil {
		return ""
	}
	return f.shown + " " + f.session.key + " " + strings.Join(f.candidates, " ")
}

// writeWhy writes the member that gives the reason for showing the session.
func (f *finding) writeWhy(w *ownjson.Writer) {
	w.Field(`,"focus":`)
	w.BeginObject()
	w.StringField(`,"reason":`, f.shown)
	w.StringField(`,"because":`, f.because)
	w.Field(`,"candidates":`)
	w.BeginArray()
	for _, id := range f.candidates {
		w.String(id)
	}
	w.EndArray()
	w.EndObject()
}

// reading returns the Reading of the session with the reason for showing it.
func (f *finding) reading(c *connection) []byte {
	reading, _ := f.session.snapshot()
	reading = c.server.viewed(c.readingView(), f.session, reading)
	w := ownjson.Writer{Buf: make([]byte, 0, len(reading)+256)}
	w.Reopen(reading)
	f.writeWhy(&w)
	w.EndObject()
	return w.Buf
}

// findFocused finds the focused session, as package focus picks it. With fresh, the agents' processes are listed again.
func (c *connection) findFocused(f *focusWatch, fresh bool) finding {
	front := focus.Look(f.File, f.Workspace)
	if f.Session != "" {
		if s := c.find(f.Session); s != nil {
			front.Named = s.key
		}
	}
	var found finding
	if front.Named == "" {
		if h, some := c.server.watcher.inTerminal(f.TerminalPID, fresh); some {
			if s := c.server.ofOrigin(h.Session); s != nil {
				front.Held, front.HeldWhy = s.key, h.Reason
			} else {
				found.candidates, found.because = c.server.idsOf(h.Candidates), h.Reason
			}
		}
	}
	var seen []*session
	var choices []focus.Session
	for _, s := range c.server.all(c.sees) {
		reading, sum := s.snapshot()
		if reading == nil {
			continue
		}
		seen = append(seen, s)
		choices = append(choices, focus.Session{ID: s.key, Dir: s.dir(sum), Live: sum.live, Child: sum.child, Newest: s.newest()})
	}
	chosen, some := focus.Choose(front, choices)
	if !some {
		return finding{}
	}
	found.session, found.shown = seen[chosen.Index], chosen.Shown
	if found.because != "" {
		found.because += " "
	}
	found.because += chosen.Because
	return found
}

// newest returns the time of a session's newest record. Without one it is the modification time of the transcript;
// without a transcript, that of the last change in this daemon.
func (s *session) newest() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.summary.asOf != 0:
		return s.summary.asOf
	case s.origin != nil:
		return s.lastRecord().UnixMilli()
	}
	return s.lastChange.UnixMilli()
}

// dir returns the folder that a session was started in. If its agent changes the folder later, the session still
// belongs to the first.
func (s *session) dir(sum summary) string {
	if s.origin != nil && s.origin.Workspace != "" {
		return s.origin.Workspace
	}
	return sum.workspace
}

// followUpSoon schedules what has to follow a change of sessions: it notifies clients if their focused session is a
// different one now, and recounts prompt files if the model in use has changed.
func (s *Server) followUpSoon() {
	if s.followUpDue.Swap(true) {
		return
	}
	time.AfterFunc(followUpEvery, func() {
		defer s.survive("applying changes")
		s.followUpDue.Store(false)
		s.refreshSights()
		if s.otherModel.Swap(false) {
			s.eachConnection(func(c *connection) {
				go func() {
					defer c.survive("counting for another model")
					c.documents.modelsChanged()
				}()
			})
		}
		s.mu.Lock()
		var focused []*connection
		for c := range s.connections {
			c.mu.Lock()
			if c.focus != nil {
				focused = append(focused, c)
			}
			c.mu.Unlock()
		}
		s.mu.Unlock()
		for _, c := range focused {
			c.refocus()
		}
	})
}

// refocus finds the focused session again, and sends ctx/focused if it is another one, unless the client has
// set another one since.
func (c *connection) refocus() {
	c.mu.Lock()
	current := c.focus
	if current == nil {
		c.mu.Unlock()
		return
	}
	f := *current
	c.mu.Unlock()
	found := c.findIn(&f)
	key := found.key()
	c.focusing.Lock()
	defer c.focusing.Unlock()
	c.mu.Lock()
	changed := c.focus == current && current.sent != key
	if changed {
		current.sent, c.focused = key, shownHere(found)
	}
	c.mu.Unlock()
	c.showQuietlySoon()
	if !changed {
		return
	}
	go c.documents.modelsChanged()
	if c.unasked() {
		return
	}
	if found.session == nil {
		c.out.Send(wire.NotificationFrame("ctx/focused", []byte(`{"reading":null}`)))
		return
	}
	var w ownjson.Writer
	w.BeginObject()
	w.Field(`,"reading":`)
	w.Raw(found.reading(c))
	w.EndObject()
	c.out.Send(wire.NotificationFrame("ctx/focused", w.Buf))
}
