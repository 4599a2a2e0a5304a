// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// applyMetered applies a provider's measurement of a request.
func (s *Session) applyMetered(m *Metered) {
	if !s.warnings.usageRead && (m.Request == "" || s.requests.find(fnv.Hash(m.Request)) < 0) {
		s.warnings.forgetUsage()
	}
	s.warnings.usageRead = false
	if !m.Note.Empty() {
		s.warnings.addOfUsage(m.Note)
	}
	refused := func(why Text) {
		if m.Note.Empty() { // one message gives the reason
			s.warnings.addOfUsage(why)
		}
	}
	if m.Window > 0 {
		s.limits.set(Limits{m.Window, Unknown, Unknown}, FromProvider)
	}
	if m.Sum {
		s.history.spent.atLeast(m)
		refused(phrase.SumRefused.Text())
		return
	}
	if m.SideRequest {
		s.history.spent.add(m)
		refused(phrase.CompactingRefused.Text())
		return
	}
	id := uint64(0)
	if m.Request != "" {
		id = fnv.Hash(m.Request)
		if i := s.requests.find(id); i >= 0 && !s.isAnother(i, m) {
			s.meterAgain(i, m)
			return
		}
	}
	if m.doubtful() && s.Mode == ProviderOnly {
		refused(phrase.Ambiguous.Text())
		return
	}
	if m.InArray && s.anchor() == nil && s.history.justCompacted && !s.fitsPrompt(m) {
		return // it is for a prompt before the compaction
	}
	if s.isRetry(m) {
		s.meterRetry(m)
		return
	}
	if m.In <= 0 {
		s.history.spent.add(m)
		refused(phrase.NoPrompt.Text())
		return
	}
	if last := s.anchor(); m.ThroughSet && last != nil && m.Through < last.through && !last.has(requestOverflow|requestStated) {
		// The usage belongs to an earlier prompt than the anchor.
		if !m.Partial {
			s.history.spent.add(m)
		}
		return
	}
	predicted := s.adoptModel(m)
	r := request{id: id, in: m.In, out: m.Out, reasoning: m.Reasoning, cacheRead: m.CacheRead, cacheWrite: m.CacheWrite, keptLong: m.KeptLong, turn: s.turn.number}
	r.mark(m)
	r.through = s.brokenOff(m, s.promptEnd(m))
	if s.whole && (!m.ThroughSet || m.Repeated) {
		s.measureUnseen(&r)
	}
	if r.ahead = s.isAhead(&r); !r.ahead && s.conversation.without(r.through).unscaled > 0 {
		r.unseen, r.unseenTurn = 0, 0 // an error of estimates explains it
	}
	if s.whole && r.through < len(s.conversation.items) && s.conversation.items[r.through].canBeReply() {
		r.flags |= requestFollowed
	}
	if s.fixed.density > 0 && s.fixed.density != s.resolved.Meter.Density() || s.remodels.changed(s.Model) {
		r.flags |= requestRemodeled
	}
	since := s.editedSince(&r, m)
	answered := len(s.conversation.items)
	if s.whole {
		// The items after the response belong to later requests.
		answered = s.conversation.answeredUntil(r.through)
	}
	s.conversation.answer(r.through, answered)

	previous := s.anchor()
	var returned *Return
	if !m.Counted {
		returned = s.returned(&r)
	}
	if s.requests.remodeled {
		s.cache.fixed = Unknown // each model has its own cache
	}
	var broke *CacheBreak
	if !m.Counted { // a prompt that was only counted does not touch the cache
		broke = s.readCache(previous, &r, m)
		s.cache.measured(previous, &r, s.lifetimeOf(m), s.now, s.history.justCompacted)
	}
	folded := s.fold(r.through)
	off := s.offByModel(previous, &r, &folded, predicted)
	s.learn(previous, &r, &folded, m, predicted)
	s.fixed.settle(previous == nil && !s.complete && !s.transcribed || s.fixed.openLeft().texts > 0)
	s.remodels.measured(s.Model, off)
	r.model = s.remodels.last
	if previous != nil {
		s.foldReply(previous, &r, &folded)
	}
	if !s.pastOlder {
		s.history.requested(&r, m.Counted, s.userTokens())
	}
	if !m.Counted && !r.has(requestDoubtful) {
		s.accepted(r.in)
		if previous != nil && !previous.has(requestOverflow|requestStated) {
			s.thresholdPassed(previous, &r)
		}
	}
	s.turnMeasured(previous, &r, &folded)
	s.recordPrompt(&r)

	s.anchorAt(r)
	s.changes.add(&since, 1)
	s.conversation.replyOver = answered > r.through && answered < len(s.conversation.items) || m.Complete
	if !m.Counted && !m.Repeated {
		s.history.spent.add(m)
		s.history.curve.point(s.now, s.history.spent.Calls, r.in)
	}
	s.history.justCompacted, s.requests.restored, s.requests.refusedAt, s.pastOlder = false, false, Unknown, false
	s.filesSent()
	if !m.InArray {
		s.compareUnexplained(false)
	}
	if n := len(s.history.steps); s.Recording && n > 0 && s.history.steps[n-1].Actual == r.in {
		s.history.steps[n-1].Forecasts = s.forecasts()
		s.history.steps[n-1].Return, s.history.steps[n-1].Break = returned, broke
	}
}

