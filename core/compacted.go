// Copyright The ctx-lsp authors. MIT licence.

package core

// applyCompacted restarts the conversation with the items that a compaction left.
func (s *Session) applyCompacted(e *Compacted) {
	before, seen := e.Before, s.predictNext().used
	if before == Unknown {
		before = seen
	}
	limits, _ := s.Limits()
	shown, threshold := s.Reading(), s.threshold(limits)
	trigger := s.triggerOf(e, before, &shown)
	if trigger == ByAgentItself && e.Recorded && (e.Before != Unknown || s.pastKnown()) {
		s.thresholdCompacted(before, seen, e.Before != Unknown)
	}
	if s.Recording {
		s.history.landing = s.landingNow()
	}
	c := &s.conversation
	s.keepListed()
	again := c.reattached(e)
	s.keepCalled()
	c.keepLast(e.Kept, e.Remaining, e.Head, s.resolved.Meter)
	s.restart()
	s.agentCounts = Text{}
	s.turn.dropped, s.turn.returned = reasoningSum{}, 0
	s.inflation.tokens = 0
	if e.Summary != nil {
		it := *e.Summary
		it.Kind = Summary
		c.append(s.measure(&it))
		c.setPrint(len(c.items)-1, it.Print)
	}
	c.left = len(c.items)
	s.awaitNothing()
	s.changes.adjusted = again
	if !s.residual.afterKnown() {
		s.changes.adjusted += e.Reattached // otherwise it is in the unrecorded part after the last compaction
	}
	s.residual.bare = e.Bare
	s.history.compacted(s.now, before, e.Auto)
	s.judge(e, before, trigger, &shown, threshold)
	if e.Tokens != Unknown {
		// The caller's own number is used until a provider measures a prompt.
		s.requests.add(request{
			in: e.Tokens, out: Unknown, reasoning: Unknown, cacheRead: Unknown, cacheWrite: Unknown,
			through: len(c.items), flags: requestStated, turn: s.turn.number,
		})
		s.fixed.setMeasured(0, s.resolved.Meter.Density())
		s.fold(len(c.items))
	}
	left := s.predictNext()
	s.history.curve.setLanding(left.used)
	s.history.setLeft(left.used, Estimated)
	s.history.userLeft = s.userTokens()
}

// reattached returns the size of the items that the agent adds again.
func (c *conversation) reattached(e *Compacted) int64 {
	sum := int64(0)
	for _, i := range e.Again {
		if i >= 0 && i < len(c.items) && int64(c.items[i].tokens) <= e.AgainMost {
			sum += int64(c.items[i].tokens)
		}
	}
	return sum
}
