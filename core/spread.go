// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Spread gives the error that 90% of an agent's requests stay below, by kind of step, until a session has shown its
// own: in hundredths of the step's scale. Zero means the usual one.
type Spread struct{ Counted, First, User, Resume, Reloaded, Compaction int64 }

// The kinds of steps with separately learned errors. A step inside a turn has its own kind if all new text was counted:
// most of those predictions are exact.
const (
	spreadTool = iota
	spreadCounted
	spreadUser
	spreadResume
	spreadReloaded
	spreadCompaction
	spreadFirst
	spreadKinds
	spreadNone = -1
)

// spread stores, for each kind of step, how wide a range must be to cover 90% of requests: a factor of the step's
// scale. It widens by nine parts with each miss and narrows by one with each hit, so that in the long run exactly 10%
// miss, however the errors are distributed.
type spread struct {
	wide [spreadKinds]int64
	seen [spreadKinds]int64 // how many steps were learned from
}

const (
	spreadUnit  = 1024
	spreadLeast = 1
	spreadMost  = 1000 * spreadUnit
	// spreadEarly is how many steps of a kind change its factor faster: a prior may be far off, and most sessions have
	// few steps of a kind.
	spreadEarly = 20
)

// adjust widens a kind's factor if a range did not cover a step, and narrows it otherwise.
func (w *spread) adjust(kind int, prior int64, covered bool) {
	hit, miss := int64(970), int64(1310) // e^-0.03 and e^0.27
	if w.seen[kind] < spreadEarly {
		w.seen[kind]++
		hit, miss = 951, 1568 // e^-0.05 and e^0.45
	}
	part := miss
	if covered {
		part = hit
	}
	w.wide[kind] = min(max(w.factor(kind, prior)*part/1000, spreadLeast), spreadMost)
}

// factor returns the factor of a kind, or the prior's before its first step.
func (w *spread) factor(kind int, prior int64) int64 {
	if n := w.wide[kind]; n > 0 {
		return n
	}
	return min(max(prior*spreadUnit/100, spreadLeast), spreadMost)
}

func (w *spread) walk(c *codec.Codec) {
	c.Array("wide", w.wide[:])
	c.Array("seen", w.seen[:])
	for i := range w.wide {
		c.Refuse(w.wide[i] < 0 || w.wide[i] > spreadMost || w.seen[i] < 0 || w.seen[i] > spreadEarly)
	}
}

// spreadKind returns the kind of step that a prediction's error belongs to.
func (s *Session) spreadKind(p *prediction, kind string) int {
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
	case p.unscaled == 0:
		return spreadCounted
	}
	return spreadTool
}

// spreadScale returns the size that the error of a step is proportional to. It grows with estimated text and with a
// response of unrecorded length. Inside a turn it also grows with the number of results, each of which may have added
// unrecorded text, and otherwise with the prompt.
func (s *Session) spreadScale(p *prediction, kind int) int64 {
	r := s.anchor()
	placeholder := r != nil && r.has(requestPlaceholder)
	if kind == spreadTool || kind == spreadCounted {
		scale := 12*min(max(p.results, 1), 4) + p.unscaled/13
		if placeholder {
			scale += 30 + p.carry/20
		}
		return scale
	}
	scale := 30 + p.unscaled/24
	if placeholder {
		scale += p.carry / 20
	}
	if kind != spreadFirst {
		scale += p.used / 1000
	}
	return scale
}

// spreadPrior returns the factor of a kind before its first step. The factors were measured on recorded sessions in
// November 2026; agents that differ have their own in their rules.
func (s *Session) spreadPrior(kind int) int64 {
	own, usual := int64(0), int64(100)
	switch rule := &s.rule.Spread; kind {
	case spreadCounted:
		own = rule.Counted
	case spreadFirst:
		own, usual = rule.First, 200
	case spreadUser:
		own, usual = rule.User, 180
	case spreadResume:
		own, usual = rule.Resume, 400
	case spreadReloaded:
		own, usual = rule.Reloaded, 1500
	case spreadCompaction:
		own, usual = rule.Compaction, 15_000
	}
	if own > 0 {
		return own
	}
	return usual
}

// band returns the range around used that covers the next request in 90% of cases, and the cause of a wide range if the
// cause cannot be avoided.
func (s *Session) band(mode Mode, p *prediction) (low, high int64, cause Text) {
	kind := s.stepKind(s.anchor(), &s.conversation.pending)
	low, high, _ = s.bandOf(mode, p, kind)
	return low, high, s.rangeCause(mode, p, kind)
}

