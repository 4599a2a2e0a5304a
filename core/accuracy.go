// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// StepMade is one prediction and its outcome.
type StepMade struct {
	Call              int64
	Kind              string // tool, user, resume, compaction, model
	Model             string
	Predicted, Actual int64
	// Low and High are the range given with the prediction.
	Low, High int64
	// Texts is the size of the new texts as counted or estimated, before any correction, and Held is their size in the
	// request. Both are 0 unless the step shows how well texts are counted: a step of the tool loop in which nothing
	// else had to be estimated.
	Texts, Held int64
	// Redacted is set if a new text had been redacted in the transcript, so that its length could not be predicted.
	Redacted bool
	// Turn is the number of the request's turn.
	Turn int64
	// Landing is the predicted size after a compaction, for the first request after it; nil if there was no prediction.
	Landing *Range
	// Forecasts are the forecasts, made after this request was measured, of the requests and turns that fit below some
	// thresholds.
	Forecasts []Forecast
	// Return is the forecast before a pause that this request ended; nil without one.
	Return *Return
	// Break is set if the request wrote to the cache again what the previous one had left there.
	Break *CacheBreak
}

// Error returns how far the prediction was off, in tokens and in hundredths of a percent; positive if it was too high.
func (s StepMade) Error() (tokens, percent int64) {
	tokens = s.Predicted - s.Actual
	return tokens, hundredths(tokens, s.Actual)
}

const errorsKept = 128

// record keeps statistics of the session's own predictions.
type record struct {
	last   StepMade
	cause  Text // why the last prediction was off
	any    bool
	steps  int64
	errors [errorsKept]int64 // absolute, in tokens
	shares [errorsKept]int64 // absolute, in hundredths of a percent
	newest int               // index of the last step in these rings

	median, p90, p95, p95Share int64 // percentiles of the stored errors
}

func (r *record) add(step StepMade, cause Text) {
	r.last, r.cause, r.any = step, cause, true
	r.newest = int(r.steps % errorsKept)
	r.steps++
	r.sumUp()
}

// first records the first request of a session. Its prediction was not based on a measured prompt, so its error is
// stored as the last one but enters no percentile.
func (r *record) first(step StepMade, cause Text) { r.last, r.cause, r.any = step, cause, true }

// correct updates the last step if its request is reported again.
func (r *record) correct(actual int64) {
	if r.any && r.last.Actual != actual {
		r.last.Actual = actual
		if r.steps > 0 {
			r.sumUp()
		}
	}
}

// sumUp stores the error of the last step, and recomputes the percentiles.
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

// quantile returns the index of a quantile among n sorted values, by nearest rank.
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
