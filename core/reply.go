// Copyright The ctx-lsp authors. MIT licence.

package core

// A replyShare is the part of a reply that the next prompt carries, divided among rows.
type replyShare struct {
	replyRows
	basis Basis // basis of its texts and calls
}

// replyShare divides the carried part of a reply among rows. Numbers that the caller has counted stay unchanged if they
// fit; the rest of the reply is then in no row.
func (s *Session) replyShare(r *request, p *pending) (out replyShare) {
	carry, _ := s.carry(r, p, s.calibration.mode)
	if s.calibration.mode != ReasoningNever && !s.reasoningLeaves(s.calibration.mode) {
		out.reasoning = p.reply[Reasoning]
		if r.reasoning != Unknown {
			out.reasoning = r.reasoning
		}
		out.reasoning = min(out.reasoning, carry)
	}
	rest := carry - out.reasoning
	fromItems := p.reply[Assistant] + p.reply[ToolCalls]
	switch items := p.replyItems - p.replyReasoningItems; {
	case items > 0 && p.replyCounted == items && fromItems <= rest:
		out.assistant, out.calls, out.basis = p.reply[Assistant], p.reply[ToolCalls], Counted
		return out
	case fromItems > 0:
		out.calls = mulDiv(rest, p.reply[ToolCalls], fromItems)
	}
	out.assistant = rest - out.calls
	out.basis = Estimated
	if p.replyItems == 0 && r.out != Unknown {
		out.basis = Measured
	}
	return out
}

// foldReply adds the reply to a request to the rows of the next prompt.
func (s *Session) foldReply(to, next *request, p *pending) {
	share := s.replyShare(to, p)
	next.reply = share.replyRows
	s.conversation.rows.addReply(&share)
}

// carry returns the part of a response that the next prompt will contain.
func (s *Session) carry(r *request, p *pending, mode ReasoningMode) (int64, Basis) {
	if r.has(requestOverflow|requestStated) && r.out == Unknown && p.replyTotal() == 0 {
		return 0, Measured
	}
	dropped := mode == ReasoningNever || s.reasoningLeaves(mode)
	fromItems := p.replyTotal()
	if dropped {
		fromItems -= p.reply[Reasoning]
	}
	if r.has(requestCut) {
		return fromItems, Estimated
	}
	if r.out == Unknown {
		if fromItems == 0 {
			return 0, BasisUnknown
		}
		return fromItems, Estimated
	}
	carry, basis := r.out, Measured
	if r.has(requestDoubtful) {
		basis = Estimated
	}
	if dropped {
		if n := s.reasoningOf(r, p); r.reasoning != Unknown || n > 0 {
			carry -= n
			if r.reasoning == Unknown {
				basis = Estimated
			}
		}
	}
	carry = max(carry, 0)
	if fromItems > carry && !r.has(requestRetried) && (r.has(requestPlaceholder) || implausible(r.out, fromItems, p)) {
		return fromItems, Estimated
	}
	return carry, basis
}

// reasoningOf returns the reasoning of a response: the reported number, otherwise the count of its items. OpenAI shows
// at most a summary of the reasoning, and its tokenizer is public: for its models, the reasoning is the response
// without its other items.
func (s *Session) reasoningOf(r *request, p *pending) int64 {
	if r.reasoning != Unknown {
		return r.reasoning
	}
	n := p.reply[Reasoning]
	if fromItems := p.replyTotal() - n; n > 0 && r.out > fromItems && s.resolved.Meter.Family() == "o200k" {
		return r.out - fromItems
	}
	return n
}

// implausible reports whether a response cannot have the length out, because its own items are several times as long,
// and not by the estimated frames of its calls. Some agents record the first number of a stream and never the last one.
func implausible(out, fromItems int64, p *pending) bool {
	least := int64(32)
	if p.reply[ToolCalls] > 0 {
		least = 64 * int64(p.replyItems)
	}
	return out*4 < fromItems && fromItems-out >= least
}
