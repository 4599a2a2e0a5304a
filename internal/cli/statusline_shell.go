// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// frontFlags are the flags of the command that the line depends on.
type frontFlags struct {
	here  bool
	dir   string
	since time.Duration
	mode  string
}

// runShellLine prints the line of a session without any input: the named one, else the current one.
func runShellLine(ctx context.Context, env *environment, f *statuslineFlags, word string) int {
	front := f.front
	front.mode = f.mode.value
	if !filepath.IsAbs(front.dir) {
		front.dir = filepath.Join(env.Dir, front.dir)
	}
	env.Dir = filepath.Clean(front.dir)
	if *f.refresh {
		front.find(ctx, env)
		return exitOK
	}
	defer collectNothing(env)()
	ctx, done := env.hurry(ctx)
	defer done()
	ctx, cancel := context.WithTimeout(ctx, *f.timeout)
	defer cancel()
	status, reading, age, err := shellReading(ctx, env, front, word)
	if err != nil {
		env.errorf("%s", plainly(err))
		if reading == nil {
			return exitError
		}
	}
	if *f.asJSON {
		if reading == nil {
			reading = []byte("null")
		}
		if err := env.printLine(reading); err != nil {
			return env.fail(err)
		}
		return exitOK
	}
	if reading == nil {
		return exitOK
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return env.fail(err)
	}
	if r.Branch == "" && strings.Contains(*f.template, "{branch}") {
		r.Branch = branchOf(nil, status.workspace)
	}
	told := state.LimitsIn(env.host().CacheDir()).Of(status.agent, status.session)
	words := append(wordsOf(r, env.Now()), (&agentFields{}).words(told, status.workspace, env.Now())...)
	r = withBounds(r, f.warn, f.alarm)
	style := f.style(env)
	if style.Color && env.Now().Sub(status.found.Modified) > process.IdleAfter {
		r.Compaction.Level = "" // an idle session never alerts
	}
	line, err := terminal.Line(*f.template, r, age, style, words...)
	if err != nil {
		return env.fail(err)
	}
	if age != "" && !strings.Contains(*f.template, "{age}") {
		line += " (" + age + " old)"
	}
	if f.look.color.value == "tmux" {
		line = terminal.Tmux(line)
	}
	if err := env.printLine([]byte(line)); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// shellReading returns the Reading of the named session or the current one, or nil. If it cannot be read,
// the Reading is the last good one, with its age.
func shellReading(ctx context.Context, env *environment, f frontFlags, word string) (status *agentStatus, reading []byte, age string, err error) {
	var kept *transcript.Kept
	if word == "" {
		kept, err = f.front(ctx, env)
	} else if s, _, chosen := chooseSession(ctx, env, word); chosen == nil {
		named := s.Keep()
		kept = &named
	} else {
		err = chosen
	}
	if kept == nil {
		return nil, nil, "", err
	}
	status = &agentStatus{face: "shell", agent: kept.Agent, version: kept.Version, session: kept.ID, workspace: kept.Workspace, mode: f.mode, kept: kept}
	status.window = windowOf(env, transcript.Session{Agent: kept.Agent, ID: kept.ID})
	if status.found, err = kept.Session(); err != nil {
		return nil, nil, "", nil // it was removed; the next run finds another
	}
	session, notes := status.remembered(), env.lastReadings()
	select {
	case a := <-status.answer(ctx, env):
		if err = a.err; err == nil && a.reading != nil {
			notes.Keep(session, a.reading, a.stamp, a.taught, nil)
			return status, a.reading, "", nil
		}
	case <-ctx.Done():
		err = errors.New("reading the session took too long")
	}
	if last, at := notes.Last(session); last != nil {
		return status, last, terminal.Age(env.Now().Sub(at)), nil
	}
	return status, nil, "", err
}
