// Copyright The ctx-lsp authors. MIT licence.

package core

// past is what a rewind needs to know of earlier prompts beyond their length:
// what surrounded the conversation then, and what was changed inside it since.
type past struct {
	surroundings []surroundings
	edits        []edit
}

// surroundings are the fixed rows, and the density of the tokenizer, from a
// request on until the next entry.
type surroundings struct {
	request int
	fixed   [Summary]int64
	density int64
}

// edit is an item changed after so many requests had been measured.
type edit struct {
	index, requests int
	was, is         int64
	basis           Basis
	why             string
}

const (
	surroundingsKept = 512
	editsKept        = 4096
)

// settleSurroundings takes the fixed rows as those of the request just
// measured.
func (s *Session) settleSurroundings() {
	s.fixedThen, s.documentsFresh = s.fixedSum, false
	s.undescribed = len(s.requests) == 1 && s.untold()
	s.densityThen = s.resolved.Meter.Density()
	h := &s.past.surroundings
	if n := len(*h); n > 0 && (*h)[n-1].fixed == s.fixedThen && (*h)[n-1].density == s.densityThen {
		return
	}
	if len(*h) >= surroundingsKept {
		*h = append((*h)[:0], (*h)[surroundingsKept/2:]...)
	}
	*h = append(*h, surroundings{len(s.requests) - 1, s.fixedThen, s.densityThen})
}

// untold is whether nothing but documents has ever been told around the
// conversation.
func (s *Session) untold() bool {
	for k := System; k < Documents; k++ {
		if len(s.fixed[k]) > 0 {
			return false
		}
	}
	return true
}

// describe adds a fixed row to prompts that were measured before it was told.
func (h *past) describe(k Kind, tokens int64) {
	for i := range h.surroundings {
		h.surroundings[i].fixed[k] = tokens
	}
}

func (h *past) edited(e edit) {
	if len(h.edits) >= editsKept {
		h.edits = append(h.edits[:0], h.edits[editsKept/2:]...)
	}
	h.edits = append(h.edits, e)
}

// forgetOldest renumbers after so many requests were forgotten.
func (h *past) forgetOldest(requests int) {
	for i := range h.surroundings {
		h.surroundings[i].request -= requests
	}
	for i := range h.edits {
		h.edits[i].requests -= requests
	}
}

// anchorAt makes a request the one that used is computed from.
func (s *Session) anchorAt(r request) {
	if len(s.requests) >= maxRequests {
		s.requests = append(s.requests[:0], s.requests[maxRequests/2:]...)
		s.past.forgetOldest(maxRequests / 2)
	}
	s.requests = append(s.requests, r)
	s.replyOver = false
	s.forgetChanges()
	s.settleSurroundings()
}

// recallPast makes the session differ from the prompt that a rewind went back
// to by what has changed since, and by nothing else. The changes since the prompts
// that are gone are forgotten already.
func (s *Session) recallPast(r *request, from int) {
	at := len(s.requests) - 1
	h := s.past.surroundings
	for len(h) > 1 && h[len(h)-1].request > at {
		h = h[:len(h)-1]
	}
	if len(h) > 0 {
		s.fixedThen, s.densityThen = h[len(h)-1].fixed, h[len(h)-1].density
	}
	s.past.surroundings = h

	kept := s.past.edits[:0]
	for _, e := range s.past.edits {
		if e.index >= from {
			continue
		}
		after := e.requests > at
		e.requests = min(e.requests, at+1)
		kept = append(kept, e)
		if e.index < r.through && after {
			s.leaving.add(e.why, e.was)
			s.replaced += e.is
			s.replacedBasis = s.replacedBasis.with(e.basis)
		}
	}
	s.past.edits = kept
}

// truncate takes items back: a rewind, a branch. The last prompt that held
// none of them becomes the measured one again.
func (s *Session) truncate(from int) {
	if from < 0 || from > 0 && from >= len(s.items) {
		return
	}
	if from == 0 { // also when nobody itemised what is cleared
		s.requests = s.requests[:0]
		s.items = s.items[:0]
		s.rows, s.basis, s.counts = [kinds]int64{}, [kinds]Basis{}, [kinds]int64{}
		s.pending, s.through = pending{}, 0
		s.replyOver, s.thought = false, 0
		s.turnReasoning, s.turnReasonings = 0, 0
		s.turnOver, s.waiting = false, false
		s.forgetChanges()
		s.past = past{}
		s.detachDocuments()
		return
	}
	replyEnd := len(s.items) // where the anchor's reply ends at the latest
	folded, measured := s.through, len(s.requests)
	for len(s.requests) > 0 && s.anchor().through > from {
		r := s.anchor()
		s.rows[Assistant] -= r.replyAssistant
		s.rows[ToolCalls] -= r.replyCalls
		s.rows[Reasoning] -= r.replyReasoning
		replyEnd = r.through
		s.requests = s.requests[:len(s.requests)-1]
		s.forgetChanges()
	}
	if r := s.anchor(); r != nil && len(s.requests) < measured {
		s.recallPast(r, from)
	}
	anchored := 0
	if r := s.anchor(); r != nil {
		anchored = min(r.through, len(s.items))
	}
	cut := false
	for i := from; i < replyEnd && i < len(s.items); i++ {
		cut = cut || s.items[i].is(slotReply)
	}
	for i := len(s.items) - 1; i >= anchored; i-- {
		at := s.items[i]
		if i >= folded {
			s.pending.add(at, -1)
		} else if !at.is(slotReply) && !at.is(slotGone) {
			s.unfold(at)
		}
	}
	s.items = s.items[:from]
	s.through = min(anchored, from)
	s.pending, s.replyOver = pending{}, false
	s.thought = min(s.thought, from)
	for i := s.through; i < from; i++ {
		at := s.items[i]
		s.replyOver = s.replyOver || at.kind == User && !at.is(slotHidden) && s.pending.replyItems > 0
		s.pending.add(at, 1)
	}
	if r := s.anchor(); r != nil {
		if cut {
			r.flags |= requestCut
		}
		s.turnReasoning, s.turnReasonings = 0, 0
		for i := len(s.requests) - 2; i >= 0 && s.requests[i].turn == r.turn; i-- {
			s.turnReasoning += s.requests[i].thinking
			s.turnReasonings += int(s.requests[i].thinkings)
		}
		s.turnOver = r.turn != s.turn
	}
	if s.anchor() == nil || s.turnOver {
		s.detachDocuments()
	}
	s.waiting = false
}
