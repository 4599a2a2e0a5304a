// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// CompactionTrigger is what triggered a compaction.
type CompactionTrigger uint8

// The triggers of a compaction. ByIdling is an agent that compacts an idle session.
const (
	ByUnknown CompactionTrigger = iota
	ByAgentItself
	ByCommand
	ByIdling
	compactionTriggers
)

func (t CompactionTrigger) String() string {
	return [...]string{"unknown", "auto", "manual", "idle"}[t]
}

// Answer is yes, no, or unknown.
type Answer uint8

// The answers.
const (
	AnswerUnknown Answer = iota
	AnswerYes
	AnswerNo
	answers
)

func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// verdictsKept is how many verdicts a session keeps.
const verdictsKept = 20

// Verdict compares a compaction with the numbers shown before it.
type Verdict struct {
	At      int64
	Trigger CompactionTrigger
	// Before is the size of the compacted prompt, and Left that of the next one. BeforeBasis is estimated if the agent
	// does not record the size, and LeftBasis until a request measures it.
	Before, Left           int64
	BeforeBasis, LeftBasis Basis
	// Freed is the difference; Unknown if one of them is unknown.
	Freed int64
	// Threshold is the compaction threshold that was shown. SourceKind and SourceName describe its source; they are
	// meaningless without a threshold.
	Threshold  int64
	SourceKind ThresholdSourceKind
	SourceName Text
	// AsPredicted is whether the agent compacted at the threshold. It is unknown unless the agent compacted
	// automatically, at a recorded size, and with a known threshold.
	AsPredicted Answer
	// ThresholdNow is the threshold from then on; Unknown if it did not change.
	ThresholdNow int64
	// Loop is set if this compaction and the previous one each freed less than a fifth.
	Loop bool
	Text Text
}

// judge stores the verdict on a compaction. shown is the Reading before it, and threshold the threshold before it,
// without the limit.
func (s *Session) judge(e *Compacted, before int64, trigger CompactionTrigger, shown *Reading, threshold int64) {
	if before <= 0 {
		return // the size of the compacted prompt is unknown
	}
	v := Verdict{
		At: s.now, Trigger: trigger, Before: before, BeforeBasis: Measured, Left: Unknown, LeftBasis: BasisUnknown,
		Threshold: shown.Compaction.Threshold, ThresholdNow: Unknown,
	}
	if e.Before == Unknown {
		v.BeforeBasis = shown.Basis
	}
	for i := range shown.Compaction.Sources {
		if source := &shown.Compaction.Sources[i]; source.State == ThresholdInForce {
			v.SourceKind, v.SourceName = source.Kind, source.Name
			break
		}
	}
	l, _ := s.Limits()
	if now := s.threshold(l); v.Threshold != Unknown && now != threshold {
		v.ThresholdNow = now
	}
	if trigger == ByAgentItself && e.Before != Unknown && v.Threshold != Unknown {
		slack := v.Threshold / thresholdLatitude
		last := shown.LastRequest
		switch {
		case before < v.Threshold-slack:
			v.AsPredicted = AnswerNo
		case before <= v.Threshold+slack, last != nil && last.In <= v.Threshold+slack:
			v.AsPredicted = AnswerYes // a prompt may jump over the threshold
		default:
			v.AsPredicted = AnswerNo
		}
	}
	list := s.history.verdicts
	if len(list) >= verdictsKept {
		list = append(list[:0], list[1:]...)
	}
	s.history.verdicts = append(list, v)
}

// setLeft sets the size after the last compaction.
func (h *history) setLeft(tokens int64, basis Basis) {
	if n := len(h.verdicts); n > 0 && tokens > 0 && h.verdicts[n-1].LeftBasis != Measured {
		v := &h.verdicts[n-1]
		v.Left, v.LeftBasis, v.Text = tokens, basis, Text{}
	}
}

// left returns the last measured size after a compaction; Unknown if there is none.
func (h *history) left() int64 {
	for i := len(h.verdicts) - 1; i >= 0; i-- {
		if v := &h.verdicts[i]; v.LeftBasis == Measured {
			return v.Left
		}
	}
	return Unknown
}

// readVerdict returns the verdict on the last compaction, in the memory of the Reading; nil before the first.
func (s *Session) readVerdict(out *Reading) *Verdict {
	n := len(s.history.verdicts)
	if n == 0 {
		return nil
	}
	out.storage.verdict = s.history.verdict(n - 1)
	return &out.storage.verdict
}

// Verdicts returns the verdicts on the last compactions, the oldest first.
func (s *Session) Verdicts() []Verdict {
	list := make([]Verdict, len(s.history.verdicts))
	for i := range list {
		list[i] = s.history.verdict(i)
	}
	return list
}