// bandOf returns the range for a kind of step. learns is set if the range is based on the errors of that kind.
func (s *Session) bandOf(mode Mode, p *prediction, kind string) (low, high int64, learns bool) {
	if mode == ProviderOnly {
		return p.used, p.used, false
	}
	half, learns := s.halfOf(p, s.spreadKind(p, kind))
	shorter, longer, _ := s.fileBand(p.used)
	if less, more := s.ratioBand(p); less > 0 || more > 0 {
		shorter, longer = max(shorter, half+less), max(longer, half+more)
	}
	if less, more := s.unexplained.doubtBand(); less > 0 || more > 0 {
		shorter, longer = max(shorter, half+less), max(longer, half+more)
	}
	low, high = max(p.used-max(half, shorter), 0), p.used+max(half, longer)
	learns = learns && shorter == 0 && longer == 0
	if least, most, ok := s.bandOfFirst(p); ok {
		low, high = least, most
	}
	if s.mayReturn() {
		high = max(high, p.used+s.turn.dropped.tokens+s.turn.dropped.tokens/50)
	}
	if r := s.anchor(); r != nil && r.has(requestLowerBound) && p.leaving == 0 {
		low = p.used // the prompt is at least that long
	}
	return low, high, learns
}

// spreadHalf returns half the width that covers the errors of a kind. It is 0 if 90% of the predictions of that kind
// are exact.
func (s *Session) spreadHalf(p *prediction, kind int) int64 {
	wide := s.calibration.spread.factor(kind, s.spreadPrior(kind))
	return mulDiv(s.spreadScale(p, kind), wide, spreadUnit)
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
		half, learns = max(half, p.used*15/100), false // another tokenizer than the one that measured the prompt
	case r != nil && s.newModel():
		half, learns = max(half, s.modelDoubt(p.used)), false
	case r != nil && r.has(requestInflated):
		half, learns = max(half, p.used/10), false
	case r != nil && s.conversation.pending.assumed.items > 0:
		half, learns = max(half, s.conversation.pending.assumed.doubt()), false
	}
	if n := s.unreported(); n > half {
		half, learns = n, false
	}
	if n := s.changes.converted; n > 0 {
		half, learns = half+n/2, false // the table knows the relation of two tokenizers roughly
	}
	return max(half, s.fixed.expected()), learns
}

// Bounds of a model's ratio, in percent, while no two measured prompts have been compared.
const (
	ratioLeast = 60
	ratioMost  = 250
)

// ratioBand returns by how much new texts may be shorter and longer than the ratio makes them, if they replace others
// in the fixed rows. One measured prompt does not distinguish the ratio from fixed context that the host did not send:
// it may contain none of that.
func (s *Session) ratioBand(p *prediction) (shorter, longer int64) {
	ratio, first := &s.calibration.ratio, &s.residual.first
	added, left := s.fixed.unsized(), s.fixed.openLeft()
	if s.anchor() == nil || ratio.compared || s.complete || s.transcribed || added.texts == left.texts {
		return 0, 0
	}
	texts := p.unscaled - 2*left.texts // which the prediction contains once
	n := max(texts, -texts)
	scaled := ratio.scale(n)
	most := scaled
	if e := first.texts; first.hidden != Unknown && e.texts > 0 {
		most = max(most, min(mulDiv(n, first.hidden+e.tokens, e.texts), n*ratioMost/100))
	}
	shorter, longer = max(scaled-n*ratioLeast/100, 0), max(most-scaled, 0)
	if texts < 0 {
		shorter, longer = longer, shorter
	}
	return shorter, longer
}

// mayReturn reports whether the next prompt may contain the reasoning of all earlier turns again: some providers reload
// it after a long pause.
func (s *Session) mayReturn() bool {
	return s.changes.resumed && !s.changes.reloaded && s.calibration.mode == ReasoningTurn && s.turn.dropped.tokens > 0
}

// rangeCause returns why a range is wide, or an empty text.
func (s *Session) rangeCause(mode Mode, p *prediction, kind string) Text {
	r := s.anchor()
	shorter, _, fileCause := s.fileBand(p.used)
	switch {
	case mode == ProviderOnly || p.used == 0:
		return Text{}
	case s.unread.reported > 0:
		return phrase.RangeReported.Text()
	case kind == "compaction":
		return phrase.RangeCompaction.Text()
	case r == nil:
		return phrase.RangeUnmeasured.Text()
	case r.in != p.in || kind == "model":
		return phrase.RangeTokenizer.Text()
	case s.newModel():
		return phrase.RangeModel.Text()
	case s.unexplained.doubt != 0:
		return phrase.RangeUsages.Text()
	case shorter > 0:
		return fileCause
	case r.has(requestInflated):
		return phrase.RangeServerTool.Text()
	case s.unreported() > 0:
		return phrase.RangeBroken.Text()
	case s.mayReturn():
		return phrase.RangeReasoning.Text()
	case s.changes.reloaded:
		return phrase.RangeResume.Text()
	}
	return Text{}
}
