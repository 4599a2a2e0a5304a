// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// modeCheck compares measured requests with the predictions of each reasoning mode, and changes the assumed mode if
// their sizes show another one. A host whose way is unknown needs it: vector "always is learned, one request a turn".
type modeCheck struct {
	// run is how many errors in a row each mode explains, among the requests for which it predicts something else:
	// positive if they were longer than predicted, negative if they were shorter.
	run [reasoningModes]int64
	// refuted are modes that would have been wrong about a request that the assumed mode predicted.
	refuted modeSet
}

// modeSet is a set of reasoning modes, one bit each.
type modeSet uint8

func (s modeSet) has(m ReasoningMode) bool { return s&(1<<m) != 0 }

func (s *modeSet) add(m ReasoningMode) { *s |= 1 << m }

const (
	// checkLeast is the smallest difference that is compared, in tokens.
	checkLeast = 100
	// checkRun is how many errors of one sign a mode must explain, each within a tenth.
	checkRun = 3
)

// explains reports whether a size explains an error within a tenth.
func explains(size, off int64) bool {
	return distance(off, 0) >= checkLeast && distance(size, off)*10 <= distance(off, 0)
}

// isSize reports whether an error equals a size, apart from the framing of messages. That is certain only if estimated
// text cannot explain the error.
func isSize(size, off, estimated int64) bool {
	return distance(off, 0) >= max(checkLeast, estimated/4) && distance(size, off)*25 <= distance(off, 0)
}

// compare takes, for each mode, how much longer a request was than predicted, and returns the mode that the sizes show.
// If a mode was never refuted, one error that it explains exactly is enough, unless that error has another explanation;
// any mode needs three in a row that it explains within a tenth. Refutations are ignored if reasoning that had come
// back stayed. estimated is the estimated part of the prediction, before scaling.
func (c *modeCheck) compare(off [reasoningModes]int64, mode ReasoningMode, estimated int64, explained, stayed bool) ReasoningMode {
	shown, assumed := mode, off[mode]
	for m := range off {
		size := assumed - off[m] // what this mode adds to the prediction
		switch {
		case distance(size, 0) < checkLeast:
			continue
		case explains(size, assumed) && assumed > 0:
			c.run[m] = max(c.run[m], 0) + 1
		case explains(size, assumed):
			c.run[m] = min(c.run[m], 0) - 1
		default:
			c.run[m] = 0
			if explains(-size, off[m]) {
				c.refuted.add(ReasoningMode(m))
			}
		}
		enough := distance(c.run[m], 0) >= checkRun || !explained && (stayed || !c.refuted.has(ReasoningMode(m))) && isSize(size, assumed, estimated)
		if enough && distance(off[m], 0) < distance(off[shown], 0) {
			shown = ReasoningMode(m)
		}
	}
	return shown
}

func (c *modeCheck) walk(to *codec.Codec) {
	to.Array("run", c.run[:])
	codec.Within(to, "refuted", &c.refuted, 0, 1<<reasoningModes-1)
}

// offByMode returns, for each mode, how much longer a request was than predicted. known is false if there is no
// reasoning to distinguish the modes. used is the prediction of the assumed mode. Within a turn two modes predict the
// same, so that one more prediction is enough (BenchmarkTurn).
func (s *Session) offByMode(previous, r *request, folded *pending, used int64) (off [reasoningModes]int64, known bool) {
	if previous == nil || s.reasoningOf(previous, folded) <= 0 && s.turn.reasoning.tokens == 0 && s.turn.returned == 0 {
		return off, false
	}
	assumed := s.calibration.mode
	alike := !s.reasoningOver()
	for m := range off {
		switch mode := ReasoningMode(m); {
		case mode == assumed || alike && mode != ReasoningNever && assumed != ReasoningNever:
			off[m] = r.in - used
		case alike && mode == ReasoningAlways:
			off[m] = off[ReasoningTurn]
		default:
			off[m] = r.in - s.predict(folded, nil, mode).used
		}
	}
	return off, true
}

// assume switches to the reasoning mode that measurements show, and adjusts the reasoning in the rows to that mode.
func (s *Session) assume(mode ReasoningMode) {
	row := &s.conversation.rows.tokens[Reasoning]
	*row = max(*row+s.reasoningKept(mode)-s.reasoningKept(s.calibration.mode), 0)
	c := &s.calibration
	c.check.run = [reasoningModes]int64{}
	c.check.refuted.add(c.mode)
	c.mode = mode
	s.turn.returning, s.turn.returned = 0, 0
}

// reasoningExplains reports whether reasoning explains an error, because another mode would have predicted the request
// or because all reasoning came back.
func (s *Session) reasoningExplains(o *outcome) bool {
	if o.previous == nil {
		return false
	}
	miss := o.r.in - o.p.used
	for m := range o.off {
		if explains(o.off[s.calibration.mode]-o.off[m], miss) {
			return true
		}
	}
	return explains(s.turn.dropped.tokens+s.turn.reasoning.tokens+max(o.previous.reasoning, 0), miss)
}

// checkMode changes the reasoning mode if the sizes of measured requests show another one, and then replaces the
// prediction with that of this mode.
func (s *Session) checkMode(o *outcome) {
	c := &s.calibration
	if o.previous.uncertain() || o.m.ServerTools {
		return
	}
	if mode := c.check.compare(o.off, c.mode, o.p.unscaled, s.turn.returning > 0, s.turn.returned > 0); mode != c.mode && !c.fixed {
		s.assume(mode)
		o.p = s.predict(o.folded, nil, mode)
	}
}

// reasoningKept returns the measured reasoning of earlier responses that the last prompt contained under a mode.
func (s *Session) reasoningKept(mode ReasoningMode) int64 {
	switch mode {
	case ReasoningTurn:
		return s.turn.reasoning.tokens
	case ReasoningAlways:
		return s.turn.reasoning.tokens + s.turn.dropped.tokens
	}
	return 0
}
