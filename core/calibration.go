// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

// Every measured request is the truth about the prediction made before it.

// StepMade is one prediction and what came of it.
type StepMade struct {
	Call              int64
	Kind              string // tool, user, resume, compaction, model
	Model             string
	Predicted, Actual int64
}

// Error is how far the prediction was off, in tokens and in hundredths of a
// percent; positive when too much was predicted.
func (s StepMade) Error() (tokens, percent int64) {
	tokens = s.Predicted - s.Actual
	return tokens, hundredths(tokens, s.Actual)
}

const errorsKept = 128

type calibration struct {
	mode  ReasoningMode
	fixed bool // the caller said which mode
	// steerKeeps is true where speaking into a turn leaves its reasoning in.
	steerKeeps bool
	score      [reasoningModes]int64

	// The ratio of estimated text to what it turned out to be, as two decaying
	// sums that begin with a prior.
	actual, estimated int64

	framing framing

	last   StepMade
	cause  string
	has    bool
	steps  int64
	errors [errorsKept]int64 // absolute, tokens
	shares [errorsKept]int64 // absolute, hundredths of a percent
	at     int

	median, p90, p95, p95Share int64 // of the errors kept
}

// framing learns what a step of the tool loop costs beside its text, where
// that differs by a constant from what is known of the model: another route,
// another agent, a model nobody has measured.
type framing struct {
	ring   [framingsKept]int64
	n      int64
	offset int64 // in force; 0 until the newest steps agree
}

const (
	framingsKept   = 12
	framingsNeeded = 4
	framingsAgree  = 4 // tokens between the quartiles
)

func (f *framing) learn(residual int64) {
	f.ring[f.n%framingsKept] = residual
	f.n++
	var buffer [framingsKept]int64
	sorted := append(buffer[:0], f.ring[:min(f.n, framingsKept)]...)
	slices.Sort(sorted)
	f.offset = 0
	if n := len(sorted); n >= framingsNeeded && sorted[n*3/4]-sorted[n/4] <= framingsAgree {
		f.offset = sorted[n/2]
	}
}

const ratioPrior = 4000

func (c *calibration) reset() { c.actual, c.estimated = ratioPrior, ratioPrior }

func (c *calibration) forgetRatio() { c.actual, c.estimated = ratioPrior, ratioPrior }

func (c *calibration) forgetModes() {
	c.score = [reasoningModes]int64{}
	c.framing = framing{}
}

// scale corrects an estimate by what this session has taught.
func (c *calibration) scale(n int64) int64 {
	if n <= 0 || c.actual == c.estimated {
		return n
	}
	return mulDiv(n, c.actual, c.estimated)
}

// learnRatio compares estimated text with what the provider made of it. Steps
// that missed for another reason than tokenization are left out.
func (c *calibration) learnRatio(estimated, actual int64) {
	if estimated < 40 || actual < estimated*2/5 || actual > estimated*5/2 {
		return
	}
	estimated, actual = min(estimated, 20_000), mulDiv(actual, min(estimated, 20_000), estimated)
	c.actual = c.actual*15/16 + actual
	c.estimated = c.estimated*15/16 + estimated
}

func (c *calibration) record(step StepMade, cause string) {
	c.last, c.cause, c.has = step, cause, true
	c.at = int(c.steps % errorsKept)
	c.steps++
	c.put()
}

// correct amends the last step when its request is reported again.
func (c *calibration) correct(actual int64) {
	if c.has && c.last.Actual != actual {
		c.last.Actual = actual
		c.put()
	}
}

func (c *calibration) put() {
	miss := c.last.Predicted - c.last.Actual
	if miss < 0 {
		miss = -miss
	}
	c.errors[c.at] = miss
	c.shares[c.at] = hundredths(miss, c.last.Actual)
	n := int(min(c.steps, errorsKept))
	var sorted [errorsKept]int64
	copy(sorted[:], c.errors[:n])
	slices.Sort(sorted[:n])
	c.median, c.p90, c.p95 = sorted[quantile(n, 50)], sorted[quantile(n, 90)], sorted[quantile(n, 95)]
	copy(sorted[:], c.shares[:n])
	slices.Sort(sorted[:n])
	c.p95Share = sorted[quantile(n, 95)]
}

// quantile is the index of a quantile among n sorted values, by nearest rank.
func quantile(n, percent int) int {
	return max((n*percent+99)/100-1, 0)
}

