// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/lsp/internal/document"
)

// A focus is what the person looks at, as an editor knows it. The first of its fields that leads to a session counts.
type focus struct {
	Session     string `json:"session"`
	TerminalPID int    `json:"terminalPid"`
	File        string `json:"file"`
	Workspace   string `json:"workspace"`

	told string // the session and the reason the client was told last
}

// Why a session is shown.
const (
	shownSession   = "session"
	shownTerminal  = "terminal"
	shownFile      = "file"
	shownWorkspace = "workspace"
	shownFullest   = "fullest" // nothing is in focus: the one that needs attention first
)

// settleEvery is how often a focus is settled anew while sessions change.
const settleEvery = 200 * time.Millisecond

// setFocus answers ctx/focus: the Reading of the session that is looked at, with why it is the one under "shown".
func (c *connection) setFocus(r *request) ([]byte, *wireError) {
	var f focus
	if len(r.params) > 0 {
		if err := json.Unmarshal(r.params, &f); err != nil {
			return nil, invalid("The focus cannot be read: " + err.Error() + ".")
		}
	}
	if path, ok := document.Path(f.File); ok {
		f.File = path
	}
	if path, ok := document.Path(f.Workspace); ok {
		f.Workspace = path
	}
	if f.Session != "" && c.find(f.Session) == nil {
		return nil, unknownSession(f.Session)
	}
	s, shown := c.settle1(&f)
	f.told = toldOf(s, shown)
	c.mu.Lock()
	c.focus = &f
	c.mu.Unlock()
	if s == nil {
		return []byte("null"), nil
	}
	return shownReading(s, shown), nil
}

func toldOf(s *session, shown string) string {
	if s == nil {
		return ""
	}
	return shown + " " + s.key
}

// shownReading is a Reading that says why it is the one that is shown.
func shownReading(s *session, shown string) []byte {
	reading, _ := s.snapshot()
	if len(reading) == 0 {
		return []byte("null")
	}
	out := append(make([]byte, 0, len(reading)+32), reading[:len(reading)-1]...)
	return append(out, `,"shown":"`+shown+`"}`...)
}

// settle1 finds the session in focus.
func (c *connection) settle1(f *focus) (*session, string) {
	if f.Session != "" {
		if s := c.find(f.Session); s != nil {
			return s, shownSession
		}
	}
	seen := c.server.all(func(s *session) bool {
		return c.sees(s)
	})
	if f.TerminalPID > 0 {
		if s := sessionOfTerminal(f.TerminalPID, seen); s != nil {
			return s, shownTerminal
		}
	}
	if f.File != "" {
		if s := newest(seen, func(sum summary) bool { return sum.workspace != "" && within(sum.workspace, f.File) }); s != nil {
			return s, shownFile
		}
	}
	if f.Workspace != "" {
		if s := newest(seen, func(sum summary) bool {
			return within(f.Workspace, sum.workspace) || sum.workspace != "" && within(sum.workspace, f.Workspace)
		}); s != nil {
			return s, shownWorkspace
		}
	}
	return fullest(seen), shownFullest
}

// newest returns the session that changed last among those that match; the nearest workspace wins before time does.
func newest(sessions []*session, matches func(summary) bool) *session {
	var best *session
	var bestDepth int
	var bestTime int64
	for _, s := range sessions {
		reading, sum := s.snapshot()
		if reading == nil || !matches(sum) {
			continue
		}
		depth, at := len(filepath.Clean(sum.workspace)), sum.asOf
		if best == nil || depth > bestDepth || depth == bestDepth && (at > bestTime || at == bestTime && s.key < best.key) {
			best, bestDepth, bestTime = s, depth, at
		}
	}
	return best
}

func fullest(sessions []*session) *session {
	var best *session
	var bestFullness float64
	for _, s := range sessions {
		reading, sum := s.snapshot()
		if reading == nil {
			continue
		}
		if full := sum.fullness; best == nil || full > bestFullness || full == bestFullness && s.key < best.key {
			best, bestFullness = s, full
		}
	}
	return best
}

// settle does soon what follows from changes of sessions: it tells the clients whose focus leads to another session than
// before, and counts prompt files for the model that is in use now.
func (s *Server) settle() {
	if s.settling.Swap(true) {
		return
	}
	time.AfterFunc(settleEvery, func() {
		defer s.survive("what follows from changes")
		s.settling.Store(false)
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
			c.resettle()
		}
	})
}

func (c *connection) resettle() {
	c.mu.Lock()
	if c.focus == nil {
		c.mu.Unlock()
		return
	}
	f := *c.focus
	c.mu.Unlock()
	s, shown := c.settle1(&f)
	told := toldOf(s, shown)
	c.mu.Lock()
	changed := c.focus != nil && c.focus.told != told
	if changed {
		c.focus.told = told
	}
	c.mu.Unlock()
	if !changed {
		return
	}
	if s == nil {
		c.out.send(notificationFrame("ctx/focused", []byte(`{"reading":null}`)))
		return
	}
	params := append([]byte(`{"shown":"`+shown+`","reading":`), shownReading(s, shown)...)
	c.out.send(notificationFrame("ctx/focused", append(params, '}')))
}
