// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// turn holds the current turn's phase, and the reasoning that is kept until it ends.
type turn struct {
	number int64 // the turn's number; 0 before the first
	phase  phase
	// explicit is set once the start or end of a turn was reported. From then on, none is inferred from items.
	explicit bool
	calls    int64 // requests of all turns
	begun    int64 // those before the current turn
	// lengths are the numbers of requests of finished turns.
	lengths series
	// reasoning is the reasoning of the turn's requests before the last one.
	reasoning reasoningSum
	// dropped is the reasoning of earlier turns since the last compaction.
	dropped reasoningSum
	// again is the part of the turn's reasoning, including that of the last request, that precedes the last message to
	// the agent: an agent that counts dropped reasoning counts this too, though it is still sent.
	again reasoningSum
	// cut is the reasoning of responses that a message broke off.
	cut reasoningSum
	// returned is the part of dropped that was sent again after a long pause: it leaves with the next turn. returning
	// is the part that the request being measured contained again.
	returned, returning int64
}

// reasoningSum is the reasoning of several responses.
type reasoningSum struct{ tokens, items int64 }

func (r *reasoningSum) add(o reasoningSum) {
	r.tokens += o.tokens
	r.items += o.items
}

// phase is the state of a turn. It combines three facts: whether a turn is open, whether a response is awaited, and
// whether the last measured request belongs to a finished turn, so that reasoning kept inside a turn leaves.
type phase uint8

const (
	// phaseIdle is outside any turn; the turn of the last request, if there is one, has not ended. Sessions begin in
	// this phase.
	phaseIdle phase = iota
	// phaseEnded is outside any turn, after the last one has ended.
	phaseEnded
	// phaseBegun awaits a turn's first response, with no measured request before it.
	phaseBegun
	// phaseAsked awaits a turn's first response; the last request belongs to an earlier turn.
	phaseAsked
	// phaseWorking is inside a turn that has had its first response. The last request, if there is one, belongs to it.
	phaseWorking
	// phaseUnanswered is inside a turn that awaits nothing, though the last request belongs to an earlier turn: the
	// turn's request was refused, or the turn was rewound to its beginning.
	phaseUnanswered
	phases
)

// turnEvent is an event that moves a turn to another phase.
type turnEvent uint8

const (
	// turnStarted and turnEnded happen after a measured request, turnStartedFirst and turnEndedFirst without one.
	turnStarted turnEvent = iota
	turnStartedFirst
	turnEnded
	turnEndedFirst
	// requestMeasured is a request of this turn, turnRefused a refusal that may give its size.
	requestMeasured
	turnRefused
	// conversationCompacted is a compaction or the clearing of everything.
	conversationCompacted
	// rewoundInTurn and rewoundBeforeTurn are rewinds to a request of this turn or of an earlier one. rewoundToNothing
	// is a rewind to before all requests.
	rewoundInTurn
	rewoundBeforeTurn
	rewoundToNothing
	turnEvents
)

// transitions gives the next phase by phase and event.
var transitions = [phases][turnEvents]phase{
	phaseIdle: {
		turnStarted: phaseAsked, turnStartedFirst: phaseBegun,
		turnEnded: phaseEnded, turnEndedFirst: phaseIdle,
		requestMeasured: phaseIdle, turnRefused: phaseIdle, conversationCompacted: phaseIdle,
		rewoundInTurn: phaseIdle, rewoundBeforeTurn: phaseEnded, rewoundToNothing: phaseIdle,
	},
	phaseEnded: {
		turnStarted: phaseAsked, turnStartedFirst: phaseAsked,
		turnEnded: phaseEnded, turnEndedFirst: phaseEnded,
		requestMeasured: phaseIdle, turnRefused: phaseEnded, conversationCompacted: phaseIdle,
		rewoundInTurn: phaseIdle, rewoundBeforeTurn: phaseEnded, rewoundToNothing: phaseEnded,
	},
	phaseBegun: {
		turnStarted: phaseAsked, turnStartedFirst: phaseBegun,
		turnEnded: phaseEnded, turnEndedFirst: phaseIdle,
		requestMeasured: phaseWorking, turnRefused: phaseWorking, conversationCompacted: phaseWorking,
		rewoundInTurn: phaseWorking, rewoundBeforeTurn: phaseUnanswered, rewoundToNothing: phaseWorking,
	},
	phaseAsked: {
		turnStarted: phaseAsked, turnStartedFirst: phaseAsked,
		turnEnded: phaseEnded, turnEndedFirst: phaseEnded,
		requestMeasured: phaseWorking, turnRefused: phaseUnanswered, conversationCompacted: phaseWorking,
		rewoundInTurn: phaseWorking, rewoundBeforeTurn: phaseUnanswered, rewoundToNothing: phaseUnanswered,
	},
	phaseWorking: {
		turnStarted: phaseAsked, turnStartedFirst: phaseBegun,
		turnEnded: phaseEnded, turnEndedFirst: phaseIdle,
		requestMeasured: phaseWorking, turnRefused: phaseWorking, conversationCompacted: phaseWorking,
		rewoundInTurn: phaseWorking, rewoundBeforeTurn: phaseUnanswered, rewoundToNothing: phaseWorking,
	},
	phaseUnanswered: {
		turnStarted: phaseAsked, turnStartedFirst: phaseAsked,
		turnEnded: phaseEnded, turnEndedFirst: phaseEnded,
		requestMeasured: phaseWorking, turnRefused: phaseUnanswered, conversationCompacted: phaseWorking,
		rewoundInTurn: phaseWorking, rewoundBeforeTurn: phaseUnanswered, rewoundToNothing: phaseUnanswered,
	},
}

