// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// history is the course of the whole session. Nothing of it enters used.
type history struct {
	spent       Spent
	compactions int64
	// justCompacted is true from a compaction until the next request.
	justCompacted bool
	earlier       Pace   // of earlier sessions in this workspace
	growth        series // of the prompt, from request to request
	curve         curve
	verdicts      []Verdict  // the last compactions
	steps         []StepMade // predictions since TakeSteps; kept while Recording
	foreseen      *foreseen  // the forecast before a pause is over, likewise
	landing       *Range     // where the last compaction was said to lead, likewise
}

// requested notes that a prompt was measured.
func (h *history) requested(in int64) {
	if h.justCompacted {
		h.curve.setLanding(in)
		h.setLeft(in, Measured)
	}
}

// compacted notes a compaction of so many tokens.
func (h *history) compacted(time, before int64, auto bool) {
	h.compactions++
	h.justCompacted = true
	h.curve.compacted(time, h.spent.Calls, before, auto)
}

func (h *history) walk(c *codec.Codec) {
	c.Ints("compactions", &h.compactions)
	c.Bools("justCompacted", &h.justCompacted)
	h.spent.walk(c.Part("spent"))
	h.growth.walk(c.Part("growth"))
	h.earlier.walk(c.Part("earlier"))
	h.curve.walk(c.Part("curve"))
	codec.List(c, "verdicts", &h.verdicts, verdictsKept, (*Verdict).walk)
}

// Curve is the course of the session so far.
func (s *Session) Curve() ([]Point, []Landing) {
	return s.history.curve.points, s.history.curve.landings
}
