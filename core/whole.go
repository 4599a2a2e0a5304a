// Copyright The ctx-lsp authors. MIT licence.

package core

// If a host sends its whole conversation each time, the order of its messages shows which request each response belongs
// to. So a usage that comes before the messages of its prompt, or after those that follow its response, is assigned to
// the right request.

// Whole reports whether the host has sent its whole conversation before.
func (s *Session) Whole() bool { return s.whole }

// Measured reports whether any prompt was measured since the last compaction.
func (s *Session) Measured() bool { return s.anchor() != nil }

// Measures reports whether the last request had this prompt size and this response size.
func (s *Session) Measures(in, out int64) bool {
	r := s.anchor()
	return r != nil && r.in == in && r.out == out && !r.has(requestOverflow|requestStated)
}

// applySynced finds the end of the last measured prompt among the items that follow, if its usage came before them.
func (s *Session) applySynced(e *Synced) {
	if n := len(e.Items); !s.whole && n > 0 && !e.Items[n-1].Item.Kind.Reply() {
		s.joined = len(s.conversation.items) + n
	}
	s.whole = true
	r := s.anchor()
	if r == nil || len(e.Items) == 0 {
		return
	}
	if !r.ahead {
		return
	}
	r.ahead = false
	answers, unanswered := answersIn(e.Items), s.unanswered()
	end := len(e.Items)
	if unanswered == 0 {
		return // its response was passed before
	}
	if unanswered <= len(answers) {
		end = answers[unanswered-1]
	}
	if end == 0 {
		return // the items begin with the response itself
	}
	r.through = len(s.conversation.items) + end
	s.excess.remove(&r.surplus)
	r.surplus = surplus{}
	for i := range e.Items[:end] {
		if it := &e.Items[i].Item; it.Kind == User && !it.Hidden && !s.turn.explicit {
			s.beginTurnOf(r)
			break
		}
	}
}

// beginTurnOf makes a request the first one of a turn, after it was measured.
func (s *Session) beginTurnOf(r *request) {
	t := &s.turn
	if s.calibration.mode == ReasoningTurn {
		s.conversation.rows.tokens[Reasoning] = max(s.conversation.rows.tokens[Reasoning]-t.reasoning.tokens, 0)
	}
	t.dropped.add(t.reasoning)
	t.reasoning = reasoningSum{}
	t.number++
	r.turn = t.number
	t.move(turnStarted)
	t.move(requestMeasured)
}

// answersIn returns the index of the first item of each response.
func answersIn(items []Appended) (at []int) {
	answering := false
	for i := range items {
		it := &items[i].Item
		reply := it.Kind.Reply() && !it.NotReply
		if reply && !answering {
			at = append(at, i)
		}
		answering = reply
	}
	return at
}

// unanswered returns how many of the last requests have no item of their response.
func (s *Session) unanswered() int {
	n, end := 0, len(s.conversation.items)
	for i := len(s.requests.list) - 1; i >= 0; i-- {
		from := s.requests.list[i].through
		if s.conversation.hasReply(from, end) {
			break
		}
		n, end = n+1, from
	}
	return n
}

// aheadOfItems reports whether a prompt contains no known items that the previous one did not: its items have not been
// sent yet.
func (s *Session) aheadOfItems(r *request) bool {
	from := 0
	if previous := s.anchor(); previous != nil {
		from = previous.through
	}
	for i := from; i < r.through && i < len(s.conversation.items); i++ {
		if !s.conversation.items[i].canBeReply() {
			return false
		}
	}
	return true
}

// lateAnswer finds the response for a usage that came after further messages. It recognizes the response by its length,
// and by the length of the prompt before it; end is the prompt's end otherwise.
func (s *Session) lateAnswer(m *Metered, end int) (through int, late bool) {
	c, last := &s.conversation, s.anchor()
	all := c.without(end)
	most := s.predict(&all, nil, s.calibration.mode).used
	from := max(c.folded, c.unawaited)
	for i := from; i < end; i++ {
		if !c.items[i].canBeReply() || i > from && c.items[i-1].canBeReply() {
			continue
		}
		if last != nil && i == last.through && !last.has(requestOverflow|requestStated) {
			continue // the response to the last request
		}
		before := c.without(i)
		least := s.predict(&before, nil, s.calibration.mode).used
		near := int64(5)
		if last == nil && i < s.joined {
			near = 50
		}
		switch size := c.replySize(i); {
		case least > m.In+m.In/10:
		case m.Out != Unknown && size >= 16 && distance(size, m.Out-max(m.Reasoning, 0)) <= size/near &&
			(last == nil || distance(least, m.In) <= distance(most, m.In)):
			return i, true
		case last != nil && distance(least, m.In)*4 < distance(most, m.In):
			return i, true
		}
	}
	return 0, false
}

// replySize returns the tokens of a response from its first item on, without reasoning.
func (c *conversation) replySize(from int) (sum int64) {
	for i := from; i < len(c.items) && c.items[i].canBeReply(); i++ {
		if c.items[i].kind != Reasoning {
			sum += int64(c.items[i].tokens)
		}
	}
	return sum
}

// answeredUntil returns the latest possible end of a response that starts at from: the user's next message.
func (c *conversation) answeredUntil(from int) int {
	for from < len(c.items) && (c.items[from].kind != User || c.items[from].has(slotHidden)) {
		from++
	}
	return from
}
