// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// learn compares a measured request with its prediction and adjusts what the session has learned.
func (s *Session) learn(previous, r *request, folded *pending, m *Metered, predicted *prediction) {
	if previous == nil && !s.history.justCompacted {
		s.learnFirst(r, folded, m)
		return
	}
	if previous != nil && previous.has(requestOverflow) || m.Uncounted {
		// A refused prompt is not resent unchanged.
		return
	}
	p := s.predict(folded, nil, s.calibration.mode)
	off, told := s.offByMode(previous, r, folded, p.used)
	if predicted != nil {
		p = *predicted
	}
	assumed := len(s.toolSizes.assumed) > 0
	step := StepMade{Call: s.history.spent.Calls + 1, Kind: s.stepKind(previous, folded), Model: s.Model, Predicted: p.used, Actual: r.in, Redacted: s.changes.redacted, Turn: s.turn.number}
	learns := false
	step.Low, step.High, learns = s.bandOf(s.Mode, &p, step.Kind)
	cause := s.cause(previous, r, &p, m, &off)
	if s.calibration.from > 0 && previous != nil && !previous.has(requestStated) {
		s.calibration.upstreams.learn(p.used, r.in)
	}
	s.calibration.from = 0
	if learns {
		kind := s.spreadKind(&p, step.Kind)
		s.calibration.spread.learn(kind, s.spreadPrior(kind), step.Low <= step.Actual && step.Actual <= step.High)
	}
	before, flipped := s.calibration.observe(p.used, r.in, predicted == nil && s.unexplained(previous, r, &p, m, step.Kind, &off))
	if flipped && !cause.Empty() {
		cause = phrase.RangeTwoWays.Text()
	}
	if !flipped && previous != nil && step.Kind == "tool" && folded.unmeasured.tokens == 0 && !previous.uncertain() && !m.ServerTools {
		step.Texts = folded.certain + folded.estimated
		step.Held = r.in - (p.used - folded.certain - s.calibration.scale(folded.estimated))
		if folded.results > 0 {
			step.Held += s.calibration.framing.offset * int64(folded.results) // the offset may be an error in counting texts
		}
	}
	if assumed && !flipped && previous != nil && step.Kind == "tool" && !previous.uncertain() && !m.ServerTools {
		s.toolSizes.measured(r.in - p.used)
	}
	s.calibration.record.add(step, cause)
	if s.Recording {
		if step.Kind == "compaction" {
			step.Landing = s.history.landing
		}
		s.history.steps = append(s.history.steps, step)
	}
	if flipped { // the request was counted in another way, so nothing else is learned from it
		if previous != nil {
			s.history.growth.add(before - previous.in)
		}
		return
	}
	if s.isSecond() {
		s.residual.learnSecond(r.in - p.used + s.secondComes())
	}
	comparable := previous != nil && predicted == nil && !assumed && !previous.has(requestStated) && s.fixed.density == s.resolved.Meter.Density()
	if previous != nil {
		s.learnReturned(r, folded, &p)
		if told && comparable {
			s.checkMode(previous, folded, m, &off, &p)
		}
		s.learnSteering(r, folded)
		s.learnInflation(r, folded, m)
	}
	if previous != nil {
		s.exceed(previous, r, folded, &p, step.Kind)
	}
	if !comparable {
		return
	}
	if estimated := folded.estimated; estimated > 0 {
		certain := p.used - s.calibration.scale(estimated)
		if previous.out != Unknown && !previous.has(requestPlaceholder) && !m.ServerTools {
			s.calibration.ratio.learn(estimated, r.in-certain)
		}
	}
	if step.Kind == "tool" && folded.results == 1 && folded.estimated <= framingEstimated && folded.rows[User] == 0 && !previous.uncertain() && !m.ServerTools {
		s.calibration.framing.learn(r.in - p.used + s.calibration.framing.offset)
	}
	if told {
		s.learnMode(&off)
	}
	s.history.growth.add(r.in - previous.in)
}

