// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/top"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// liveFlags are the flags of the commands that follow sessions.
type liveFlags struct {
	sort                         *choice // the order of the table; nil for a command without one
	json, here, fresh, log, hide *bool
	since                        *time.Duration
	mode                         *choice
	look                         outputFlags
	otlp                         *collector
	project                      *choice // the flags of --otlp
}

func newLiveFlags(fs *pflag.FlagSet) liveFlags {
	f := liveFlags{
		otlp:  &collector{},
		here:  fs.Bool("here", false, "show only this workspace's sessions"),
		since: fs.Duration("since", 24*time.Hour, "show sessions up to this `AGE`"),
		mode:  modeFlag(fs),
		fresh: fs.Bool("no-learned", false, "do not use corrections learned from earlier sessions, and do not learn from these"),
		hide:  hidePathsFlag(fs),
		log:   fs.Bool("log", false, "print events, and each measured request with its prediction"),
	}
	fs.Lookup("since").DefValue = "24h"
	fs.Var(f.otlp, "otlp", "also send measurements to this `URL`, or to the one in OTEL_EXPORTER_OTLP_ENDPOINT (docs/telemetry.md)")
	fs.Lookup("otlp").NoOptDefVal = "true"
	f.project = projectFlag(fs)
	f.json = jsonFlag(fs, "print one Reading per line whenever one changes, as in a pipe")
	f.look = lookFlags(fs)
	return f
}

// age returns the value of --since, in minutes if it is not in whole hours.
func (f liveFlags) age() string {
	if *f.since%time.Hour != 0 && *f.since%time.Minute == 0 {
		return fmt.Sprintf("%dm", *f.since/time.Minute)
	}
	return terminal.Age(*f.since)
}

// A live follows sessions, and shows them on a screen, as events, or as JSON.
type live struct {
	env      *environment
	flags    liveFlags
	engine   engine.Engine
	finder   *sessions.Finder
	follower *follow.Follower
	only     *transcript.Session // the only session to follow; nil for all
	meter    *telemetry.Meter
	openings conversation.Openings // names for the screen
}

// shows is the way in which sessions are shown.
type shows int

const (
	onScreen shows = iota
	asEvents
	asJSON
)

// way returns how sessions are shown: on a screen if the terminal can draw one, as events if requested, and as JSON for
// programs.
func (f liveFlags) way(env *environment) shows {
	switch {
	case *f.json:
		return asJSON
	case *f.look.plain || *f.log:
		return asEvents
	case !env.StdoutTerminal:
		return asJSON
	case env.Getenv("TERM") == "dumb":
		return asEvents
	}
	return onScreen
}

