// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A Log prints a line for each event of a session: for screen readers, for terminals without cursor control, and, as
// JSON, for programs.
type Log struct {
	Out   io.Writer
	Style terminal.Style
	JSON  bool // prints whole Readings
	Steps bool // prints the measured requests, too
	// InMode returns the Reading of the same session in the mode that the user wants.
	InMode func(ctx context.Context, reading []byte) ([]byte, error)
	// Name prepares the id of a session for the reader.
	Name   func(string) string
	Failed func(error)

	mu    sync.Mutex // guards the fields below
	steps map[string][]follow.Step
	shown map[string]*lastShown
}

// lastShown is what was last printed about a session.
type lastShown struct {
	crossings   core.Crossings
	percent     string
	compactions int64
	moved       api.ThresholdMove // the last change of the threshold
}

// Prepare collects a session's measured requests if they are printed.
func (w *Log) Prepare(f *follow.Feed) {
	if !w.Steps {
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

// Update prints a change. Several goroutines may call it.
func (w *Log) Update(u follow.Update) {
	w.mu.Lock()
	defer w.mu.Unlock()
	steps := w.steps[u.ID]
	delete(w.steps, u.ID)
	if u.Problem != "" {
		w.Failed(fmt.Errorf("%s: %s", u.Session.Path, u.Problem))
	}
	if u.Removed {
		delete(w.shown, u.ID)
	}
	if u.Reading == nil {
		return
	}
	reading, err := w.InMode(context.Background(), u.Reading)
	if err != nil {
		w.Failed(err)
		return
	}
	if w.JSON {
		fmt.Fprintf(w.Out, "%s\n", reading) // without a reader the pipe ends the command
		return
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		w.Failed(err)
		return
	}
	if !u.First { // what happened before the watch began is not shown
		for _, step := range steps {
			fmt.Fprintln(w.Out, terminal.StepLine(step.Predicted, step.Actual, step.Error, step.Percent, r.Accuracy.Ratio)+" "+w.Name(step.Session))
		}
	}
	if u.Session.Parent == "" {
		w.event(u.ID, u.First, reading, r)
	}
}

// event prints that a session began, came near its compaction threshold, or was compacted.
func (w *Log) event(id string, first bool, reading []byte, r *api.Reading) {
	l := LiveOf(id, reading)
	if w.shown == nil {
		w.shown = map[string]*lastShown{}
	}
	before := w.shown[id]
	if before == nil {
		before = &lastShown{}
		w.shown[id] = before
	}
	level, _ := core.LevelOf(string(r.Compaction.Level))
	activity, _ := core.ActivityOf(string(r.Activity))
	state := core.LevelState{Level: level, Fullness: core.Unknown, Live: activity.Live(), Compactions: r.Compactions}
	if p := r.Compaction.Percent; p != nil {
		state.Fullness = int64(*p)
	} else if r.Percent != nil {
		state.Fullness = int64(*r.Percent)
	}
	crossed, is := before.crossings.Next(state)
	switch {
	case first:
		fmt.Fprintln(w.Out, l.Fullness(w.Style))
	case r.Compactions > before.compactions:
		fmt.Fprintln(w.Out, l.Compacted(w.Style, before.percent))
	case is && crossed.Up:
		fmt.Fprintln(w.Out, l.Rose(w.Style, r.Compaction.Level))
	}
	if m := r.Compaction.Moved; m != nil {
		if last := &before.moved; !first && (m.Call != last.Call || m.To != last.To) {
			fmt.Fprintln(w.Out, l.Moved(w.Style, m))
		}
		before.moved = *m
	}
	before.percent, before.compactions = l.Display.Mark+l.Display.Percent, r.Compactions
}
