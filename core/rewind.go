// Copyright The ctx-lsp authors. MIT licence.

package core

// past is what was changed inside the conversation since earlier prompts.
type past struct {
	edits []edit
}

// edit is an item changed after so many requests had been measured.
type edit struct {
	index, requests int
	was, is         int64
	basis           Basis
	why             string
}

const editsKept = 4096

func (h *past) edited(e edit) {
	if len(h.edits) >= editsKept {
		h.edits = append(h.edits[:0], h.edits[editsKept/2:]...)
	}
	h.edits = append(h.edits, e)
}

// forgetOldest renumbers after so many requests were forgotten.
func (h *past) forgetOldest(requests int) {
	for i := range h.edits {
		h.edits[i].requests -= requests
	}
}

// recallPast makes the session differ from the prompt that a rewind went back
// to by what has changed since, and by nothing else. The changes since the prompts
// that are gone are forgotten already.
func (s *Session) recallPast(r *request, from int) {
	at := len(s.requests.list) - 1
	s.fixed.goBack(at)
	kept := s.past.edits[:0]
	for _, e := range s.past.edits {
		if e.index >= from {
			continue
		}
		after := e.requests > at
		e.requests = min(e.requests, at+1)
		kept = append(kept, e)
		if e.index < r.through && after {
			s.changes.leaving.add(e.why, e.was)
			s.changes.enter(e.is, e.basis)
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
		s.requests.list = s.requests.list[:0]
		s.items = s.items[:0]
		s.rows, s.basis, s.counts = [kinds]int64{}, [kinds]Basis{}, [kinds]int64{}
		s.pending, s.through = pending{}, 0
		s.replyOver, s.thought = false, 0
		s.turn.reasoning = reasoningSum{}
		s.turn.move(conversationCompacted)
		s.changes.forget()
		s.past = past{}
		s.fixed.earlier = nil
		s.fixed.endTurn()
		return
	}
	replyEnd := len(s.items) // where the anchor's reply ends at the latest
	folded, measured := s.through, len(s.requests.list)
	for len(s.requests.list) > 0 && s.anchor().through > from {
		r := s.anchor()
		s.rows[Assistant] -= r.reply.assistant
		s.rows[ToolCalls] -= r.reply.calls
		s.rows[Reasoning] -= r.reply.reasoning
		replyEnd = r.through
		s.requests.list = s.requests.list[:len(s.requests.list)-1]
		s.changes.forget()
	}
	if r := s.anchor(); r != nil && len(s.requests.list) < measured {
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
	if r := s.anchor(); r != nil && cut {
		r.flags |= requestCut
	}
	s.rewindTurn()
	if s.anchor() == nil || s.turn.phase.over() {
		s.fixed.endTurn()
	}
}
