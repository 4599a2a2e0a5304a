// Copyright The ctx-lsp authors. MIT licence.

package core

// prediction holds the terms of the formula:
// used = in - leaving + carry + fresh.
type prediction struct {
	used, in, leaving, carry, fresh int64
	carryBasis, freshBasis          Basis
	basis                           Basis
	items                           int
	unscaled                        int64 // the estimates in fresh, before the session's ratio scaled them
	results                         int64 // new tool results with text
	guess                           int64 // unmeasured part of in
}

// predictNext predicts the next request from the present state of the session.
func (s *Session) predictNext() prediction {
	return s.predict(&s.conversation.pending, &s.conversation.draft, s.calibration.mode)
}

// predict returns the size of a request with the given pending items. There is no other formula: the Reading shows its
// result, and the accuracy record compares it with the next measurement.
func (s *Session) predict(p *pending, draft *storedItem, mode ReasoningMode) prediction {
	a := additions{certain: p.certain, unscaled: p.unscaled, items: p.items}
	a.step = Step{Results: p.results, Users: p.users, NewTurn: s.reasoningOver()}
	a.addPending(p, mode)
	a.addDraft(draft)
	if r := s.anchor(); r != nil {
		return s.predictAfter(r, p, &a, mode)
	}
	// Nothing was measured: all items are new, including those of replies.
	first, _ := s.expectFirst()
	out := prediction{guess: first.tokens, in: first.tokens + s.expectedHidden(), items: a.items, basis: Estimated, freshBasis: Estimated}
	out.in = max(out.in-s.listedNow(), 0)
	out.fresh = sumRows(&s.fixed.now) + a.certain + s.calibration.scale(a.unscaled) + s.calibration.scale(p.replyTotal()) + s.changes.adjusted + s.fixed.expected() - s.lacks()
	out.used = out.in + out.fresh
	return out
}

// predictAfter predicts the request after a measured one.
func (s *Session) predictAfter(r *request, p *pending, a *additions, mode ReasoningMode) prediction {
	out := prediction{in: r.in, items: a.items, results: int64(p.results)}
	basis := Measured
	if r.has(requestStated | requestLowerBound | requestDoubtful) {
		basis = Estimated
	}
	if density := s.resolved.Meter.Density(); density != s.fixed.density && s.fixed.density > 0 {
		// Another tokenizer would have measured a different number.
		out.in = mulDiv(out.in, density, s.fixed.density)
		basis = Estimated
	}
	a.step.HadReasoning = r.reasoning > 0
	leaving, added := s.fixed.changes()
	longer, shorter := s.modelShift()
	added, leaving = added+longer, leaving+shorter
	out.leaving = s.changes.leaving.total() + s.inflationLeaving() + s.returnedLeaving(mode) + leaving
	if out.leaving > 0 {
		basis = MeasuredEstimated
	}
	if _, _, cause := s.fileBand(1); !cause.Empty() || s.newModel() || s.unexplained.doubt != 0 {
		basis = basis.plus(Estimated)
	}
	if s.reasoningLeaves(mode) {
		out.leaving += s.turn.reasoning.tokens
		a.step.ReasoningItems = int(s.turn.reasoning.items) + p.replyReasoningItems
	}
	out.leaving = min(out.leaving, out.in)
	out.carry, out.carryBasis = s.carry(r, p, mode)
	if out.carry > 0 {
		basis = basis.plus(out.carryBasis)
	}
	out.fresh = max(s.fresh(a, added), -(out.in - out.leaving + out.carry))
	if out.fresh != 0 && a.basis != BasisUnknown { // the frame of an item without a text changes no basis
		basis = basis.plus(a.basis)
	}
	estimates := s.fixed.unsized().texts + s.fixed.openLeft().texts
	out.basis, out.freshBasis, out.unscaled = basis, a.basis, a.unscaled+estimates
	if a.basis == BasisUnknown {
		out.freshBasis = Counted // nothing is new, and that is certain
	}
	if n := s.unread.reported; n > 0 {
		out.leaving, out.carry, out.fresh = max(out.in-n, 0), s.requests.replyAfter(n), max(n-out.in, 0)
		out.basis = MeasuredEstimated
	}
	out.used = out.in - out.leaving + out.carry + out.fresh
	return out
}

// fresh returns the tokens that are new since the last measured prompt: items, other known additions, and the tokens
// that the step adds to them.
func (s *Session) fresh(a *additions, added int64) int64 {
	c := &s.changes
	added += s.fixed.expected() + s.secondComes()
	if added != 0 || c.adjusted != 0 {
		a.basis = a.basis.with(Estimated)
	}
	if c.replaced != 0 {
		a.basis = a.basis.with(c.replacedBasis)
	}
	fresh := a.certain + s.calibration.scale(a.unscaled) + added + c.adjusted + c.replaced
	if a.step.Results+a.step.Users > 0 {
		fresh += s.resolved.Meter.Step(a.step)
	}
	return fresh
}

// additions are the items that a request adds, apart from the previous reply. Their fields are those of pending.
type additions struct {
	certain, unscaled int64
	basis             Basis
	items             int
	step              Step
}

func (a *additions) add(tokens int64, basis Basis) {
	if basis == Estimated {
		a.unscaled += tokens
	} else {
		a.certain += tokens
	}
	a.basis = a.basis.with(basis)
}

// addPending adds the bases of pending rows, whose tokens are already summed, and the reasoning that no usage includes.
func (a *additions) addPending(p *pending, mode ReasoningMode) {
	for k, n := range p.rows {
		if n != 0 {
			a.basis = a.basis.with(p.basis[k])
		}
	}
	if n := p.unmeasured.resent(mode); n > 0 {
		a.add(n, p.unmeasured.basis)
	}
}

func (a *additions) addDraft(draft *storedItem) {
	if draft == nil || draft.has(slotRemoved) || draft.tokens == 0 {
		return
	}
	a.add(int64(draft.tokens), draft.basis)
	a.items++
	if draft.has(slotText) {
		a.step.Users++
	}
}
