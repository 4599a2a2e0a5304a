// Copyright The ctx-lsp authors. MIT licence.

package core

// brokenLeast is the smallest reasoning, in tokens, that a response which broke off is noticed by.
const brokenLeast = 100

// brokenOff returns where a response begins if one that broke off was recorded before it: an agent may send the
// reasoning of that response again with the retry. The length of the prompt decides, and the reported reasoning must
// not contradict it.
func (s *Session) brokenOff(m *Metered, through int) int {
	c := &s.conversation
	if !m.Complete || s.anchor() == nil || through < c.folded {
		return through
	}
	last := len(c.items) - 1 // of the response's own output
	for last > through && !c.items[last].canBeReply() {
		last--
	}
	before := c.without(through)
	excess := m.In - s.predict(&before, nil, s.calibration.mode).used
	if excess < brokenLeast || through >= last {
		return through
	}
	best, bestSum, sum, reasoned := through, int64(0), int64(0), int64(0)
	for i := through; i < last && (c.items[i].kind == Reasoning || c.items[i].kind == Assistant); i++ {
		item := c.items[i]
		if item.has(slotRemoved) {
			continue
		}
		sum += int64(item.tokens)
		if item.kind == Reasoning {
			reasoned += int64(item.tokens)
		}
		if distance(excess, sum) < distance(excess, bestSum) {
			best, bestSum = i+1, sum
		}
	}
	if distance(excess, bestSum)*2 > excess || reasoned < brokenLeast || s.reportsAll(m, through, best) {
		return through
	}
	return best
}

// reportsAll reports whether the reported reasoning includes that of the items before another index.
func (s *Session) reportsAll(m *Metered, from, until int) bool {
	if m.Reasoning == Unknown {
		return false
	}
	before, after := int64(0), int64(0)
	for i := from; i < len(s.conversation.items); i++ {
		switch item := s.conversation.items[i]; {
		case item.kind != Reasoning || item.has(slotRemoved):
		case i < until:
			before += int64(item.tokens)
		default:
			after += int64(item.tokens)
		}
	}
	return distance(before+after, m.Reasoning) < distance(after, m.Reasoning)
}

// unreported returns the reasoning of a response without a usage so far that the next prompt may contain. Its length
// is only estimated, and the response may have broken off.
func (s *Session) unreported() int64 {
	if s.anchor() == nil {
		return 0
	}
	n := s.conversation.pending.unmeasured.resent(s.calibration.mode)
	if n < brokenLeast {
		return 0
	}
	return n
}

// sizeBroken corrects the estimated length of reasoning that no usage includes by the first prompt that contains it, if
// nothing else of that prompt was estimated: the same tokens leave with the turn.
func (s *Session) sizeBroken(o *outcome) {
	u := &o.folded.unmeasured
	n := u.resent(s.calibration.mode)
	if n < brokenLeast || u.past > 0 || o.folded.unscaled > 0 || o.p.leaving > 0 {
		return
	}
	size := min(max(n+o.r.in-o.p.used, 0), 2*n)
	u.tokens += size - n
	s.conversation.rows.tokens[Reasoning] += size - n
}

// applyBrokenOff marks items as output of a response that broke off. Those that a measured prompt contained stay, and
// so do those of a response whose measured length includes them.
func (s *Session) applyBrokenOff(e BrokenOff) {
	c := &s.conversation
	if r := s.anchor(); e.Measured && r != nil && r.through <= e.From && r.out != Unknown && s.includes(r, e.From, e.Until) {
		return
	}
	for i := max(e.From, c.folded); i < min(e.Until, len(c.items)); i++ {
		if item := c.items[i]; item.kind.Reply() && !item.has(slotRemoved) {
			c.change(i, item.flags&^slotReply|slotBroken)
		}
	}
}

// includes reports whether the measured length of the response to r fits its items better with a range of them than
// without it.
func (s *Session) includes(r *request, from, until int) bool {
	all, part := int64(0), int64(0)
	for i := r.through; i < len(s.conversation.items); i++ {
		item := s.conversation.items[i]
		if !item.has(slotReply) || item.has(slotRemoved) {
			continue
		}
		if all += int64(item.tokens); i >= from && i < until {
			part += int64(item.tokens)
		}
	}
	return distance(all, r.out) < distance(all-part, r.out)
}
