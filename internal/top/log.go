// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

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
	Name func(string) string
	// Opening, if set, returns the first words of a session without a title.
	Opening   func(follow.Update) string
	Order     Order         // of the sessions that exist when the log begins
	IdleAfter time.Duration // see Board
	Now       func() time.Time
	Failed    func(error)

	mu       sync.Mutex // guards the fields below
	steps    map[string][]follow.Step
	shown    map[string]*lastShown
	begun    []terminal.Live // first lines that wait for the other sessions
	seen     map[string]bool // the sessions that were read or could not be
	expected int
	listed   bool // the first lines were printed
}

// Expect sets how many sessions there are besides sub-agents. Their first lines are printed together, in order, as soon
// as that many were read.
func (w *Log) Expect(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.expected = n; len(w.seen) >= n {
		w.list()
	}
}

// list prints the first lines that wait.
func (w *Log) list() {
	w.listed = true
	Sort(w.begun, w.Order, w.Now())
	for i := range w.begun {
		fmt.Fprintln(w.Out, w.begun[i].Fullness(w.Style))
	}
	w.begun = nil
}

// see notes that a session was read or cannot be.
func (w *Log) see(id string) {
	if w.listed {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	if w.seen[id] = true; w.expected > 0 && len(w.seen) >= w.expected {
		w.list()
	}
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
	if u.Session.Parent == "" && !w.JSON {
		defer w.see(u.ID)
	}
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
		l := LiveOf(u.ID, reading)
		l.Idle = l.Activity == "idle" || l.Activity == "ended" || w.Now().Sub(l.AsOf) > w.IdleAfter
		if l.Title == "" && w.Opening != nil {
			l.Title = w.Opening(u)
		}
		w.event(&l, u.First, r)
	}
}

// event prints that a session began, came near its compaction threshold, or was compacted.
func (w *Log) event(l *terminal.Live, first bool, r *api.Reading) {
	if w.shown == nil {
		w.shown = map[string]*lastShown{}
	}
	before := w.shown[l.ID]
	if before == nil {
		before = &lastShown{}
		w.shown[l.ID] = before
	}
	state, _ := r.LevelState()
	crossed, is := before.crossings.Next(state)
	switch {
	case first && !w.listed:
		w.begun = append(w.begun, *l)
	case first:
		fmt.Fprintln(w.Out, l.Fullness(w.Style))
	case r.Compaction.Count > before.compactions:
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
	before.percent, before.compactions = l.Display.Mark+l.Display.Percent, r.Compaction.Count
}
