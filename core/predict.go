// Copyright The ctx-lsp authors. MIT licence.

package core

// prediction is the formula with its terms kept apart:
// used = in - leaving + carry + fresh.
type prediction struct {
	used, in, leaving, carry, fresh int64
	carryBasis, freshBasis          Basis
	basis                           Basis
	items                           int
}

// forecastUsed predicts the next request as the ledger stands now.
func (s *Session) forecastUsed() prediction {
	return s.predict(&s.conversation.pending, &s.conversation.draft, s.calibration.mode)
}

// predict computes what a request of the given pending items would occupy.
// It is the only formula there is: the Reading shows it, and the accuracy
// record holds it against the next measurement.
func (s *Session) predict(p *pending, draft *slot, mode ReasoningMode) prediction {
	var out prediction
	step := Step{Results: p.results, Users: p.users, NewTurn: s.reasoningOver()}
	given, estimated := p.certain, p.estimated
	freshBasis := BasisUnknown
	for k, n := range p.rows {
		if n != 0 {
			freshBasis = freshBasis.with(p.basis[k])
		}
	}
	if n := p.unmeasured.resent(mode); n > 0 {
		if p.unmeasured.basis == Estimated {
			estimated += n
		} else {
			given += n
		}
		freshBasis = freshBasis.with(p.unmeasured.basis)
	}
	out.items = p.items
	if draft != nil && !draft.is(slotGone) && draft.tokens > 0 {
		if draft.basis == Estimated {
			estimated += int64(draft.tokens)
		} else {
			given += int64(draft.tokens)
		}
		if draft.is(slotText) {
			step.Users++
		}
		freshBasis = freshBasis.with(draft.basis)
		out.items++
	}
	estimated = s.calibration.scale(estimated)

	r := s.anchor()
	if r == nil {
		out.in = s.residual.expected(s.history.justCompacted, &s.rule)
		out.fresh = sumRows(&s.fixed.now) + given + estimated + s.replyBefore(p) + s.changes.adjusted
		out.used = out.in + out.fresh
		out.basis, out.freshBasis, out.carryBasis = Estimated, Estimated, BasisUnknown
		return out
	}

	out.in = r.in
	basis := Measured
	if r.is(requestStated | requestLowerBound) {
		basis = Estimated
	}
	if density := s.resolved.Meter.Density(); density != s.fixed.density && s.fixed.density > 0 {
		// Another tokenizer would have measured another number.
		out.in = mulDiv(out.in, density, s.fixed.density)
		basis = Estimated
	}
	step.HadReasoning = r.reasoning > 0
	if s.reasoningLeaves(mode) {
		out.leaving = s.turn.reasoning.tokens
		step.ReasoningItems = int(s.turn.reasoning.items) + p.replyReasoningItems
	}
	out.leaving += s.changes.leaving.total() + s.inflationLeaving()
	gone, come := s.fixed.changes()
	out.leaving += gone
	out.leaving = min(out.leaving, out.in)
	if s.changes.leaving.total()+gone+s.inflationLeaving() > 0 {
		basis = MeasuredEstimated
	}
	out.carry, out.carryBasis = s.carry(r, p, mode)
	if out.carry > 0 {
		basis = basis.plus(out.carryBasis)
	}
	out.fresh = given + estimated + come + s.changes.adjusted + s.changes.replaced
	if come != 0 || s.changes.adjusted != 0 {
		freshBasis = freshBasis.with(Estimated)
	}
	if s.changes.replaced != 0 {
		freshBasis = freshBasis.with(s.changes.replacedBasis)
	}
	if step.Results+step.Users > 0 {
		out.fresh += s.resolved.Meter.Step(step)
	}
	if step.Results > 0 {
		out.fresh += s.calibration.framing.offset
	}
	out.fresh = max(out.fresh, -(out.in - out.leaving + out.carry))
	if out.fresh != 0 {
		basis = basis.plus(freshBasis)
	}
	out.freshBasis = freshBasis
	if freshBasis == BasisUnknown {
		out.freshBasis = Counted // nothing is new, and that is certain
	}
	out.basis = basis
	out.used = out.in - out.leaving + out.carry + out.fresh
	return out
}

// replyBefore counts reply items when there is no measured answer to explain.
func (s *Session) replyBefore(p *pending) int64 { return s.calibration.scale(p.replyTotal()) }
