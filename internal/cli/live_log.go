// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/top"
)

// A liveLog prints what happens to sessions, a line for each event: for people who hear their terminal, for terminals
// that cannot be drawn on, and, as JSON, for programs.
type liveLog struct {
	live *live
	json bool

	mu    sync.Mutex // guards the fields below
	steps map[string][]follow.Step
	told  map[string]*told
}

// told is what was last said of a session.
type told struct {
	crossings   core.Crossings
	percent     string
	compactions int64
}

// prepare has a session's metered requests noted where they are printed.
func (w *liveLog) prepare(f *follow.Feed) {
	if !*w.live.flags.log {
		return
	}
	id := f.ID
	f.OnStep = func(step follow.Step) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.steps == nil {
			w.steps = map[string][]follow.Step{}
		}
		w.steps[id] = append(w.steps[id], step)
	}
}

// update is called for every change, by several goroutines.
func (w *liveLog) update(u follow.Update) {
	w.mu.Lock()
	defer w.mu.Unlock()
	env := w.live.env
	steps := w.steps[u.ID]
	delete(w.steps, u.ID)
	if u.Problem != "" {
		env.errorf("%s: %s", u.Session.Path, u.Problem)
	}
	if u.Gone {
		delete(w.told, u.ID)
	}
	if u.Reading == nil {
		return
	}
	reading, err := client.Call(w.live.engine.Call).InMode(context.Background(), u.Reading, w.live.flags.mode.value)
	if err != nil {
		env.errorf("%s", err)
		return
	}
	if w.json {
		_ = env.printLine(reading) // if the reader of the pipe has gone, the pipe ends the command
		return
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		env.errorf("%s", err)
		return
	}
	if !u.First { // what happened before the watch began is not shown
		for _, step := range steps {
			fmt.Fprintln(env.Stdout, terminal.StepLine(step.Predicted, step.Actual, step.Error, step.Percent, r.Accuracy.Ratio)+" "+env.name(step.Session))
		}
	}
	if u.Session.Parent == "" {
		w.event(u.ID, u.First, reading, r)
	}
}

// event prints what is worth telling: a session that begins, a line that comes near, a compaction.
func (w *liveLog) event(id string, first bool, reading []byte, r *api.Reading) {
	l := top.LiveOf(id, reading)
	style := w.live.flags.look.style(w.live.env)
	if w.told == nil {
		w.told = map[string]*told{}
	}
	before := w.told[id]
	if before == nil {
		before = &told{}
		w.told[id] = before
	}
	level, _ := core.LevelOf(string(r.Compaction.Level))
	activity, _ := core.ActivityOf(string(r.Activity))
	standing := core.Standing{Level: level, Fullness: core.Unknown, Live: activity.Live(), Compactions: r.Compactions}
	if p := r.Compaction.Percent; p != nil {
		standing.Fullness = int64(*p)
	} else if r.Percent != nil {
		standing.Fullness = int64(*r.Percent)
	}
	crossed, is := before.crossings.Follow(standing)
	out := w.live.env.Stdout
	switch {
	case first:
		fmt.Fprintln(out, l.Standing(style))
	case r.Compactions > before.compactions:
		fmt.Fprintln(out, l.Compacted(style, before.percent))
	case is && crossed.Up:
		fmt.Fprintln(out, l.Rose(style, r.Compaction.Level))
	}
	before.percent, before.compactions = l.Display.Mark+l.Display.Percent, r.Compactions
}
