// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// turn says whose turn it is, and holds the reasoning that lives no longer
// than a turn.
type turn struct {
	number int64 // of the turn; 0 before the first
	phase  phase
	// explicit is true once a beginning or an end of a turn was reported. From
	// then on none is inferred from items.
	explicit bool
	calls    int64 // requests, of all turns
	begun    int64 // of them, those before the turn that runs
	// lengths are how many requests the turns had that are over.
	lengths series
	// reasoning is that of the turn's requests before the last one.
	reasoning reasoningSum
	// dropped is that of earlier turns since the last compaction.
	dropped reasoningSum
	// returned is what came back of it after a long pause: it leaves with the
	// next turn. returning is what the request that is measured brought back.
	returned, returning int64
}

// reasoningSum is reasoning of several answers.
type reasoningSum struct{ tokens, items int64 }

func (r *reasoningSum) add(o reasoningSum) {
	r.tokens += o.tokens
	r.items += o.items
}

// phase is where a turn is. It tells three things that belong together:
// whether a turn is open, whether an answer is awaited, and whether the last
// measured request belongs to a turn that is over, so that reasoning kept
// inside a turn leaves.
type phase uint8

const (
	// phaseIdle is outside of any turn; the turn of the last request, if there
	// is one, has not ended. Sessions begin like that.
	phaseIdle phase = iota
	// phaseEnded is outside of any turn, and the last one is over.
	phaseEnded
	// phaseBegun is a turn whose first answer is awaited, with no measured
	// request before it.
	phaseBegun
	// phaseAsked is a turn whose first answer is awaited; the last request
	// belongs to an earlier turn.
	phaseAsked
	// phaseWorking is a turn that awaits no first answer, and to which the last
	// request belongs if there is one.
	phaseWorking
	// phaseUnanswered is a turn that awaits nothing, though the last request
	// belongs to an earlier one: it was refused, or rewound to its beginning.
	phaseUnanswered
	phases
)

// turnEvent is what moves a turn from one phase to another.
type turnEvent uint8

const (
	// turnStarted and turnEnded happen after a measured request,
	// turnStartedFirst and turnEndedFirst without any.
	turnStarted turnEvent = iota
	turnStartedFirst
	turnEnded
	turnEndedFirst
	// requestMeasured is a request of this turn, turnRefused an overflow that
	// may measure one.
	requestMeasured
	turnRefused
	// conversationCompacted is a compaction or the clearing of everything.
	conversationCompacted
	// rewoundInTurn and rewoundBeforeTurn are rewinds to a request of this
	// turn or of an earlier one, rewoundToNothing one to before all requests.
	rewoundInTurn
	rewoundBeforeTurn
	rewoundToNothing
	happenings
)

// transitions is the next phase by phase and happening.
var transitions = [phases][happenings]phase{
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

// open is true between the person's word and the agent handing back.
func (p phase) open() bool { return p >= phaseBegun }

// awaiting is true until the first answer to the person's word.
func (p phase) awaiting() bool { return p == phaseBegun || p == phaseAsked }

// over is true if the turn of the last measured request is over.
func (p phase) over() bool { return p == phaseEnded || p == phaseAsked || p == phaseUnanswered }

func (t *turn) move(h turnEvent) { t.phase = transitions[t.phase][h] }

// moveAfter moves by one of two happenings: the first if a request was
// measured, else the second.
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
	c.Bools("explicit", &t.explicit)
	c.Ints("begun", &t.begun)
	t.lengths.walk(c.Part("lengths"))
	c.Refuse(t.begun < 0 || t.begun > t.calls)
}

// applyTurnStarted begins a turn because somebody tells it.
func (s *Session) applyTurnStarted() {
	s.turn.explicit = true
	s.startTurn()
}

// applySteered notes that the person spoke into the running turn.
func (s *Session) applySteered(e Steered) {
	s.turn.explicit = true
	if c := &s.calibration; !c.steerKnown {
		c.steerKnown, c.steerKeeps = true, e.Keeps
	}
	s.changes.steered = len(s.requests.list) > 0
}

// startTurn begins a turn: the person has spoken. What the last turn kept for
// itself goes with it.
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

// count notes how many requests the turn had that is over.
func (t *turn) count() {
	if n := t.calls - t.begun; n > 0 {
		t.lengths.add(n)
	}
	t.begun = t.calls
}

// applyTurnEnded ends a turn: the agent hands back to the person.
func (s *Session) applyTurnEnded() {
	s.turn.explicit = true
	if s.turn.phase.open() {
		s.fixed.documents.fresh, s.fixed.memory.fresh = false, false // whatever was attached was attached to this turn
	}
	s.closeTurn()
	s.turn.moveAfter(len(s.requests.list) > 0, turnEnded, turnEndedFirst)
	s.fixed.expect()
	s.awaitNothing()
}

// awaitNothing notes that no item so far awaits an answer any more.
func (s *Session) awaitNothing() {
	s.conversation.unawaited = len(s.conversation.items)
	if r := s.anchor(); r != nil {
		r.flags &^= requestPartial
	}
}

// closeTurn drops what lives no longer than a turn.
func (s *Session) closeTurn() {
	s.conversation.closeReasoning()
	s.fixed.turnHad(s.turn.number)
	s.fixed.endTurn()
}

// reasoningOver is true when reasoning that is kept inside a turn is not sent
// again: the turn has ended, or the person has spoken into it.
func (s *Session) reasoningOver() bool {
	return s.turn.phase.over() || s.changes.steered && !s.calibration.steerKeeps
}

// reasoningLeaves is true when the mode lets the turn's reasoning go now.
func (s *Session) reasoningLeaves(mode ReasoningMode) bool {
	return mode == ReasoningTurn && s.reasoningOver()
}

// returnedLeaving is the reasoning of earlier turns that came back after a
// pause and that the next prompt will not hold.
func (s *Session) returnedLeaving(mode ReasoningMode) int64 {
	if mode == ReasoningTurn && s.turn.phase.over() {
		return s.turn.returned
	}
	return 0
}

// returnedLeast is how much reasoning must have been dropped before a prompt
// that is longer than expected can tell that it came back.
const returnedLeast = 300

// learnReturned notices that a prompt contains the reasoning of all earlier
// turns again: it is longer than expected by just as much. Without a pause that
// is believed only if reasoning has left before, and not in two turns running:
// otherwise it was never dropped, which checkMode finds out.
func (s *Session) learnReturned(r *request, folded *pending, p *prediction) {
	if s.calibration.mode != ReasoningTurn || !s.turn.phase.over() {
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

// turnMeasured moves the reasoning of the answer before a request into the
// prompt of that request, or lets it go with its turn.
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
		t.dropped.items += int64(folded.replyReasoningItems)
		if previous != nil {
			t.dropped.tokens += previous.ownReasoning.tokens
		}
		t.reasoning = reasoningSum{}
		t.number = max(t.number, 1)
		r.turn = t.number
	} else {
		t.reasoning.add(previous.ownReasoning)
	}
	if t.phase.over() {
		t.returned = t.returning
	}
	t.returning = 0
	t.move(requestMeasured)
	if s.calibration.mode == ReasoningTurn {
		t.reasoning.tokens += folded.unmeasured.resent(ReasoningTurn) // no usage counted it
	}
}

// rewindTurn goes back to the turn of the last request that is left.
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
