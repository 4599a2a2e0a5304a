// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// outcome is a measured request next to its prediction.
type outcome struct {
	previous, r *request // previous is nil for the first request after a compaction
	folded      *pending // the items that are in the prompt of r but not in the previous one
	m           *Metered
	p           prediction
	kind        string // the kind of step, as in StepMade
	// off is how much longer the prompt was than each reasoning mode predicts. modesDiffer is false without
	// reasoning, which is all that distinguishes them.
	off         [reasoningModes]int64
	modesDiffer bool
	// modelKnown is set if the prediction was made for the model that answered.
	modelKnown bool
}

// actualEstimates returns the actual size of the items that were estimated, if the rest of the prediction is right.
func (o *outcome) actualEstimates(c *calibration) int64 {
	return o.r.in - (o.p.used - c.scale(o.folded.unscaled))
}

// newEstimates returns the estimates of all texts that no earlier prompt contained, and their actual size, if the rest
// of the prediction is right.
func (s *Session) newEstimates(o *outcome) (estimated, actual int64) {
	added := s.fixed.unsized()
	return o.folded.unscaled + added.texts, o.actualEstimates(&s.calibration) + added.tokens
}

// inToolLoop reports whether the step is part of the tool loop and begins and ends with a certain size.
func (o *outcome) inToolLoop() bool {
	return o.kind == "tool" && o.previous != nil && !o.previous.uncertain() && !o.m.ServerTools
}

// learn compares a measured request with its prediction, records the error, and corrects later predictions by it.
// folded are the items that only this prompt contains. predicted is the prediction if it was made for another model,
// otherwise nil.
func (s *Session) learn(previous, r *request, folded *pending, m *Metered, predicted *prediction) {
	if previous == nil && !s.history.justCompacted {
		s.learnFirst(r, folded, m)
		return
	}
	if previous != nil && previous.has(requestOverflow) || m.Own || s.pastOlder {
		// A refused prompt is not resent unchanged, and of an older state the latest items are missing.
		return
	}
	o := outcome{previous: previous, r: r, folded: folded, m: m, modelKnown: predicted == nil}
	o.p = s.predict(folded, nil, s.calibration.mode)
	o.off, o.modesDiffer = s.offByMode(previous, r, folded, o.p.used)
	if predicted != nil {
		o.p = *predicted
	}
	o.kind = s.stepKind(previous, folded)
	s.recordOutcome(&o)
	s.learnFrom(&o)
}

// recordOutcome records a prediction and its error, and corrects what concerns its range.
func (s *Session) recordOutcome(o *outcome) {
	c, p, r := &s.calibration, &o.p, o.r
	step := StepMade{Call: s.history.spent.Calls + 1, Kind: o.kind, Model: s.Model, Predicted: p.used, Actual: r.in, Redacted: s.changes.redacted, Turn: s.turn.number}
	learns := false
	step.Low, step.High, learns = s.bandOf(s.Mode, p, o.kind)
	cause := s.cause(o)
	if learns {
		kind := s.spreadKind(p, o.kind)
		c.spread.adjust(kind, s.spreadPrior(kind), step.Low <= step.Actual && step.Actual <= step.High)
	}
	if o.inToolLoop() {
		if o.folded.unmeasured.tokens == 0 {
			step.Texts = o.folded.certain + o.folded.unscaled
			step.Held = o.folded.certain + o.actualEstimates(c)
		}
	}
	c.record.add(step, cause)
	if s.Recording {
		if step.Kind == "compaction" {
			step.Landing = s.history.landing
		}
		s.history.steps = append(s.history.steps, step)
	}
}

// learnFrom corrects the predictions of later requests by the error of one.
func (s *Session) learnFrom(o *outcome) {
	c, previous, r, folded := &s.calibration, o.previous, o.r, o.folded
	if s.isSecond() && !s.whole { // a host's array may show later what else was in it
		s.residual.learnSecond(r.in - o.p.used + s.secondComes())
	}
	if previous == nil {
		return
	}
	s.sizeBroken(o)
	comparable := o.modelKnown && folded.assumed.items == 0 && !previous.has(requestStated) && s.fixed.density == s.resolved.Meter.Density()
	if comparable {
		s.learnReturned(r, folded, &o.p)
	}
	if o.modesDiffer && comparable {
		s.checkMode(o)
	}
	s.learnSteering(r, folded)
	s.learnInflation(r, folded, o.m)
	s.exceed(previous, r, folded, &o.p, o.kind)
	if !comparable {
		return
	}
	if previous.out != Unknown && !previous.has(requestPlaceholder) && !o.m.ServerTools {
		estimated, actual := s.newEstimates(o)
		left := s.fixed.openLeft()
		switch another, compared := c.ratio.compare(estimated-left.texts, actual-left.tokens, left.texts); {
		case compared && another:
			s.fixed.resize(&c.ratio)
		case compared:
			s.fixed.close()
			fallthrough
		default:
			c.ratio.add(estimated, actual)
			if plausible(estimated, actual) {
				s.fixed.size(actual, estimated)
			}
		}
	}
	s.history.growth.add(r.in - previous.in)
}

// learnFirst compares the first request with its prediction if the host had sent the fixed context, or documents whose
// estimates are longer than the prompt. Otherwise, the prediction covered only a part of the prompt.
func (s *Session) learnFirst(r *request, folded *pending, m *Metered) {
	if s.residual.first.in != Unknown || s.residual.begunBefore || m.Own {
		return
	}
	o := outcome{r: r, folded: folded, m: m, p: s.predict(folded, nil, s.calibration.mode)}
	p := &o.p
	estimated, actual := s.newEstimates(&o)
	actual += p.guess
	if p.used <= 0 || !s.fixed.anySet() && (len(s.fixed.parts[Documents]) == 0 || actual >= estimated) {
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
	ratio := &s.calibration.ratio
	if s.complete || actual < estimated || s.fixed.described() {
		if ratio.first(estimated, actual) {
			s.fixed.size(ratio.actual, ratio.estimated)
		}
		return
	}
	// The difference also contains fixed context that the host did not send, so it weighs no more than the prior.
	weight := min(estimated, ratioPrior)
	ratio.add(weight, mulDiv(max(actual, 0), weight, max(estimated, 1)))
	s.fixed.resize(ratio)
}

// learnSteering finds out whether the turn's reasoning stayed in the prompt when the user sent a message during the
// turn.
func (s *Session) learnSteering(r *request, folded *pending) {
	c := &s.calibration
	if !s.changes.steered || s.turn.phase.ended() || c.mode != ReasoningTurn {
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
	case s.turn.phase.ended() || s.changes.steered || !s.turn.explicit && folded.rows[User] > 0:
		return "user"
	}
	return "tool"
}

// cause returns the likely reason why a prediction was off by more than one percent, and an empty text if it was not.
func (s *Session) cause(o *outcome) Text {
	previous, r, p := o.previous, o.r, &o.p
	if distance(p.used, r.in)*100 <= r.in {
		return Text{}
	}
	short := r.in > p.used
	switch {
	case o.m.ServerTools:
		return phrase.MissServerTool.Text()
	case previous != nil && previous.has(requestInflated):
		return phrase.MissServerToolLeft.Text()
	case s.history.justCompacted:
		return phrase.MissCompaction.Text()
	case previous != nil && previous.has(requestStated):
		return phrase.MissLeft.Text()
	case s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density():
		return phrase.MissModel.Text()
	case s.changes.resumed:
		return phrase.MissResume.Text()
	case s.changes.toolsChanged:
		return phrase.MissTools.Text()
	case s.reasoningExplains(o):
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
