// Copyright The ctx-lsp authors. MIT licence.

package core

// applyTruncated removes items: a rewind, a branch. The last prompt that contained none of them becomes the measured
// one again.
func (s *Session) applyTruncated(from int) {
	c := &s.conversation
	if from == 0 { // also if none of the cleared content was itemized
		s.clear()
		return
	}
	if from < 0 || from >= len(c.items) {
		return
	}
	measured := len(s.requests.list)
	replyEnd := s.forgetRequestsAfter(from)
	anchored := 0
	if r := s.anchor(); r != nil {
		anchored = min(r.through, len(c.items))
		switch {
		case !c.hasReply(from, replyEnd):
		case r.has(requestRetried) && !c.hasReply(r.through, from):
			r.flags &^= requestRetried
		case s.arrayEdits.applying && measured == len(s.requests.list) && c.hasReply(r.through, from):
			s.arrayEdits.reply = true
		default:
			r.flags |= requestCut
		}
	}
	c.truncate(from, anchored)
	s.rewindTurn()
	if s.anchor() == nil || s.turn.phase.ended() {
		s.fixed.endTurn()
	}
}

// clear starts an empty conversation.
func (s *Session) clear() {
	s.restart()
	s.keepCalled()
	s.conversation.clear()
	s.fixed.endTurn()
}

// restart drops the measured prompts and the known changes since then.
func (s *Session) restart() {
	s.requests.list, s.requests.refusedAt, s.requests.remodeled = s.requests.list[:0], Unknown, false
	s.excess = excess{}
	s.fixed.earlier = nil
	s.changes.forget()
	s.turn.reasoning = reasoningSum{}
	s.turn.move(conversationCompacted)
}

// forgetRequestsAfter drops the requests whose prompts contained removed items. It returns the index at which the
// reply of the anchor ends at the latest.
func (s *Session) forgetRequestsAfter(from int) (replyEnd int) {
	c, q := &s.conversation, &s.requests
	replyEnd = len(c.items)
	measured := len(q.list)
	for len(q.list) > 0 && q.anchor().through > from {
		r := q.anchor()
		c.rows.removeReply(&r.reply)
		s.excess.remove(&r.surplus)
		replyEnd = r.through
		q.list = q.list[:len(q.list)-1]
		folded := 0
		if before := q.anchor(); before != nil {
			folded = before.through
			if before.turn != r.turn && s.calibration.mode == ReasoningTurn {
				c.rows.tokens[Reasoning] += q.reasoningBefore().tokens // the reasoning had left with its turn
			}
		}
		c.unfoldEditedReplies(folded, r.through, len(q.list))
	}
	if len(q.list) == measured {
		return replyEnd
	}
	s.changes.forget()
	if r := q.anchor(); r != nil {
		s.recallChanges(r, from)
		s.remodels.goBack(r.model)
		q.remodeled = s.remodels.changed(s.Model)
	} else {
		c.edits = c.edits[:0] // what they changed is in no measured prompt
	}
	return replyEnd
}

// unfoldEditedReplies reverts in the rows the changes that were made to replies, from one item to another, after a
// request had folded them. The rows then lose the replies as that request measured them.
func (c *conversation) unfoldEditedReplies(from, to, request int) {
	for _, e := range c.edits {
		if e.index < from || e.index >= min(to, c.folded) || e.requests <= request || !c.items[e.index].has(slotReply) {
			continue
		}
		item := c.items[e.index]
		c.rows.tokens[item.kind] += e.before - e.after
		if item.has(slotRemoved) {
			c.rows.items[item.kind]++
		}
	}
}

// recallChanges limits the session's changes to those since the prompt that a rewind returned to. Changes since the
// removed prompts are already dropped.
func (s *Session) recallChanges(r *request, from int) {
	last := len(s.requests.list) - 1
	s.fixed.goBack(last)
	kept := s.conversation.edits[:0]
	for _, e := range s.conversation.edits {
		if e.index >= from {
			continue
		}
		after := e.requests > last
		e.requests = min(e.requests, last+1)
		kept = append(kept, e)
		switch {
		case e.index >= r.through: // part of the response to that prompt
			s.cutReply(s.conversation.items[e.index])
		case after:
			s.changes.leaving.add(e.why, e.before)
			if e.after > 0 {
				s.changes.enter(e.after, e.basis)
			}
		}
	}
	s.conversation.edits = kept
}
