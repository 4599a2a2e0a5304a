// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A readingView is the form in which one client wants its Readings, from ctx/watch. It applies to every Reading that is
// sent to the client, in any message.
type readingView struct {
	mode  string     // hybrid or provider; empty for the mode of each session
	lines *api.Lines // the templates of finished short texts; nil for none
	// openings adds the beginning of the first prompt to sessions without a title.
	openings bool
	panel    bool // adds the panel
}

// readReadingView returns the view that the parameters of ctx/watch describe.
func readReadingView(params wire.Fields) (readingView, *api.Error) {
	var l readingView
	l.mode = params.Text("mode")
	if modes := []string{"hybrid", "provider"}; l.mode != "" && !slices.Contains(modes, l.mode) {
		return l, api.UnknownWord("mode", "mode", l.mode, modes)
	}
	l.openings = string(params.Get("openings")) == "true"
	l.panel = string(params.Get("panel")) == "true"
	lines, words := params.Get("lines"), params.Get("words")
	if lines == nil || string(lines) == "null" {
		return l, nil
	}
	var refused *api.Error
	wire.ReadValue(lines, func(lines json.Value) {
		if words == nil {
			l.lines, refused = api.ReadLines(lines, json.Value{})
			return
		}
		wire.ReadValue(words, func(words json.Value) { l.lines, refused = api.ReadLines(lines, words) })
	})
	if refused != nil {
		return l, refused
	}
	return l, nil
}

// readingView returns the form in which the client wants its Readings.
func (c *connection) readingView() readingView {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watching == nil {
		return readingView{}
	}
	return c.watching.look
}

// plain reports whether Readings need no changes for this form.
func (l readingView) plain() bool { return l.mode == "" && l.lines == nil && !l.openings && !l.panel }

// viewed returns a Reading of a session in the form that a client wants.
func (s *Server) viewed(l readingView, at *session, reading []byte) []byte {
	return s.dressed(l, at, s.inMode(at, l.mode, l.panel, reading))
}

// dressed returns a Reading with the additions of this form: a name if it has none, and lines.
func (s *Server) dressed(l readingView, of *session, reading []byte) []byte {
	if l.openings && wire.MemberText(reading, "title") == "" {
		reading = conversation.WithOpening(reading, s.opening(of))
	}
	if l.lines != nil {
		reading = l.lines.Append(reading)
	}
	return reading
}

// modesWanted lists the modes, other than the session's own, in which the watchers of a session want its Readings.
func (s *session) modesWanted(reading []byte) []string {
	var modes []string
	own := ""
	watchers, _ := s.audience()
	for _, c := range watchers {
		mode := c.readingView().mode
		if mode == "" || slices.Contains(modes, mode) {
			continue
		}
		if own == "" {
			own = wire.MemberText(reading, "mode")
		}
		if mode != own {
			modes = append(modes, mode)
		}
	}
	return modes
}

// crossedIn is cross for a Reading in a mode other than the session's own. Each mode has its own levels.
func (s *session) crossedIn(mode string, reading []byte) *core.Crossed {
	sum, ok := summarize(reading, summary{})
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.levelIn == nil {
		s.levelIn = map[string]*core.Crossings{}
	}
	if s.levelIn[mode] == nil {
		s.levelIn[mode] = &core.Crossings{}
	}
	return cross(s.levelIn[mode], sum)
}

// asRead caches a Reading in a mode other than the session's own or with its panel, and the Reading that it was
// requested for.
type asRead struct {
	mode          string
	panel         bool
	after, became []byte
}

// inMode returns a Reading of a session in the mode that a client wants, with its panel if the client wants that. The
// engine is called once for all clients that want the same.
func (s *Server) inMode(of *session, mode string, panel bool, reading []byte) []byte {
	if !panel && (mode == "" || wire.MemberText(reading, "mode") == mode) {
		return reading
	}
	of.mu.Lock()
	last, from, allowance := of.otherMode, transcript.Session{}, of.allowance
	if of.origin != nil {
		from = of.origin.Session
	}
	of.mu.Unlock()
	if last.mode == mode && last.panel == panel && &last.after[0] == &reading[0] {
		return last.became
	}
	result, fault := s.readingOf(noRequest, of, mode, panel)
	if fault != nil {
		return reading // the session or the engine has ended, which is reported elsewhere
	}
	became := result
	if of.found {
		became = asFound(result, &from, allowance)
	}
	of.mu.Lock()
	of.otherMode = asRead{mode, panel, reading, became}
	of.mu.Unlock()
	return became
}

// hostRows returns the rows of a panel that only the daemon knows: the program that runs the session, and its
// transcript.
func (s *session) hostRows() []api.HostRow {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.origin == nil {
		return nil
	}
	var rows []api.HostRow
	if host := s.origin.Host; host != "" {
		rows = append(rows, api.HostRow{ID: "host", Value: host})
	}
	if ext := filepath.Ext(s.origin.Path); ext == ".jsonl" || ext == ".json" {
		rows = append(rows, api.HostRow{ID: "transcript", Value: s.origin.Path})
	}
	return rows
}
