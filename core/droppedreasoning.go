// Copyright The ctx-lsp authors. MIT licence.

package core

// dropReasoning marks the reasoning of a measured response as no longer sent, and returns the tokens that leave with
// it. Its size is what the provider reported, because its text is often encrypted or only a summary.
func (s *Session) dropReasoning(index int) int64 {
	r := s.producer(index)
	if r == nil {
		return 0
	}
	size := s.reasoningShare(r, index)
	inTurn := r.turn == s.turn.number && !s.turn.phase.ended()
	if s.calibration.mode == ReasoningNever || s.calibration.mode == ReasoningTurn && (!inTurn || s.reasoningOver()) {
		return 0 // it has left, or leaves with its turn
	}
	r.ownReasoning.tokens -= size
	if inTurn && r != s.anchor() {
		s.turn.reasoning.tokens = max(s.turn.reasoning.tokens-size, 0)
	}
	rows := &s.conversation.rows.tokens[Reasoning]
	*rows = max(*rows-size, 0)
	return size
}

// producer returns the request whose response contains an item, nil if it is unknown.
func (s *Session) producer(index int) *request {
	for i := len(s.requests.list) - 1; i >= 0; i-- {
		if r := &s.requests.list[i]; r.through <= index {
			return r
		}
	}
	return nil
}

// reasoningShare returns an item's share of the reasoning of its response: by its own estimate, or an equal one if the
// items have no text.
func (s *Session) reasoningShare(r *request, index int) int64 {
	items, count, sum := s.conversation.items, int64(0), int64(0)
	for i := r.through; i < len(items); i++ {
		if !items[i].has(slotReply) || i > index && s.producer(i) != r {
			break
		}
		if items[i].kind == Reasoning && !items[i].has(slotRemoved) {
			count, sum = count+1, sum+int64(items[i].tokens)
		}
	}
	own := int64(items[index].tokens)
	switch {
	case r.ownReasoning.tokens <= 0:
		return own
	case sum > 0:
		return mulDiv(r.ownReasoning.tokens, own, sum)
	}
	return r.ownReasoning.tokens / max(count, 1)
}
