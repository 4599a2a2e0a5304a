// Copyright The ctx-lsp authors. MIT licence.

package core

const (
	requestPartial     = 1 << iota // a stream that has not ended
	requestOverflow                // a refusal: the prompt was measured, nothing was answered
	requestStated                  // not measured: what somebody says is left after compaction
	requestInflated                // a provider-side tool put content into this prompt only
	requestPlaceholder             // out was recorded before it was known
	requestCut                     // part of its reply was taken back
	requestLowerBound              // the prompt is at least this long
)

// maxRequests bounds how far back a rewind finds a measured prompt.
const maxRequests = 4096

// request is what is kept of one metered prompt.
type request struct {
	id                                         uint64
	in, out, reasoning, cacheRead, cacheWrite  int64
	through                                    int
	turn                                       int64
	flags                                      uint8
	replyAssistant, replyCalls, replyReasoning int64        // rows of the reply before it
	ownReasoning                               reasoningSum // of its own reply, once the next prompt holds it
}

func (r *request) is(flag uint8) bool { return r.flags&flag != 0 }

// meter takes in what a provider measured.
func (s *Session) meter(m *Metered) {
	if m.Note != "" {
		s.warnings.add(m.Note)
	}
	if m.Window > 0 {
		s.limits.set(Limits{m.Window, Unknown, Unknown}, FromProvider)
	}
	if m.Sum {
		s.history.spent.atLeast(m)
		s.warnings.add("A sum over several requests was refused as occupancy: it says what was spent, not what is in the window.")
		return
	}
	if m.Aside {
		s.history.spent.add(m)
		s.warnings.add("The usage of a request that compacts the conversation was refused as occupancy; the next request tells what is left.")
		return
	}
	id := uint64(0)
	if m.Request != "" {
		id = hash(m.Request)
		for i := len(s.requests) - 1; i >= 0 && i >= len(s.requests)-64; i-- {
			if s.requests[i].id == id {
				s.remeter(i, m)
				return
			}
		}
	}
	if m.Ambiguous && s.Mode == ProviderOnly {
		s.warnings.add("A usage whose shape stays ambiguous is not shown in provider mode.")
		return
	}
	if m.In <= 0 {
		s.history.spent.add(m)
		s.warnings.add("A usage does not say how long the prompt was; the last measured prompt stays.")
		return
	}
	if last := s.anchor(); m.ThroughSet && last != nil && m.Through < last.through && !last.is(requestOverflow|requestStated) {
		// It measured an earlier prompt than the one that is known.
		if !m.Partial {
			s.history.spent.add(m)
		}
		return
	}
	foretold := s.foretell(m)
	r := request{id: id, in: m.In, out: m.Out, reasoning: m.Reasoning, cacheRead: m.CacheRead, cacheWrite: m.CacheWrite, turn: s.turn.number}
	r.mark(m)
	r.through = s.promptEnd(m)

	previous := s.anchor()
	folded := s.fold(r.through)
	if previous != nil {
		s.foldReply(previous, &r, &folded)
	}
	s.learn(previous, &r, &folded, m, foretold)
	s.history.requested(r.in)
	s.turnMeasured(previous, &r, &folded)
	s.remember(&r)

	s.anchorAt(r)
	if !m.Counted {
		s.history.spent.add(m)
		s.history.curve.point(s.now, s.history.spent.Calls, r.in)
	}
	s.history.justCompacted, s.restored = false, false
}

// foretell takes the model over that an answer names, after predicting its
// prompt without knowing it; nil where the model stays.
func (s *Session) foretell(m *Metered) *prediction {
	if m.Model.Model == "" || m.Model == (ModelSet{s.Model, s.Provider, s.Route}) {
		return nil
	}
	var p *prediction
	if s.Model != "" {
		before := s.predict(&s.pending, nil, s.calibration.mode)
		p = &before
	}
	s.setModel(m.Model)
	return p
}

func (r *request) mark(m *Metered) {
	r.flags &^= requestPartial
	if m.Partial {
		r.flags |= requestPartial
	}
	if m.ServerTools {
		r.flags |= requestInflated
	}
	if m.OutPlaceholder {
		r.flags |= requestPlaceholder
	} else {
		r.flags &^= requestPlaceholder
	}
}

