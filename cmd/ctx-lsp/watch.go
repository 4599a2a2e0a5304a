// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "watch",
		summary: "a workspace's sessions, live",
		usage: `  ctx-lsp watch                    the sessions of this workspace
  ctx-lsp watch 0197f1c2           one session by its id, or the beginning of it
  ctx-lsp watch transcript.jsonl   one transcript
  ctx-lsp watch --all              every session on this machine that is alive, the newest 500
  ctx-lsp watch --json             a Reading a line, whenever one changes

On a terminal it shows the session that changed last. Each metered request is
logged as one line of numbers:

  estimate 5120 actual 5115 error +5 (+0.1 %) ratio 1.07

Flags:
  --all                  not only this workspace
  --since=DURATION       how old a session may be to be alive (24h)
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --no-learned           neither use what earlier sessions have taught nor learn from these
  --plain                ASCII and no colour
  --color=auto|always|never

It runs until it is interrupted.
`,
		run: runWatch,
	})
}

func runWatch(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("watch")
	asJSON := fs.Bool("json", false, "a Reading a line")
	all := fs.Bool("all", false, "not only this workspace")
	since := fs.Duration("since", 24*time.Hour, "how old a session may be")
	fresh := fs.Bool("no-learned", false, "neither use what earlier sessions have taught nor learn from these")
	mode := modeFlag(fs)
	look := lookFlags(fs)
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case word != "" && *all:
		err = errors.New("it takes a session or --all, not both")
	}
	if err != nil {
		return env.usageError("watch", err)
	}
	e, err := nativeEngine(env, 0)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	if !*fresh {
		if err := teach(ctx, env, e); err != nil {
			env.errorf("%s", err) // the watch works without it
		}
		defer keepLearned(context.WithoutCancel(ctx), env, e)
	}
	w := &watcher{env: env, engine: e, style: look.style(env), mode: mode.value, json: *asJSON, live: env.StdoutTerminal && !*asJSON}
	follower := source.NewFollower(source.NewFinder(env.host()), e.Call, w.update)
	follower.Prepare = w.prepare
	query := source.Query{Since: env.Now().Add(-*since)}
	switch {
	case word != "":
		s, _, err := chooseSession(ctx, env, word)
		if err != nil {
			return env.chooseFailed(err)
		}
		follower.Only(s)
	case *all:
		follower.Want(query)
	default:
		query.Workspace = env.Dir
		newest := source.Query{Workspace: env.Dir, Limit: 1}
		follower.Want(query, newest)
	}
	if w.live {
		fmt.Fprintln(env.Stderr, "ctx-lsp: watching; interrupt to end")
	}
	if err := follower.Run(ctx); err != nil && ctx.Err() == nil {
		return env.fail(err)
	}
	return exitOK
}

// watcher prints what a follower reports.
type watcher struct {
	env    *environment
	engine engine.Engine
	style  terminal.Style
	mode   string
	json   bool
	live   bool // the last overlay is drawn over

	mu    sync.Mutex // guards the fields below
	steps map[string][]source.Step
	drawn int // lines of the overlay on the screen
}

func (w *watcher) prepare(f *source.Feed) {
	f.Settings = source.Settings(w.env.host(), f.Session.Agent, f.Session.Workspace)
	id := f.ID
	f.OnStep = func(step source.Step) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.steps == nil {
			w.steps = map[string][]source.Step{}
		}
		w.steps[id] = append(w.steps[id], step)
	}
}

// update is called for every change, by several goroutines.
func (w *watcher) update(u source.Update) {
	w.mu.Lock()
	defer w.mu.Unlock()
	steps := w.steps[u.ID]
	delete(w.steps, u.ID)
	if u.Problem != "" {
		w.erase()
		w.env.errorf("%s: %s", u.Session.Path, u.Problem)
	}
	if u.Reading == nil {
		return
	}
	reading, err := inMode(context.Background(), w.engine, u.Reading, w.mode)
	var r *api.Reading
	if err == nil {
		r, err = terminal.Parse(reading)
	}
	if err != nil {
		w.erase()
		w.env.errorf("%s", err)
		return
	}
	if w.json {
		_ = w.env.printLine(reading) // if the reader of the pipe has gone, the pipe ends the command
		return
	}
	w.erase()
	if u.First {
		steps = nil // what happened before the watch began is not shown
	}
	for _, step := range steps {
		fmt.Fprintln(w.env.Stdout, terminal.StepLine(step.Predicted, step.Actual, step.Error, step.Percent, r.Accuracy.Ratio)+" "+w.env.name(step.Session))
	}
	if w.live {
		var b strings.Builder
		_ = terminal.Overlay(&b, r, w.style) // writing to a strings.Builder cannot fail
		fmt.Fprint(w.env.Stdout, b.String())
		w.drawn = strings.Count(b.String(), "\n")
	} else if u.First {
		fmt.Fprintln(w.env.Stdout, terminal.Summary(r)+" "+w.env.name(r.Session))
	}
}

// erase removes the overlay from the screen, so that lines scroll above it.
func (w *watcher) erase() {
	if w.drawn > 0 {
		fmt.Fprintf(w.env.Stdout, "\x1b[%dA\x1b[J", w.drawn)
		w.drawn = 0
	}
}
