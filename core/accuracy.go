// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// StepMade is one prediction and what came of it.
type StepMade struct {
	Call              int64
	Kind              string // tool, user, resume, compaction, model
	Model             string
	Predicted, Actual int64
	// Low and High are the range that was stated around the prediction.
	Low, High int64
	// Texts is what was counted or estimated of the texts that were new, before
	// any correction, and Held what the request held of them. Both are 0 unless
	// the step tells how well texts are counted: one of the tool loop, in which
	// nothing else had to be guessed.
	Texts, Held int64
	// Redacted is true where a text that was new had been redacted in the
	// transcript, so that nobody could have foreseen its length.
	Redacted bool
	// Turn is that of the request, by its number.
	Turn int64
	// Landing is where a compaction was said to lead, for the first request
	// after it; nil where nothing was said.
	Landing *Range
	// Forecasts are what was said, once the request was measured, of the calls
	// and turns that fit below some lines.
	Forecasts []Forecast
	// Return is the forecast before a pause that this request ended; nil without one.
	Return *Return
}

// Error is how far the prediction was off, in tokens and in hundredths of a
// percent; positive when too much was predicted.
func (s StepMade) Error() (tokens, percent int64) {
	tokens = s.Predicted - s.Actual
	return tokens, hundredths(tokens, s.Actual)
}

const errorsKept = 128

// record is the session's account of its own predictions.
type record struct {
	last   StepMade
	cause  Text // why the last one missed
	any    bool
	steps  int64
	errors [errorsKept]int64 // absolute, in tokens
	shares [errorsKept]int64 // absolute, in hundredths of a percent
	newest int               // of the last step in these rings

	median, p90, p95, p95Share int64 // of the errors kept
}

func (r *record) add(step StepMade, cause Text) {
	r.last, r.cause, r.any = step, cause, true
	r.newest = int(r.steps % errorsKept)
	r.steps++
	r.sumUp()
}

// first records the first request of a session. What was shown before it was
// no prediction from a measured prompt, so that its error is the last one but
// in no percentile.
func (r *record) first(step StepMade, cause Text) { r.last, r.cause, r.any = step, cause, true }

// correct amends the last step when its request is reported again.
func (r *record) correct(actual int64) {
	if r.any && r.last.Actual != actual {
		r.last.Actual = actual
		if r.steps > 0 {
			r.sumUp()
		}
	}
}

// sumUp writes the error of the last step, and sums up those that are kept.
func (r *record) sumUp() {
	miss := distance(r.last.Predicted, r.last.Actual)
	r.errors[r.newest] = miss
	r.shares[r.newest] = hundredths(miss, r.last.Actual)
	n := int(min(r.steps, errorsKept))
	var sorted [errorsKept]int64
	copy(sorted[:], r.errors[:n])
	slices.Sort(sorted[:n])
	r.median, r.p90, r.p95 = sorted[quantile(n, 50)], sorted[quantile(n, 90)], sorted[quantile(n, 95)]
	copy(sorted[:], r.shares[:n])
	slices.Sort(sorted[:n])
	r.p95Share = sorted[quantile(n, 95)]
}

// quantile is the index of a quantile among n sorted values, by nearest rank.
func quantile(n, percent int) int {
	return max((n*percent+99)/100-1, 0)
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

func (r *record) walk(c *codec.Codec) {
	c.Ints("last.Call last.Predicted last.Actual", &r.last.Call, &r.last.Predicted, &r.last.Actual)
	c.Names("last.Kind last.Model", &r.last.Kind, &r.last.Model)
	c.Texts("cause", &r.cause)
	c.Ints("steps median p90 p95 p95Share", &r.steps, &r.median, &r.p90, &r.p95, &r.p95Share)
	c.Refuse(r.steps < 0)
	c.Bools("any", &r.any)
	codec.Within(c, "newest", &r.newest, 0, errorsKept-1)
	c.Array("errors", r.errors[:])
	c.Array("shares", r.shares[:])
}

// TakeSteps returns the steps recorded since the last call.
func (s *Session) TakeSteps() []StepMade {
	out := s.history.steps
	s.history.steps = nil
	return out
}