// remeter replaces what a request reported before: a later piece of its
// stream, or the same record once more.
func (s *Session) remeter(i int, m *Metered) {
	r := &s.requests[i]
	if m.Ambiguous && s.Mode == ProviderOnly {
		return
	}
	s.history.spent.replace(r, m)
	last := i == len(s.requests)-1
	if m.In > 0 && m.In != r.in {
		r.in = m.In
		if last {
			s.calibration.correct(r.in)
			s.history.curve.amend(r.in)
		}
	}
	replaceKnown(&r.out, m.Out)
	replaceKnown(&r.reasoning, m.Reasoning)
	replaceKnown(&r.cacheRead, m.CacheRead)
	replaceKnown(&r.cacheWrite, m.CacheWrite)
	r.mark(m)
	if last && m.ThroughSet && m.Through > r.through {
		r.through = m.Through
		s.fold(r.through)
	}
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

// A share is what a reply carries into the next prompt, divided among rows.
type share struct {
	assistant, calls, reasoning int64
	basis                       Basis // of what it says and calls
}

// attribute divides what a reply carries among rows. What the caller has
// counted stays as it is while there is room; the rest is nobody's.
func (s *Session) attribute(r *request, p *pending) (out share) {
	carry, _ := s.carry(r, p, s.calibration.mode)
	if s.calibration.mode != ReasoningNever && !s.reasoningLeaves(s.calibration.mode) {
		out.reasoning = p.reply[Reasoning]
		if r.reasoning != Unknown {
			out.reasoning = r.reasoning
		}
		out.reasoning = min(out.reasoning, carry)
	}
	rest := carry - out.reasoning
	said := p.reply[Assistant] + p.reply[ToolCalls]
	switch items := p.replyItems - p.reasoning; {
	case items > 0 && p.replyGiven == items && said <= rest:
		out.assistant, out.calls, out.basis = p.reply[Assistant], p.reply[ToolCalls], Counted
		return out
	case said > 0:
		out.calls = mulDiv(rest, p.reply[ToolCalls], said)
	}
	out.assistant = rest - out.calls
	out.basis = Estimated
	if p.replyItems == 0 && r.out != Unknown {
		out.basis = Measured
	}
	return out
}

// foldReply puts the reply to a request into the rows of the prompt after it.
func (s *Session) foldReply(to, next *request, p *pending) {
	share := s.attribute(to, p)
	next.replyAssistant, next.replyCalls, next.replyReasoning = share.assistant, share.calls, share.reasoning
	s.rows[Assistant] += share.assistant
	s.rows[ToolCalls] += share.calls
	s.rows[Reasoning] += share.reasoning
	share.rate(&s.basis)
}

// rate joins the basis of a share with that of the rows it is added to.
func (h *share) rate(basis *[kinds]Basis) {
	if h.assistant > 0 {
		basis[Assistant] = basis[Assistant].with(h.basis)
	}
	if h.calls > 0 {
		basis[ToolCalls] = basis[ToolCalls].with(h.basis)
	}
	if h.reasoning > 0 {
		basis[Reasoning] = basis[Reasoning].with(Measured)
	}
}

// carry is the part of an answer that will be in the next prompt.
func (s *Session) carry(r *request, p *pending, mode ReasoningMode) (int64, Basis) {
	if r.is(requestOverflow|requestStated) && r.out == Unknown && p.replyTotal() == 0 {
		return 0, Measured
	}
	dropped := mode == ReasoningNever || s.reasoningLeaves(mode)
	said := p.replyTotal()
	if dropped {
		said -= p.reply[Reasoning]
	}
	if r.is(requestCut) {
		return said, Estimated
	}
	if r.out == Unknown {
		if said == 0 {
			return 0, BasisUnknown
		}
		return said, Estimated
	}
	carry, basis := r.out, Measured
	if dropped {
		if r.reasoning != Unknown {
			carry -= r.reasoning
		} else if p.reply[Reasoning] > 0 {
			carry -= p.reply[Reasoning]
			basis = Estimated
		}
	}
	carry = max(carry, 0)
	if said > carry && (r.is(requestPlaceholder) || implausible(r.out, said)) {
		return said, Estimated
	}
	return carry, basis
}

// reasoningOf is the reasoning of an answer: as reported, else as its items
// count.
func (r *request) reasoningOf(reply *pending) int64 {
	if r.reasoning != Unknown {
		return r.reasoning
	}
	return reply.reply[Reasoning]
}

// implausible is true for a length of an answer that cannot be one: the
// answer's own items are several times as long. Some agents record the first
// number of a stream and never the last.
func implausible(out, said int64) bool { return out*4 < said && said-out >= 32 }

// remember keeps what a first prompt tells about the part nobody shows.
func (s *Session) remember(r *request) {
	visible := sumRows(&s.fixed.now)
	for _, n := range s.rows {
		visible += n
	}
	s.residual.measured(r, visible, s.history.justCompacted)
}

// overflow takes in a refusal: it teaches the window, and how long the prompt
// that was refused really is.
func (s *Session) overflow(e *Overflowed) {
	if e.Note != "" {
		s.warnings.add(e.Note)
	}
	if e.Limit > 0 {
		l := NoLimits
		if e.LimitIs == LimitInput {
			l.Input = e.Limit
		} else {
			l.Window = e.Limit
		}
		s.limits.forget(FromError)
		s.limits.set(l, FromError)
	}
	s.turn.move(turnRefused)
	if e.Prompt <= 0 || s.Mode == ProviderOnly {
		return
	}
	r := request{
		in: e.Prompt, out: Unknown, reasoning: Unknown, cacheRead: Unknown, cacheWrite: Unknown,
		through: len(s.items), turn: s.turn.number, flags: requestOverflow,
	}
	if e.PromptIs != Exact {
		r.flags |= requestLowerBound
	}
	previous := s.anchor()
	folded := s.fold(len(s.items))
	if previous != nil {
		s.foldReply(previous, &r, &folded)
	}
	s.turnMeasured(previous, &r, &folded)
	s.anchorAt(r)
	s.history.justCompacted, s.restored = false, false
}