// promptEnd returns how many items a prompt contained: the caller's number, otherwise all items so far except the
// response, which may be recorded before its usage, and the results of its tool calls. A response that was not measured
// yet is the one that this usage belongs to, so its results cannot have been in the prompt.
func (s *Session) promptEnd(m *Metered) int {
	c := &s.conversation
	if m.ThroughSet {
		return max(m.Through, c.folded)
	}
	end := c.answerStart(len(c.items))
	if last := s.anchor(); s.whole && last != nil && end == last.through && !last.has(requestOverflow|requestStated) {
		return len(c.items) // the items are the response to the last request
	}
	if s.whole {
		if late, ok := s.lateAnswer(m, end); ok {
			return late
		}
	}
	start, worked := c.workedAnswer()
	last := s.anchor()
	if !worked || last != nil && start <= c.folded && !last.has(requestOverflow|requestStated) {
		return end
	}
	if s.contextUnknown() {
		return start
	}
	if s.whole && c.oneReply(last, start) {
		return end
	}
	// The results may have been in the prompt after all: calls of the previous response may come between their results,
	// and a compaction keeps some. The length of the prompt decides.
	before := c.without(start)
	if distance(s.predict(&before, nil, s.calibration.mode).used, m.In) < distance(s.predict(&c.pending, nil, s.calibration.mode).used, m.In) {
		return start
	}
	return end
}

// adoptModel switches to the model that a response names. It returns the prediction made for the prompt without knowing
// that model, or nil if the model has not changed.
func (s *Session) adoptModel(m *Metered) *prediction {
	if m.Model.Model == "" || m.Model == (ModelSet{s.Model, s.Provider, s.Route}) {
		return nil
	}
	var p *prediction
	if s.Model != "" {
		before := s.predict(&s.conversation.pending, nil, s.calibration.mode)
		p = &before
	}
	s.applyModel(m.Model)
	return p
}

// isAnother reports whether a usage belongs to another request than the last one, although both have the same ID: the
// last one is complete, and the prompt grew by items that followed its response.
func (s *Session) isAnother(i int, m *Metered) bool {
	r := &s.requests.list[i]
	return i == len(s.requests.list)-1 && m.In > r.in && r.out != Unknown && !m.ThroughSet &&
		!r.has(requestPartial|requestOverflow|requestStated) && s.conversation.pending.items > 0
}

// meterAgain replaces an earlier report of a request: by a later chunk of its stream, or by the same record repeated.
func (s *Session) meterAgain(i int, m *Metered) {
	r := &s.requests.list[i]
	if m.doubtful() && s.Mode == ProviderOnly {
		return
	}
	before := *r
	r.update(m)
	if i == len(s.requests.list)-1 {
		s.cache.extend(s.lifetimeOf(m), s.now)
		s.readCacheAgain(r, m)
	}
	s.history.spent.replace(&before, r)
	last := i == len(s.requests.list)-1
	if last && r.in != before.in {
		s.unexplained.measured = true
		s.calibration.record.correct(r.in)
		s.history.curve.amend(r.in)
	}
	if last && m.ThroughSet && m.Through > r.through {
		r.through = m.Through
		s.fold(r.through)
	}
}

