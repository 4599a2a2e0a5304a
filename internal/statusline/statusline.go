// Copyright The ctx-lsp authors. MIT licence.

// Package statusline makes the one line that an agent's status line or a shell's prompt shows of a session.
//
// An agent sends a message about its session on standard input; a shell sends nothing, and the line is about the
// current session. In both cases there are only milliseconds. So results are kept between runs, and if the session
// cannot be read in time, the last good Reading is shown with its age.
package statusline

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Program is the process that prints the line, and its environment.
type Program struct {
	Machine *follow.Machine
	Dir     string // the working directory
	Now     func() time.Time
	// Processes lists processes; nil for those of this system.
	Processes process.System
	Getenv    func(string) string
	Environ   []string
	// Input returns the stream with the agent's message.
	Input func() io.Reader
	// Version identifies the program's daemons. Build also changes with the format of ledgers.
	Version, Build string
	// Refuses returns an error for an agent whose sessions may not be read, RefusesPath for one of its files.
	Refuses     func(agent string) error
	RefusesPath func(path string) error
	// Engine starts an engine. A brief one computes only what a line shows.
	Engine func(brief bool) (*engine.Pool, error)
	// Failed is called with errors that do not prevent a line, Late with the paths that did not respond in time.
	Failed func(error)
	Late   func([]sessions.Problem)
	// Named finds the session that a user names.
	Named func(ctx context.Context, word string) (transcript.Session, error)

	// DaemonPatience is how long a daemon may take to respond; 0 for the default.
	DaemonPatience time.Duration
	// BeforeReading, if set, is called before a session is read. Tests make it hang.
	BeforeReading func()
	// HasTime, if set, replaces the clock in deciding whether to continue reading the whole transcript. For tests.
	HasTime func() bool
}

// lastReadings returns the notes with the last good Reading of each session.
func (p *Program) lastReadings() state.Notes {
	return state.NotesIn(p.Machine.Host.CacheDir(), "statusline")
}

// windows returns the windows that agents have reported.
func (p *Program) windows() state.ReportedWindows {
	return state.ReportedWindowsIn(p.Machine.Host.StateDir())
}

// learned returns the corrections learned from earlier sessions.
func (p *Program) learned() *state.Learned { return state.OpenLearned(p.Machine.Host.StateDir()) }

// A Line is the content of a status line.
type Line struct {
	Reading []byte // nil if nothing is known
	Age     string // how old the Reading is; "" for a current one
	// Unfinished is set if the transcript could not be read in time; a later line will show its number.
	Unfinished bool

	program *Program
	session *session // nil if a shell's session is unknown
}

// Agent returns the line of the session that the agent's message is about. With an error it may still have an old
// Reading.
func (p *Program) Agent(ctx context.Context, mode string) (*Line, error) {
	l := &Line{program: p, session: &session{mode: mode}}
	s, err := p.readMessage(ctx)
	if err != nil {
		return l, err
	}
	l.session, s.mode = s, mode
	p.windows().Keep(transcript.Session{Agent: s.agent, ID: s.id, Modified: s.written()}, s.window, s.model, s.prompt(), p.Now())
	state.LimitsIn(p.Machine.Host.CacheDir()).Keep(s.agent, s.id, agents.StatusLineLimits(s.message, p.Now()))
	select {
	case a := <-p.answer(ctx, s):
		l.Unfinished = errors.Is(a.err, errUnfinished)
		if err = a.err; err == nil && a.reading != nil {
			p.lastReadings().Keep(s.key(), a.reading, a.stamp, a.lessons, a.place())
			l.Reading = a.reading
			return l, nil
		}
	case <-ctx.Done():
		err = errors.New("reading the transcript took too long")
		if l.Reading = p.fromMessageAlone(s); l.Reading != nil {
			return l, err
		}
	}
	l.last()
	return l, err
}

// last shows the last good Reading of the session, with its age.
func (l *Line) last() {
	if reading, at := l.program.lastReadings().Last(l.session.key()); reading != nil {
		l.Reading, l.Age = reading, terminal.Age(l.program.Now().Sub(at))
	}
}

// Look sets how a line is drawn.
type Look struct {
	Template    string
	Style       terminal.Style
	Warn, Alarm Bound
	Tmux        bool // colors in the notation of tmux
}

// DefaultTemplate is the template of users who have not set one.
const DefaultTemplate = terminal.DefaultTemplate + "[ · {back}]"

// Check returns what is wrong with a template.
func (p *Program) Check(look Look, shell bool) error {
	words := fieldsOf(nil, "", p.Now())
	if shell {
		words = (&agentFields{}).words(nil, "", p.Now())
	}
	_, err := terminal.Line(look.Template, &api.Reading{}, "", look.Style, append(wordsOf(nil, p.Now()), words...)...)
	return err
}

// ForAgent draws the line that an agent shows. There is always one.
func (l *Line) ForAgent(look Look) string {
	s, now := l.session, l.program.Now()
	words := fieldsOf(s.message, s.workspace, now)
	r, err := terminal.Parse(l.Reading)
	switch {
	case err == nil && l.Reading != nil:
		if r.Model == "" {
			r.Model = s.model // the agent reports it before an answer names it
		}
		return l.draw(look, r, words)
	case s.mode == "provider":
		nothing := terminal.Nothing("")
		nothing.Model = s.model
		line, _ := terminal.Line(look.Template, nothing, "", look.Style, append(wordsOf(nil, now), words...)...)
		return line
	}
	number := "?"
	if l.Unfinished {
		if number = "..."; look.Style.Unicode {
			number = "…"
		}
	}
	if s.model != "" {
		return look.Style.Clean(s.model) + " ctx " + number
	}
	return "ctx " + number
}

// ForShell draws the line that a shell's prompt or another bar shows; "" if nothing is known.
func (l *Line) ForShell(look Look) string {
	r, err := terminal.Parse(l.Reading)
	if err != nil || l.Reading == nil {
		return ""
	}
	s, now := l.session, l.program.Now()
	limits := state.LimitsIn(l.program.Machine.Host.CacheDir()).Of(s.agent, s.id)
	line := l.draw(look, r, (&agentFields{}).words(limits, s.workspace, now))
	if look.Tmux {
		line = terminal.Tmux(line)
	}
	return line
}

// draw draws a Reading.
func (l *Line) draw(look Look, r *api.Reading, words terminal.Words) string {
	now := l.program.Now()
	if r.Branch == "" && strings.Contains(look.Template, "{branch}") {
		r.Branch = branchOf(l.session.message, l.session.workspace)
	}
	words = append(wordsOf(r, now), words...)
	r = WithBounds(r, look.Warn, look.Alarm)
	if l.session.use == shellUse && look.Style.Color && now.Sub(l.session.found.Modified) > process.IdleAfter {
		r.Compaction.Level = "" // an idle session never alerts
	}
	line, _ := terminal.Line(look.Template, r, l.Age, look.Style, words...) // Check has seen the template
	if l.Age != "" && !strings.Contains(look.Template, "{age}") {
		line += " (" + l.Age + " old)"
	}
	return line
}
