// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Spread is by how much nine of ten requests of an agent are missed at most,
// by kind of step, before a session has shown it: in hundredths of the scale
// of the step. Zero stands for what is usual.
type Spread struct{ User, Resume, Reloaded, Compaction int64 }

// The kinds of steps whose errors are kept apart.
const (
	spreadTool = iota
	spreadUser
	spreadResume
	spreadReloaded
	spreadCompaction
	spreadFirst
	spreadKinds
	spreadNone = -1
)

// spread holds, for each kind of step, how wide a range must be to hold the
// next request nine times of ten: a factor of the step's scale. It widens by
// nine parts with each miss and narrows by one with each hit, so that in the
// long run just one of ten misses, whatever the errors are like.
type spread struct{ wide [spreadKinds]int64 }

const (
	spreadUnit  = 1024
	spreadLeast = spreadUnit / 64
	spreadMost  = 1000 * spreadUnit
)

// learn records whether a range held. Kinds that are rare learn faster.
func (w *spread) learn(kind int, prior int64, held bool) {
	part := int64(980) // e^-0.02
	switch {
	case held && kind != spreadTool:
		part = 961
	case !held && kind == spreadTool:
		part = 1197 // e^0.18
	case !held:
		part = 1433
	}
	w.wide[kind] = min(max(w.of(kind, prior)*part/1000, spreadLeast), spreadMost)
}

// of is the factor of a kind, the prior's before the first step of it.
func (w *spread) of(kind int, prior int64) int64 {
	if n := w.wide[kind]; n > 0 {
		return n
	}
	return min(max(prior*spreadUnit/100, spreadLeast), spreadMost)
}

func (w *spread) walk(c *codec.Codec) {
	c.Array("wide", w.wide[:])
	for _, n := range w.wide {
		c.Refuse(n < 0 || n > spreadMost)
	}
}

// spreadKind is which errors a step's belong to.
func (s *Session) spreadKind(kind string) int {
	switch {
	case kind == "compaction":
		return spreadCompaction
	case kind == "resume" && s.changes.reloaded:
		return spreadReloaded
	case kind == "resume":
		return spreadResume
	case kind == "model":
		return spreadNone
	case s.calibration.record.steps == 0:
		return spreadFirst
	case kind == "user":
		return spreadUser
	}
	return spreadTool
}

// spreadScale is what the error of a step grows with: estimated text, an
// answer whose length was not recorded, and, but inside a turn, the prompt.
func (s *Session) spreadScale(p *prediction, kind int) int64 {
	scale := 30 + p.estimated/24
	if r := s.anchor(); r != nil && r.has(requestPlaceholder) {
		scale += p.carry / 20
	}
	if kind != spreadTool && kind != spreadFirst {
		scale += p.used / 1000
	}
	return scale
}

// spreadPrior is how wide the range of a kind is before the first step of it.
// It was measured on recorded sessions in November 2026; agents that differ
// have numbers of their own in their rules.
func (s *Session) spreadPrior(p *prediction, kind int) int64 {
	own, usual := int64(0), int64(100)
	switch kind {
	case spreadTool:
		if p.estimated == 0 {
			usual = 25
		}
	case spreadFirst:
		if usual = 170; p.estimated == 0 {
			usual = 100
		}
	case spreadUser:
		own, usual = s.rule.Spread.User, 120
	case spreadResume:
		own, usual = s.rule.Spread.Resume, 400
	case spreadReloaded:
		own, usual = s.rule.Spread.Reloaded, 1500
	case spreadCompaction:
		own, usual = s.rule.Spread.Compaction, 15_000
	}
	if own > 0 {
		return own
	}
	return usual
}

// band is the range around used that holds the next request nine times of ten,
// and why it is wide where that cannot be helped.
func (s *Session) band(mode Mode, p *prediction) (low, high int64, cause Text) {
	kind := s.stepKind(s.anchor(), &s.conversation.pending)
	low, high, _ = s.bandOf(mode, p, kind)
	return low, high, s.rangeCause(mode, p, kind)
}

// bandOf is the range of a step of a kind. learns is true where the errors of
// the kind made it.
func (s *Session) bandOf(mode Mode, p *prediction, kind string) (low, high int64, learns bool) {
	if mode == ProviderOnly {
		return p.used, p.used, false
	}
	half, learns := s.halfOf(p, s.spreadKind(kind))
	low, high = max(p.used-half, 0), p.used+half
	if r := s.anchor(); r != nil && r.in == p.in {
		least, most := s.calibration.between(p.used)
		low, high = min(low, least), max(high, most)
	}
	if s.mayReturn() {
		high = max(high, p.used+s.turn.dropped.tokens+s.turn.dropped.tokens/50)
	}
	if r := s.anchor(); r != nil && r.has(requestLowerBound) && p.leaving == 0 {
		low = p.used // it is at least that
	}
	return low, high, learns
}

// spreadHalf is half the width that the errors of a kind ask for.
func (s *Session) spreadHalf(p *prediction, kind int) int64 {
	wide := s.calibration.spread.of(kind, s.spreadPrior(p, kind))
	return max(mulDiv(s.spreadScale(p, kind), wide, spreadUnit), 1)
}

func (s *Session) halfOf(p *prediction, kind int) (half int64, learns bool) {
	r := s.anchor()
	uncertain := p.fresh != 0 || p.leaving != 0 || p.basis == Estimated || p.carryBasis == Estimated
	switch {
	case r == nil && s.history.justCompacted && s.residual.conversationAll(&s.fixed):
		half = p.used / 2
	case r == nil && s.history.justCompacted:
		half, learns = s.spreadHalf(p, spreadCompaction), true
	case r == nil:
		half = p.used / 4
	case p.basis == Estimated || kind == spreadNone || kind == spreadCompaction:
		half = p.used * 15 / 100
	case uncertain:
		half, learns = s.spreadHalf(p, kind), true
	}
	switch {
	case r != nil && r.in != p.in:
		half, learns = max(half, p.used*15/100), false // another tokenizer than the one that measured it
	case r != nil && r.has(requestInflated):
		half, learns = max(half, p.used/10), false
	}
	return max(half, s.fixed.expected()), learns
}

// mayReturn is true where the reasoning of all earlier turns may be in the next
// prompt again: some providers load it anew after a long pause.
func (s *Session) mayReturn() bool {
	return s.changes.resumed && !s.changes.reloaded && s.calibration.mode == ReasoningTurn && s.turn.dropped.tokens > 0
}

// rangeCause says why a range is wide.
func (s *Session) rangeCause(mode Mode, p *prediction, kind string) Text {
	r := s.anchor()
	switch {
	case mode == ProviderOnly || p.used == 0:
		return Text{}
	case kind == "compaction":
		return phrase.RangeCompaction.Text()
	case r == nil:
		return phrase.RangeUnmeasured.Text()
	case r.in != p.in || kind == "model":
		return phrase.RangeTokenizer.Text()
	case r.has(requestInflated):
		return phrase.RangeServerTool.Text()
	case s.mayReturn():
		return phrase.RangeReasoning.Text()
	case s.changes.reloaded:
		return phrase.RangeResume.Text()
	}
	return Text{}
}