// recordPrompt learns the residual from a prompt if it is the first one of the session or after a compaction.
func (s *Session) recordPrompt(r *request) {
	visible := sumRows(&s.fixed.now)
	for _, n := range s.conversation.rows.tokens {
		visible += n
	}
	e := estimates{s.conversation.rows.estimated(), s.conversation.rows.estimated()}
	if s.residual.first.in == Unknown && (s.complete || s.fixed.described()) {
		e.tokens = s.calibration.scale(e.texts)
		visible += e.tokens - e.texts
	}
	open := s.fixed.sum(func(p *fixedPart) bool { return p.open })
	e.texts, e.tokens = e.texts+open.texts, e.tokens+open.tokens
	if s.complete && r.in > visible {
		// The missing tokens were underestimated, and of those only the share of the fixed rows remains after a
		// compaction.
		fixed, texts := s.fixed.estimated(), s.conversation.rows.estimated()
		e = estimates{}
		visible = r.in - mulDiv(r.in-visible, fixed, max(fixed+texts, 1))
	}
	if s.residual.first.in == Unknown {
		s.prefix.read, s.prefix.density = max(r.cacheRead, 0), s.resolved.Meter.Density()
	}
	if s.history.justCompacted && s.rule.CompactedReads && r.cacheRead > 0 && s.prefix.density == s.resolved.Meter.Density() {
		s.prefix.readLater = r.cacheRead
	}
	if s.pastOlder {
		s.residual.bare = false
		return // the prompt also contains the items that were lost
	}
	s.residual.measured(r, visible, e, s.history.justCompacted)
}

// applyOverflowed applies a refusal, which shows the window and the real length of the refused prompt.
func (s *Session) applyOverflowed(e *Overflowed) {
	if !e.Note.Empty() {
		s.warnings.addOfUsage(e.Note)
	}
	if e.Limit > 0 {
		l := NoLimits
		if e.LimitIs == LimitInput {
			l.Input = e.Limit
		} else {
			l.Window = e.Limit
		}
		s.limits.forget(FromError)
		s.limits.set(l, FromError)
	}
	if e.Reported {
		return
	}
	if e.Output > 0 && e.LimitIs == LimitTotal && e.Output < e.Limit {
		s.limits.refusedOutput = e.Output
	}
	s.turn.move(turnRefused)
	s.measureRefused(e)
	s.requests.refusedAt = s.predictNext().used
}

// measureRefused makes the refused prompt the anchor, if its size is known.
func (s *Session) measureRefused(e *Overflowed) {
	in, exact := e.Prompt, e.PromptIs == Exact
	if in <= 0 {
		if in = s.refusedAtLeast(); in == Unknown {
			return
		}
		exact = false
	}
	r := request{
		in: in, out: Unknown, reasoning: Unknown, cacheRead: Unknown, cacheWrite: Unknown,
		through: len(s.conversation.items), turn: s.turn.number, flags: requestOverflow,
	}
	if !exact {
		r.flags |= requestLowerBound
	}
	previous := s.anchor()
	folded := s.fold(len(s.conversation.items))
	if previous != nil {
		s.foldReply(previous, &r, &folded)
	}
	s.turnMeasured(previous, &r, &folded)
	s.anchorAt(r)
	s.history.justCompacted, s.requests.restored, s.pastOlder = false, false, false
}

// refusedAtLeast returns the minimum length of a refused prompt if the refusal has no number: the limit. It returns
// Unknown if the limit is unknown, if that much is shown already, and in provider mode, which shows no estimate.
func (s *Session) refusedAtLeast() int64 {
	limits, _ := s.Limits()
	limit := limits.limit()
	if limit <= 0 || s.Mode == ProviderOnly || s.predictNext().used >= limit {
		return Unknown
	}
	s.warnings.addOfUsage(phrase.AtLeast.Text())
	return limit
}