// learn holds a measured request against the prediction made of it.
func (s *Session) learn(previous, r *request, folded *pending, m *Metered, predicted *prediction) {
	if previous == nil && !s.history.justCompacted {
		return
	}
	if previous != nil && previous.is(requestOverflow) || m.Uncounted {
		// What was refused was not sent again as it was.
		return
	}
	p := s.predict(folded, nil, s.calibration.mode)
	if predicted != nil {
		p = *predicted
	}
	step := StepMade{Call: s.history.spent.Calls + 1, Kind: s.stepKind(previous, folded), Model: s.Model, Predicted: p.used, Actual: r.in}
	s.calibration.record(step, s.cause(previous, r, &p, m))
	if s.Recording {
		s.history.steps = append(s.history.steps, step)
	}
	if previous != nil {
		s.learnSteering(r, folded)
		s.learnInflation(r, folded, m)
	}
	if previous == nil || predicted != nil || previous.is(requestStated) || s.fixed.density != s.resolved.Meter.Density() {
		return
	}
	if estimated := folded.estimated; estimated > 0 {
		certain := p.used - s.calibration.scale(estimated)
		if previous.out != Unknown && !previous.is(requestPlaceholder) && !m.ServerTools {
			s.calibration.learnRatio(estimated, r.in-certain)
		}
	}
	if step.Kind == "tool" && folded.results == 1 && previous.out != Unknown && !previous.is(requestPlaceholder|requestInflated) && !m.ServerTools {
		s.calibration.framing.learn(r.in - p.used + s.calibration.framing.offset)
	}
	s.learnMode(previous, r, folded)
	s.history.growth.add(r.in - previous.in)
}

// learnMode chooses how reasoning re-enters by which mode predicts better.
func (s *Session) learnMode(previous, r *request, folded *pending) {
	c := &s.calibration
	if c.fixed || previous.reasoningOf(folded) <= 0 && s.turn.reasoning.tokens == 0 {
		return
	}
	var miss [reasoningModes]int64
	for mode := range miss {
		p := s.predict(folded, nil, ReasoningMode(mode))
		miss[mode] = p.used - r.in
		if miss[mode] < 0 {
			miss[mode] = -miss[mode]
		}
	}
	if miss[0] == miss[1] && miss[1] == miss[2] {
		return
	}
	best := c.mode
	for mode := range miss {
		c.score[mode] = c.score[mode]*85/100 + min(miss[mode], 400)
	}
	for mode := range miss {
		if c.score[mode]+s.resolved.Hesitation < c.score[c.mode] && c.score[mode] < c.score[best] {
			best = ReasoningMode(mode)
		}
	}
	c.mode = best
}

// learnSteering finds out whether the reasoning of the turn stayed when the
// person spoke into it.
func (s *Session) learnSteering(r *request, folded *pending) {
	c := &s.calibration
	if !s.changes.steered || s.turn.phase.over() || c.mode != ReasoningTurn {
		return
	}
	was := s.missWith(r, folded)
	c.steerKeeps = !c.steerKeeps
	if s.missWith(r, folded)+8 >= was {
		c.steerKeeps = !c.steerKeeps
	}
}

// missWith is how far a prediction is off as the ledger is set now.
func (s *Session) missWith(r *request, folded *pending) int64 {
	p := s.predict(folded, nil, s.calibration.mode)
	if p.used > r.in {
		return p.used - r.in
	}
	return r.in - p.used
}

// TakeSteps returns the steps recorded since the last call.
func (s *Session) TakeSteps() []StepMade {
	out := s.history.steps
	s.history.steps = nil
	return out
}

func (s *Session) stepKind(previous *request, folded *pending) string {
	switch {
	case s.history.justCompacted:
		return "compaction"
	case s.changes.resumed:
		return "resume"
	case s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density():
		return "model"
	case s.turn.phase.over() || folded.rows[User] > 0:
		return "user"
	}
	return "tool"
}

// cause names why a prediction missed by more than one percent, as far as
// the ledger can tell.
func (s *Session) cause(previous, r *request, p *prediction, m *Metered) string {
	miss := p.used - r.in
	if miss < 0 {
		miss = -miss
	}
	if miss*100 <= r.in {
		return ""
	}
	short := r.in > p.used
	switch {
	case m.ServerTools:
		return "a provider-side tool put content into this request"
	case previous != nil && previous.is(requestInflated):
		return "content of a provider-side tool has left again"
	case s.history.justCompacted:
		return "first request after a compaction"
	case previous != nil && previous.is(requestStated):
		return "what was said to be left was not measured"
	case s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density():
		return "the model has changed"
	case s.changes.resumed:
		return "the session was resumed"
	case s.changes.toolsChanged:
		return "the tools have changed"
	case previous != nil && previous.cacheRead != Unknown && r.cacheRead > 0 && r.cacheRead*2 < previous.in && short:
		return "the cache shows that the last prompt was not what filled the window"
	case !short && r.in < previous.in:
		return "the context has shrunk: old content was pruned"
	case previous != nil && previous.out == Unknown:
		return "the length of the last answer is not known"
	case previous != nil && previous.is(requestPlaceholder):
		return "the agent recorded no true length of the last answer"
	case short:
		return "content was sent that no record shows"
	}
	return "unknown"
}