// learnFirst compares the first request with its prediction if the host had sent the fixed context. Without it, the
// prediction covered only a part of the prompt.
func (s *Session) learnFirst(r *request, folded *pending, m *Metered) {
	if s.residual.first.in != Unknown || !s.fixed.anySet() || m.Uncounted {
		return
	}
	p := s.predict(folded, nil, s.calibration.mode)
	if p.used <= 0 {
		return
	}
	step := StepMade{Call: s.history.spent.Calls + 1, Model: s.Model, Predicted: p.used, Actual: r.in}
	cause := Text{}
	switch {
	case distance(p.used, r.in)*100 <= r.in:
	case r.in > p.used:
		cause = phrase.MissMore.Text()
	default:
		cause = phrase.MissLess.Text()
	}
	s.calibration.record.first(step, cause)
	if estimated := folded.estimated + s.fixed.estimated(); estimated > 0 {
		// The difference also contains fixed context that the host did not send, so it weighs no more than the prior.
		certain := p.used - p.guess - s.calibration.scale(folded.estimated) - s.fixed.estimated()
		weight := min(estimated, ratioPrior)
		s.calibration.ratio.learn(weight, mulDiv(max(r.in-certain, 0), weight, estimated))
	}
}

// learnMode switches to the reasoning mode that predicts best.
func (s *Session) learnMode(off *[reasoningModes]int64) {
	c := &s.calibration
	if c.fixed || s.turn.returning > 0 {
		return
	}
	var misses [reasoningModes]int64
	for mode := range misses {
		misses[mode] = distance(off[mode], 0)
	}
	if mode := c.choose(misses, s.resolved.Hysteresis); mode != c.mode {
		s.assume(mode)
	}
}

// learnSteering finds out whether the turn's reasoning stayed in the prompt when the user sent a message during the
// turn.
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

// missWith returns the distance between the request and the prediction that the session would make with its current
// settings.
func (s *Session) missWith(r *request, folded *pending) int64 {
	return distance(s.predict(folded, nil, s.calibration.mode).used, r.in)
}

// stepKind returns the kind of step that a measured request was.
func (s *Session) stepKind(previous *request, folded *pending) string {
	switch {
	case s.history.justCompacted:
		return "compaction"
	case s.changes.resumed:
		return "resume"
	case s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density():
		return "model"
	case s.turn.phase.over() || s.changes.steered || !s.turn.explicit && folded.rows[User] > 0:
		return "user"
	}
	return "tool"
}

// cause returns the likely reason why a prediction was off by more than one percent, and an empty text if it was not.
func (s *Session) cause(previous, r *request, p *prediction, m *Metered, off *[reasoningModes]int64) Text {
	if distance(p.used, r.in)*100 <= r.in {
		return Text{}
	}
	short := r.in > p.used
	switch {
	case m.ServerTools:
		return phrase.MissServerTool.Text()
	case previous != nil && previous.has(requestInflated):
		return phrase.MissServerToolLeft.Text()
	case s.history.justCompacted:
		return phrase.MissCompaction.Text()
	case s.calibration.from > 0:
		return phrase.MissUpstream.Text()
	case previous != nil && previous.has(requestStated):
		return phrase.MissLeft.Text()
	case s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density():
		return phrase.MissModel.Text()
	case s.changes.resumed:
		return phrase.MissResume.Text()
	case s.changes.toolsChanged:
		return phrase.MissTools.Text()
	case s.reasoningExplains(r.in-p.used, previous, off):
		if short {
			return phrase.MissReasoningSent.Text()
		}
		return phrase.MissReasoningGone.Text()
	case previous != nil && previous.cacheRead != Unknown && r.cacheRead > 0 && r.cacheRead*2 < previous.in && short:
		return phrase.MissCache.Text()
	case !short && r.in < previous.in:
		return phrase.MissPruned.Text()
	case previous != nil && previous.out == Unknown:
		return phrase.MissAnswer.Text()
	case previous != nil && previous.has(requestPlaceholder):
		return phrase.MissPlaceholder.Text()
	case short && explains(p.leaving, r.in-p.used):
		return phrase.MissStayed.Text()
	case short && (explains(s.fixed.documents.tokens, r.in-p.used) || explains(s.fixed.memory.tokens, r.in-p.used)):
		return phrase.MissDocuments.Text()
	case short:
		return phrase.MissUnrecorded.Text()
	}
	return phrase.Unknown.Text()
}
