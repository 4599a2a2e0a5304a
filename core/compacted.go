// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

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
	var thoughts []thought
	if !s.transcribed && len(e.Remaining) == 0 {
		thoughts = s.thoughtsFrom(len(c.items) - min(max(e.Kept, 0), len(c.items)))
	}
	s.keepCalled()
	c.keepLast(e.Kept, e.Remaining, e.Head, s.resolved.Meter)
	for i := range thoughts {
		thoughts[i].at += len(c.items)
	}
	s.restart()
	s.agentCounts = Text{}
	s.turn.dropped, s.turn.again, s.turn.cut, s.turn.returned = reasoningSum{}, reasoningSum{}, reasoningSum{}, 0
	s.inflation.tokens = 0
	if e.Summary != nil {
		it := *e.Summary
		it.Kind = Summary
		c.append(s.measure(&it))
		c.setPrint(len(c.items)-1, it.Print)
	}
	s.keepThoughts(thoughts)
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

// A thought is reasoning in no item that is sent again with a response, which ends before the item at an index.
type thought struct {
	tokens int64
	at     int
}

// thoughtsFrom returns the reasoning that is sent again with the responses from an item on. Indexes are counted back
// from the last item.
func (s *Session) thoughtsFrom(from int) (out []thought) {
	list, items := s.requests.list, s.conversation.items
	for i := range list {
		r := &list[i]
		if r.through < from || r.has(requestOverflow|requestStated) || !s.conversation.hasReply(r.through, r.through+1) ||
			s.calibration.mode == ReasoningNever || s.calibration.mode == ReasoningTurn && r.turn != s.turn.number {
			continue
		}
		own := r.ownReasoning.tokens
		if i == len(list)-1 {
			own = s.reasoningOf(r, &s.conversation.pending)
		}
		n := r.through
		for ; n < len(items) && items[n].has(slotReply); n++ {
			if items[n].kind == Reasoning {
				own = 0
			}
		}
		if own > 0 {
			out = append(out, thought{own, n - len(items)})
		}
	}
	return out
}

// keepThoughts adds the reasoning of the responses that a compaction kept. In a host's array it follows its response,
// because a rewind may remove the later ones; otherwise it is the last item, so that the host's indexes stay the same.
func (s *Session) keepThoughts(list []thought) {
	c := &s.conversation
	added := func(tokens int64) storedItem {
		return storedItem{tokens: uint32(min(tokens, 1<<32-1)), kind: Reasoning, basis: Counted, flags: slotHidden, label: c.labels.labelOf(&Item{Kind: Reasoning})}
	}
	if !s.whole {
		sum := int64(0)
		for _, t := range list {
			sum += t.tokens
		}
		if sum > 0 {
			c.append(added(sum))
		}
		return
	}
	if s.arrayEdits.applying {
		s.arrayEdits.thoughts = list // other changes follow, to items by their indexes
		return
	}
	for i := len(list) - 1; i >= 0; i-- {
		item := added(list[i].tokens)
		c.insert(min(max(list[i].at, 0), len(c.items)), item, Print{})
		c.pending.add(item, 1)
	}
}

// changed moves the thoughts to be kept with the items of a host's array, and removes those of responses that are cut.
func (e *arrayEdits) changed(by Event) {
	switch by := by.(type) {
	case Truncated:
		e.thoughts = slices.DeleteFunc(e.thoughts, func(t thought) bool { return t.at > by.From })
	case Inserted:
		for i := range e.thoughts {
			if t := &e.thoughts[i]; by.Index < t.at {
				t.at++
			}
		}
	}
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
