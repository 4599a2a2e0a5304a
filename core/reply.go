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
	said := p.reply[Assistant] + p.reply[ToolCalls]
	switch items := p.replyItems - p.replyReasoningItems; {
	case items > 0 && p.replyCounted == items && said <= rest:
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
	said := p.replyTotal()
	if dropped {
		said -= p.reply[Reasoning]
	}
	if r.has(requestCut) {
		return said, Estimated
	}
	if r.out == Unknown {
		if said == 0 {
			return 0, BasisUnknown
		}
		return said, Estimated
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
	if dropped {
		if n, rounded := s.unrounded(r, p, carry); rounded {
			return n, Estimated
		}
	}
	if said > carry && (r.has(requestPlaceholder) || implausible(r.out, said)) {
		return said, Estimated
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
	if said := p.replyTotal() - n; n > 0 && r.out > said && s.resolved.Meter.Family() == "o200k" {
		return r.out - said
	}
	return n
}

// implausible reports whether a response cannot have the length out, because its own items are several times as long.
// Some agents record the first number of a stream and never the last one.
func implausible(out, said int64) bool { return out*4 < said && said-out >= 32 }