// verdict returns the verdict at an index. Its text is made once.
func (h *history) verdict(i int) Verdict {
	v := &h.verdicts[i]
	if v.Text.Empty() {
		v.Freed = v.freed()
		v.Loop = i > 0 && v.little() && h.verdicts[i-1].little()
		v.Text = v.text()
	}
	return *v
}

// freed returns by how much a compaction made the prompt smaller, or Unknown.
func (v *Verdict) freed() int64 {
	if v.Before <= 0 || v.Left < 0 {
		return Unknown
	}
	return v.Before - v.Left
}

// little reports whether a compaction freed less than a fifth, as measured.
func (v *Verdict) little() bool {
	return v.Before > 0 && v.LeftBasis == Measured && v.Left >= 0 && v.freed() < v.Before/5
}

// text returns the verdict in one or more sentences. It leaves out facts that are unknown.
func (v *Verdict) text() Text {
	size := sized(v.Before, v.BeforeBasis)
	var text Text
	switch v.Trigger {
	case ByAgentItself:
		text = phrase.VerdictAuto.Text(size)
		switch {
		case v.AsPredicted == AnswerYes:
			text = phrase.VerdictAsPredicted.Text(size, phrase.Count(v.Threshold))
		case v.AsPredicted == AnswerNo && v.Before < v.Threshold:
			text = phrase.VerdictEarly.Text(size, phrase.Count(v.Threshold), v.SourceName.Arg())
		case v.AsPredicted == AnswerNo:
			text = phrase.VerdictLate.Text(size, phrase.Count(v.Threshold), v.SourceName.Arg())
		case v.Threshold > 0:
			text = phrase.VerdictUnsized.Text(size, phrase.Count(v.Threshold))
		}
	case ByCommand:
		text = phrase.VerdictManual.Text(size)
	case ByIdling:
		text = phrase.VerdictIdle.Text(size)
	default:
		text = phrase.VerdictUnknown.Text(size)
	}
	if v.Freed > 0 {
		text = phrase.VerdictLeft.Text(text.Arg(), sized(v.Left, v.LeftBasis), sized(v.Freed, v.BeforeBasis.with(v.LeftBasis)))
	} else if v.Freed != Unknown {
		text = phrase.VerdictNothing.Text(text.Arg())
	}
	if v.ThresholdNow > 0 {
		text = phrase.VerdictNow.Text(text.Arg(), phrase.Count(v.ThresholdNow))
	}
	return text
}

// sized returns a number of tokens for a message, marked if it was not measured.
func sized(tokens int64, basis Basis) phrase.Arg {
	if basis.Mark() == "" {
		return phrase.Exactly.Arg(phrase.Count(tokens))
	}
	return phrase.Approximately.Arg(phrase.Count(tokens))
}

// triggerOf returns what triggered a compaction. An agent compacts an idle session between two turns, long after the
// last request and far below the threshold.
func (s *Session) triggerOf(e *Compacted, before int64, shown *Reading) CompactionTrigger {
	threshold, idle := shown.Compaction.Threshold, &s.rule.Idle
	switch {
	case !e.Recorded && !e.Reported:
		return ByUnknown
	case !e.Auto:
		return ByCommand
	case idle.Share > 0 && s.cache.used != Unknown && s.cache.life >= max(idle.Life, 1) && s.now-s.cache.used >= s.cache.life/2 &&
		before >= idle.Least-idle.Least/thresholdLatitude &&
		!s.turn.phase.open() && (threshold == Unknown || before < threshold-threshold/thresholdLatitude):
		return ByIdling
	}
	return ByAgentItself
}

// Source returns the name of the kind of the threshold's source, or "" without a threshold.
func (v *Verdict) Source() string {
	if v.Threshold == Unknown {
		return ""
	}
	return v.SourceKind.String()
}

func (v *Verdict) walk(c *codec.Codec) {
	c.Ints("At Before Left Threshold ThresholdNow", &v.At, &v.Before, &v.Left, &v.Threshold, &v.ThresholdNow)
	codec.Below(c, "Trigger", &v.Trigger, compactionTriggers)
	codec.Below(c, "BeforeBasis", &v.BeforeBasis, bases)
	codec.Below(c, "LeftBasis", &v.LeftBasis, bases)
	codec.Below(c, "SourceKind", &v.SourceKind, thresholdSourceKinds)
	c.Texts("SourceName", &v.SourceName)
	codec.Below(c, "AsPredicted", &v.AsPredicted, answers)
	for _, n := range [...]int64{v.At, v.Before, v.Left, v.Threshold, v.ThresholdNow} {
		c.Refuse(n < Unknown)
	}
}
