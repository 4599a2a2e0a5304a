// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

const (
	// segmentMost is how many items a prompt may add for their estimates to be compared with its growth.
	segmentMost = 512
	// segmentTimes is how many times as large, or as small, as estimated they may be.
	segmentTimes = 4
)

// foldedSize returns the size of an item in the measured prompts, which is how much leaves with it. If another
// tokenizer measured it, the table of tokenizers converts the size.
func (s *Session) foldedSize(index int) int64 {
	size, then := s.measuredSize(index), s.densityOf(index)
	if then == 0 {
		return size
	}
	size = mulDiv(size, s.resolved.Meter.Density(), then)
	s.changes.converted += size
	return size
}

// densityOf returns the density of the tokenizer that measured the first prompt with an item; 0 if it still counts.
func (s *Session) densityOf(index int) int64 {
	list, states := s.requests.list, s.fixed.earlier
	i := len(states) - 1
	for i > 0 && states[i].request > 0 && list[min(states[i].request, len(list))-1].through > index {
		i--
	}
	if i < 0 || states[i].density == s.resolved.Meter.Density() {
		return 0
	}
	return states[i].density
}

// measuredSize returns an item's share of the reply that the provider measured, or of the growth of the prompt that
// added it. A counted size stays as it is.
func (s *Session) measuredSize(index int) int64 {
	item := s.conversation.items[index]
	n := int64(item.tokens)
	if item.basis != Estimated || item.has(slotHidden) {
		return n
	}
	if item.has(slotReply) {
		return s.replySizeOf(index, n)
	}
	list := s.requests.list
	i := len(list) - 1
	for i > 0 && list[i-1].through > index {
		i--
	}
	if i < 0 || list[i].through <= index {
		return s.calibration.scale(n)
	}
	from, to := i-1, i
	if i == 0 { // the fixed context hides the size of its items: those of all other prompts stand for them
		from, to = 0, len(list)-1
	}
	grown, estimated := s.growth(from, to)
	switch {
	case estimated == 0 || editedIn(s.conversation.edits, index, to), // it was another text then
		i == 0 && estimated < n: // smaller texts show little of it
		return s.calibration.scale(n)
	case near(grown, estimated):
		return n
	case grown*segmentTimes < estimated || grown > estimated*segmentTimes:
		return s.calibration.scale(n)
	}
	return mulDiv(n, grown, estimated)
}

// growth returns by how much the estimated items between two requests made prompts grow, and their estimates; 0 if
// that is not known.
func (s *Session) growth(from, to int) (grown, estimated int64) {
	list := s.requests.list
	items := s.conversation.items
	// A host may report prompts of more items than it has sent, and shorter ones after longer ones.
	if begin, end := list[from].through, list[to].through; begin > end || end > len(items) || end-begin > segmentMost {
		return 0, 0
	}
	for i := from; i < to; i++ {
		r, next := &list[i], &list[i+1]
		if r.out == Unknown || next.has(requestRemodeled) || (r.flags|next.flags)&(requestOverflow|requestStated|requestInflated|requestDoubtful) != 0 {
			return 0, 0
		}
		grown += next.in - r.in - r.out
		if mode := s.calibration.mode; mode == ReasoningNever || mode == ReasoningTurn && r.turn != next.turn {
			grown += r.ownReasoning.tokens // it was not sent again
		}
	}
	begin, end := list[from].through, list[to].through
	for i := begin; i < end; i++ {
		switch other := &items[i]; {
		case other.has(slotReply):
		case other.basis == Estimated:
			estimated += int64(other.tokens)
		default:
			grown -= int64(other.tokens)
		}
	}
	edits := s.conversation.edits
	first, _ := slices.BinarySearchFunc(edits, from+1, func(e edit, requests int) int { return e.requests - requests })
	for n := first; n < len(edits); n++ {
		switch e := &edits[n]; {
		case e.requests <= to: // between these prompts
			grown += e.before - e.after
		case e.index < begin || e.index >= end || items[e.index].has(slotReply) || editedIn(edits[first:n], e.index, to):
		default: // it was another text then
			now := &items[e.index]
			estimated += e.texts - now.estimate()
			if e.texts == 0 {
				grown -= e.before
			}
			if now.basis != Estimated {
				grown += int64(now.tokens)
			}
		}
	}
	return grown, estimated
}

// editedIn reports whether any of these changes, after a number of requests, is to an item.
func editedIn(edits []edit, index, after int) bool {
	return slices.ContainsFunc(edits, func(e edit) bool { return e.index == index && e.requests > after })
}

// near reports whether two sizes differ by no more than the framing of a few messages.
func near(measured, estimated int64) bool {
	return distance(measured, estimated) <= max(16, estimated/20)
}

// replySizeOf returns an item's share of the reply that contains it, as the provider measured it.
func (s *Session) replySizeOf(index int, n int64) int64 {
	r := s.producer(index)
	if r == nil || r.out == Unknown || r.has(requestPlaceholder|requestCut|requestDoubtful) {
		return s.calibration.scale(n)
	}
	sum := int64(0)
	items := s.conversation.items
	for i := r.through; i < len(items) && items[i].has(slotReply); i++ {
		if items[i].kind != Reasoning {
			sum += int64(items[i].tokens)
		}
	}
	measured := r.out - max(r.ownReasoning.tokens, 0)
	if near(measured, sum) {
		return n
	}
	if measured*segmentTimes < sum || measured > sum*segmentTimes {
		return s.calibration.scale(n)
	}
	return mulDiv(n, measured, max(sum, 1))
}
