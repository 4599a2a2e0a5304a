// Copyright The ctx-lsp authors. MIT licence.

package core

// measure counts an item and makes of it what is kept of one.
func (s *Session) measure(it *Item) slot {
	c := Count{it.Tokens, Counted}
	if it.Tokens == Unknown {
		c = s.resolved.Meter.Item(it)
	}
	if it.Wrapping != 0 {
		c.Tokens = max(c.Tokens+it.Wrapping, 0)
		if it.Wrapping > 0 {
			c.Basis = Estimated
		}
	}
	if c.Tokens > 1<<32-1 {
		c.Tokens = 1<<32 - 1
	}
	out := slot{tokens: uint32(c.Tokens), kind: it.Kind, basis: c.Basis}
	name := it.Label
	if name == "" {
		name = it.Name
	}
	out.label = s.labels.intern(name)
	if it.Hidden {
		out.flags |= slotHidden
	}
	if it.Tokens == Unknown {
		out.flags |= slotText
	}
	if it.NotReply {
		out.flags |= slotNotReply
	}
	return out
}

func (s *Session) append(it *Item) {
	if len(s.items) >= MaxItems {
		s.warnings.add("The conversation has more items than are kept; the newest ones are not itemised.")
		return
	}
	if it.Kind == User && !it.Hidden {
		s.draft = slot{flags: slotGone}
		if last := s.anchor(); !s.turn.explicit && last != nil && len(s.items) >= last.through {
			s.applyTurnStart()
		} else if !s.turn.explicit && last == nil {
			s.closeReasoning()
		}
		s.replyOver = s.replyOver || s.pending.replyItems > 0
	}
	at := s.measure(it)
	if last := s.anchor(); it.Kind.Reply() && !it.NotReply && last != nil && len(s.items) >= last.through && !s.replyOver {
		at.flags |= slotReply
	}
	s.items = append(s.items, at)
	if last := s.anchor(); last != nil && len(s.items) <= last.through {
		s.pending.add(at, 1)
		s.fold(len(s.items)) // it was in that prompt already
		return
	}
	s.pending.add(at, 1)
}

func (s *Session) replace(e *Replaced) {
	if e.Index < 0 || e.Index >= len(s.items) {
		return
	}
	old := s.items[e.Index]
	at := s.measure(&e.Item)
	at.flags |= old.flags & slotReply
	s.items[e.Index] = at
	if e.Index >= s.through {
		s.pending.add(old, -1)
		s.pending.add(at, 1)
		if r := s.anchor(); r != nil && old.is(slotReply) {
			r.flags |= requestCut // what was answered is not what is sent again
		}
		return
	}
	change := edit{index: e.Index, requests: len(s.requests.list), is: int64(at.tokens), basis: at.basis, why: e.Reason}
	if change.why == "" {
		change.why = "items replaced"
	}
	if !old.is(slotGone) {
		change.was = int64(old.tokens)
		s.changes.leaving.add(change.why, change.was)
		s.unfold(old)
	}
	s.past.edited(change)
	s.changes.enter(int64(at.tokens), at.basis)
	s.refold(at)
}

func (s *Session) drop(e Dropped) {
	if e.Index < 0 || e.Index >= len(s.items) || s.items[e.Index].is(slotGone) {
		return
	}
	old := s.items[e.Index]
	if e.Index >= s.through {
		s.pending.add(old, -1)
	} else {
		s.changes.leaving.add(e.Reason, int64(old.tokens))
		s.unfold(old)
		s.past.edited(edit{index: e.Index, requests: len(s.requests.list), was: int64(old.tokens), why: e.Reason})
	}
	s.items[e.Index].flags |= slotGone
}

func (s *Session) unfold(at slot) {
	s.rows[at.kind] -= int64(at.tokens)
	s.counts[at.kind]--
}

func (s *Session) refold(at slot) {
	s.rows[at.kind] += int64(at.tokens)
	s.basis[at.kind] = s.basis[at.kind].with(at.basis)
	s.counts[at.kind]++
}

// promptEnd is how many items a prompt held: what the caller says, else all
// so far except those at the end that only a model can have produced, which
// are the answer that arrived before its usage.
func (s *Session) promptEnd(m *Metered) int {
	end := len(s.items)
	if m.ThroughSet {
		end = max(m.Through, s.through)
	} else {
		for end > s.through {
			at := s.items[end-1]
			if !at.kind.Reply() || at.is(slotNotReply) {
				break
			}
			end--
		}
	}
	for i := end; i < len(s.items); i++ {
		if at := &s.items[i]; at.kind.Reply() && !at.is(slotNotReply) && !at.is(slotReply) {
			s.pending.add(*at, -1)
			at.flags |= slotReply
			s.pending.add(*at, 1)
		}
	}
	return end
}

// fold moves the items before an index from pending into the rows of the
// measured prompt, and returns what it moved. A reply's items are left out of
// the rows: attribute gives them what the reply really cost.
func (s *Session) fold(end int) pending {
	var moved pending
	for ; s.through < end && s.through < len(s.items); s.through++ {
		at := s.items[s.through]
		s.pending.add(at, -1)
		moved.add(at, 1)
		if mode := s.calibration.mode; at.unmeasured() && (mode == ReasoningNever || mode == ReasoningTurn && at.is(slotPast)) {
			s.items[s.through].flags |= slotGone
			continue
		}
		if !at.is(slotReply) && !at.is(slotGone) {
			s.refold(at)
		}
	}
	if s.through == len(s.items) {
		s.pending = pending{}
	}
	return moved
}