// runLive follows the named session, or all live ones.
func runLive(ctx context.Context, env *environment, f liveFlags, word string) int {
	env.hidePaths = env.hidePaths || *f.hide
	e, err := nativeEngine(env, 0)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	if !*f.fresh {
		if err := teach(ctx, env, e); err != nil {
			env.errorf("%s", err) // the sessions are shown without it
		}
		// A named session may be third-party, so no corrections of limits are learned from it.
		defer keepLearned(context.WithoutCancel(ctx), env, e, word == "")
	}
	l := &live{env: env, flags: f, engine: e, finder: sessions.NewFinder(env.host())}
	if word != "" {
		s, _, err := chooseSession(ctx, env, word)
		if err != nil {
			return env.chooseFailed(err)
		}
		l.only = &s
	}
	way := f.way(env)
	if f.otlp.on {
		sender, err := l.measure(ctx, way)
		if err != nil {
			return env.fail(err)
		}
		defer closeTelemetry(l.meter, sender)
	}
	switch way {
	case onScreen:
		err = l.screen(ctx)
	default:
		out := env.Stdout
		if way == asJSON {
			out = env.jsonOut()
		}
		log := &top.Log{
			Out: out, Style: f.look.style(env), JSON: way == asJSON, Steps: *f.log, Name: env.name,
			InMode: func(ctx context.Context, reading []byte) ([]byte, error) {
				return client.Call(e.Call).InMode(ctx, reading, f.mode.value)
			},
			Opening:   func(u follow.Update) string { return l.openings.Of(ctx, u.Session) },
			IdleAfter: process.IdleAfter,
			Now:       env.Now,
			Failed:    func(err error) { env.errorf("%s", err) },
		}
		if f.sort != nil {
			log.Order = top.Orders[f.sort.value]
		}
		l.newFollower(log.Update, log.Prepare)
		l.follower.OnSearched = func() {
			l.noteNoSession()
			log.Expect(l.parents())
			time.AfterFunc(patienceForFirst, func() { log.Expect(0) })
		}
		err = l.follower.Run(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return env.fail(err)
	}
	return exitOK
}

// patienceForFirst is how long the first lines of the log wait for the sessions that are still being read.
const patienceForFirst = 3 * time.Second

// noteNoSession reports an empty list in a pipe or a log, which otherwise print nothing.
func (l *live) noteNoSession() {
	if len(l.follower.Sessions()) > 0 {
		return
	}
	of := ""
	if *l.flags.here {
		of = " of this workspace"
	}
	l.env.errorf("no session%s has changed in the last %s; waiting for one (Ctrl-C ends)", of, l.flags.age())
}

// newFollower creates the follower and does not start it.
func (l *live) newFollower(update func(follow.Update), prepare func(*follow.Feed)) {
	machine := l.env.machine()
	l.follower = follow.NewFollower(l.finder, l.engine.Call, l.measured(update))
	l.follower.Windows = l.env.windows()
	l.follower.Prepare = func(f *follow.Feed) {
		machine.Prepare(f)
		if prepare != nil {
			prepare(f)
		}
	}
	if l.only != nil {
		l.follower.Only(*l.only)
		return
	}
	query := sessions.Query{Since: l.env.Now().Add(-*l.flags.since)}
	if *l.flags.here {
		query.Workspace = l.env.Dir
	}
	l.follower.Want(query)
}

// pace is the pause after reading a followed session, for each followed session; see [follow.Follower.Pace].
const pace = 40 * time.Millisecond

// screen shows the sessions on the whole terminal.
func (l *live) screen(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	board := top.NewBoard(process.IdleAfter, process.AbsentAfter)
	l.newFollower(func(u follow.Update) { l.showUpdate(ctx, board, u) }, nil)
	l.follower.Pace = pace
	screen := &top.Screen{
		Board: board, Style: l.flags.look.style(l.env), Now: l.env.Now,
		Details: func(id string) (*top.Details, error) { return l.details(ctx, id) },
		Empty:   "No agent has been active on this machine in the last " + l.flags.age() + ". Sessions appear here as soon as one starts; --since=72h includes older ones, and ctx-lsp doctor lists the searched directories.",
	}
	if l.flags.sort != nil {
		screen.Order = top.Orders[l.flags.sort.value]
	}
	screen.Show = func(what top.Shown, session, argument string) tea.Cmd { return l.show(ctx, what, session, argument) }
	screen.Searching = func() bool { return !l.follower.Searched() }
	if l.only != nil {
		screen.Page, screen.Alone = l.only.ID, true
	} else {
		board.Expect(l.parents)
	}
	profile := colorprofile.ASCII
	if screen.Style.Color {
		profile = colorprofile.ANSI
	}
	program := tea.NewProgram(screen, tea.WithContext(ctx), tea.WithOutput(l.env.Stdout), tea.WithFPS(framesASecond), tea.WithColorProfile(profile))
	var followed error
	var wait sync.WaitGroup
	wait.Add(2)
	go func() {
		defer wait.Done()
		if followed = l.follower.Run(ctx); followed != nil && ctx.Err() == nil {
			program.Quit()
		}
	}()
	go func() {
		defer wait.Done()
		l.lookAtProcesses(ctx, board)
	}()
	_, err := program.Run()
	ended := ctx.Err() != nil
	stop()
	wait.Wait()
	switch {
	case ended, errors.Is(err, tea.ErrInterrupted):
		return nil
	case err == nil && !errors.Is(followed, context.Canceled):
		return followed
	}
	return err
}

// framesASecond limits how often the terminal is drawn; a key takes effect within one frame.
const framesASecond = 15

// parents counts the followed sessions that are not sub-agents.
func (l *live) parents() (n int) {
	for _, s := range l.follower.Sessions() {
		if s.Parent == "" {
			n++
		}
	}
	return n
}

// showUpdate adds changes to the board. Sub-agents appear on the pages of their parents.
func (l *live) showUpdate(ctx context.Context, board *top.Board, u follow.Update) {
	switch {
	case u.Session.Parent != "" && l.only == nil:
	case u.Removed:
		board.Forget(u.ID)
	case u.Problem != "":
		board.Fail(u.ID, u.Session.Agent, u.Problem)
	case u.Reading != nil:
		reading, err := client.Call(l.engine.Call).InMode(ctx, u.Reading, l.flags.mode.value)
		if err != nil {
			board.Fail(u.ID, u.Session.Agent, err.Error())
			return
		}
		if wire.MemberText(reading, "title") == "" {
			reading = conversation.WithOpening(reading, l.openings.Of(ctx, u.Session))
		}
		board.Update(u.ID, u.Session.ID, u.Session.Agent, u.Session.Workspace, u.Session.Modified, reading)
	}
}

// pagePoints is the largest number of points in the chart of a page.
const pagePoints = 400

// details reads the contents of a session's page.
func (l *live) details(ctx context.Context, id string) (*top.Details, error) {
	call := client.Call(l.engine.Call)
	reading, err := call.Reading(ctx, &api.ReadingParams{ID: id, Mode: api.Mode(l.flags.mode.value), Panel: true}).Read()
	if err != nil && l.follower.Searched() && !slices.ContainsFunc(l.follower.Sessions(), func(s transcript.Session) bool { return s.ID == id }) {
		return nil, errors.New("The transcript of this session was removed.")
	}
	if err != nil {
		return nil, fmt.Errorf("the session is still being read: %w", err)
	}
	points := int64(pagePoints)
	history, err := call.History(ctx, &api.HistoryParams{ID: id, Points: &points}).Read()
	if err != nil {
		return nil, err
	}
	return &top.Details{Reading: reading, History: history}, nil
}

// processesEvery is how often the agents' processes are listed.
const processesEvery = 15 * time.Second

// lookAtProcesses periodically updates the board with the sessions that processes run.
func (l *live) lookAtProcesses(ctx context.Context, board *top.Board) {
	cleared := map[string]bool{}
	for wait := 2 * time.Second; ; wait = processesEvery {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		var known []process.Session
		for _, s := range l.follower.Sessions() {
			if s.Parent != "" {
				continue
			}
			if _, looked := cleared[s.ID]; !looked && agents.WritesClaims(s.Agent) {
				cleared[s.ID] = agents.Cleared(s.Agent, s.Path)
			}
			last := s.Modified
			if info, err := os.Stat(s.Path); err == nil && s.Key == "" {
				last = info.ModTime()
			}
			known = append(known, process.Session{ID: s.ID, Agent: s.Agent, Path: s.Path, Dir: s.Workspace, Begun: s.Started, Last: last, Cleared: cleared[s.ID]})
		}
		absent := map[string]bool{}
		processes := process.Agents(l.env.processes())
		holdings := process.Resolve(processes, process.Claims(l.finder.Environment()), known)
		for _, s := range known {
			absent[s.ID] = process.Absent(processes, holdings, s.Agent, s.Dir)
		}
		board.Held(process.Held(holdings), absent)
	}
}