// open reports whether a turn is running: the user has sent a message and the agent is not done.
func (p phase) open() bool { return p >= phaseBegun }

// awaiting reports whether the first response to the user's message is awaited.
func (p phase) awaiting() bool { return p == phaseBegun || p == phaseAsked }

// ended reports whether the turn of the last measured request has ended.
func (p phase) ended() bool { return p == phaseEnded || p == phaseAsked || p == phaseUnanswered }

func (t *turn) move(h turnEvent) { t.phase = transitions[t.phase][h] }

// moveAfter moves the turn by then if a request was measured, and by first otherwise.
func (t *turn) moveAfter(measured bool, then, first turnEvent) {
	if !measured {
		then = first
	}
	t.move(then)
}

func (t *turn) walk(c *codec.Codec) {
	c.Ints("number reasoning.tokens reasoning.items", &t.number, &t.reasoning.tokens, &t.reasoning.items)
	c.Ints("calls dropped.tokens dropped.items returned", &t.calls, &t.dropped.tokens, &t.dropped.items, &t.returned)
	codec.Below(c, "phase", &t.phase, phases)
	c.Ints("again.tokens again.items cut.tokens cut.items", &t.again.tokens, &t.again.items, &t.cut.tokens, &t.cut.items)
	c.Bools("explicit", &t.explicit)
	c.Ints("begun", &t.begun)
	t.lengths.walk(c.Part("lengths"))
	c.Refuse(t.begun < 0 || t.begun > t.calls)
}

// applyTurnStarted begins a turn that was reported explicitly.
func (s *Session) applyTurnStarted() {
	s.turn.explicit = true
	s.startTurn()
}

// applySteered records that the user sent a message during the running turn.
func (s *Session) applySteered(e Steered) {
	s.turn.explicit = true
	if c := &s.calibration; !c.steerKnown {
		c.steerKnown, c.steerKeeps = true, e.Keeps
	}
	s.changes.steered = len(s.requests.list) > 0
	s.countReasoningAgain()
}

// countReasoningAgain records that the turn's reasoning so far precedes a message to the agent.
func (s *Session) countReasoningAgain() { s.turn.again = s.reasoningInTurn() }

// reasoningInTurn returns the reasoning of the turn's measured requests.
func (s *Session) reasoningInTurn() reasoningSum {
	sum, r := s.turn.reasoning, s.anchor()
	if r != nil && !s.turn.phase.ended() {
		sum.add(reasoningSum{s.reasoningOf(r, &s.conversation.pending), int64(s.conversation.pending.replyReasoningItems)})
	}
	return sum
}

// startTurn begins a turn after a user message, and drops content that was kept only for the last one.
func (s *Session) startTurn() {
	if s.turn.phase != phaseEnded {
		s.closeTurn()
	}
	s.turn.count()
	s.turn.number++
	s.turn.moveAfter(len(s.requests.list) > 0, turnStarted, turnStartedFirst)
	s.fixed.beginTurn()
	s.activity.begun = Unknown
}

// count records how many requests the finished turn had.
func (t *turn) count() {
	if n := t.calls - t.begun; n > 0 {
		t.lengths.add(n)
	}
	t.begun = t.calls
}

// applyTurnEnded ends a turn: the agent waits for the user.
func (s *Session) applyTurnEnded() {
	s.turn.explicit = true
	if s.turn.phase.open() {
		s.fixed.documents.fresh, s.fixed.memory.fresh = false, false // whatever was attached, was attached to this turn
	}
	s.closeTurn()
	s.turn.moveAfter(len(s.requests.list) > 0, turnEnded, turnEndedFirst)
	s.fixed.expect()
	s.awaitNothing()
}

// awaitNothing records that none of the items so far awaits a response any more.
func (s *Session) awaitNothing() {
	s.conversation.unawaited = len(s.conversation.items)
	if r := s.anchor(); r != nil {
		r.flags &^= requestPartial
	}
}

// closeTurn drops content that is kept only for one turn.
func (s *Session) closeTurn() {
	s.conversation.closeReasoning()
	s.fixed.turnHad(s.turn.number)
	s.fixed.endTurn()
}

// reasoningOver reports whether reasoning that is kept inside a turn is no longer sent: the turn has ended, or the user
// has sent a message during it.
func (s *Session) reasoningOver() bool {
	return s.turn.phase.ended() || s.changes.steered && !s.calibration.steerKeeps
}

// reasoningLeaves reports whether the turn's reasoning leaves the prompt now in the given mode.
func (s *Session) reasoningLeaves(mode ReasoningMode) bool {
	return mode == ReasoningTurn && s.reasoningOver()
}

// returnedLeaving returns how much reasoning of earlier turns that came back after a pause will leave with the next
// prompt.
func (s *Session) returnedLeaving(mode ReasoningMode) int64 {
	if mode == ReasoningTurn && s.turn.phase.ended() {
		return s.turn.returned
	}
	return 0
}

// returnedLeast is how much reasoning must have been dropped before a prompt that is longer than expected can show its
// return.
const returnedLeast = 300

// learnReturned detects that a prompt contains the reasoning of all earlier turns again: it is longer than expected by
// exactly that much. Without a pause, this is assumed only if reasoning has left before, and not in two consecutive
// turns: otherwise it was never dropped, which checkMode finds out.
func (s *Session) learnReturned(r *request, folded *pending, p *prediction) {
	if s.calibration.mode != ReasoningTurn || !s.turn.phase.ended() {
		return
	}
	if left := s.calibration.check.refuted.has(ReasoningAlways) && s.turn.returned == 0; !left && !s.changes.resumed {
		return
	}
	sum := s.turn.dropped.tokens + s.turn.reasoning.tokens
	if previous := s.anchor(); previous != nil {
		sum += s.reasoningOf(previous, folded)
	}
	if excess := r.in - p.used; sum >= returnedLeast && distance(excess, sum)*25 <= sum {
		s.turn.returning = excess
	}
}

// turnMeasured moves the reasoning of the response before a request into that request's prompt, or drops it with its
// turn.
func (s *Session) turnMeasured(previous, r *request, folded *pending) {
	t := &s.turn
	t.calls++
	if previous != nil {
		previous.ownReasoning = reasoningSum{s.reasoningOf(previous, folded), int64(folded.replyReasoningItems)}
	}
	if s.reasoningOver() || previous == nil {
		if s.calibration.mode == ReasoningTurn {
			s.conversation.rows.tokens[Reasoning] = max(s.conversation.rows.tokens[Reasoning]-t.reasoning.tokens, 0)
		}
		t.dropped.add(t.reasoning)
		t.dropped.add(t.cut)
		t.dropped.items += int64(folded.replyReasoningItems)
		if previous != nil {
			t.dropped.tokens += previous.ownReasoning.tokens
		}
		t.reasoning, t.again, t.cut = reasoningSum{}, reasoningSum{}, reasoningSum{}
		t.number = max(t.number, 1)
		r.turn = t.number
	} else {
		t.reasoning.add(previous.ownReasoning)
	}
	if t.phase.ended() {
		t.returned = t.returning
	}
	t.returning = 0
	t.move(requestMeasured)
	t.cutOff(&folded.unmeasured, s.calibration.mode)
	if s.calibration.mode == ReasoningTurn {
		t.reasoning.tokens += folded.unmeasured.resent(ReasoningTurn) // no usage includes it
	}
}

// cutOff adds reasoning that no usage includes. If its size is not recorded either, it is that of the measured
// responses.
func (t *turn) cutOff(u *unmeasuredReasoning, mode ReasoningMode) {
	tokens := u.tokens
	if measured := t.reasoning.items + t.dropped.items; tokens < u.items && measured > 0 {
		tokens = mulDiv(u.items, t.reasoning.tokens+t.dropped.tokens, measured)
	} else if mode == ReasoningTurn {
		tokens = 0 // it is part of the turn's reasoning
	}
	t.cut.add(reasoningSum{tokens, u.items})
}

// rewindTurn returns to the turn of the last remaining request.
func (s *Session) rewindTurn() {
	r := s.anchor()
	if r == nil {
		s.turn.move(rewoundToNothing)
		return
	}
	s.turn.reasoning = s.requests.reasoningBefore()
	if r.turn == s.turn.number {
		s.turn.move(rewoundInTurn)
	} else {
		s.turn.move(rewoundBeforeTurn)
	}
}
