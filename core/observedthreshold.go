// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// observedThreshold records what a session has shown about its compaction threshold under the settings in force. It
// overrules the rule, which only gives the usual threshold. Its numbers compare with the rule's threshold, before
// countsMore is subtracted.
type observedThreshold struct {
	// rule and limit are the rule's threshold and the limit at that time. If either changes, the rest is dropped.
	rule, limit int64
	compacted   int64 // the smallest prompt that the agent compacted automatically; 0 before the first
	// lowered is the rule's threshold with the usual window, if that explains the
	// first compaction: the window was probably lowered before it. 0 if not.
	lowered int64
	// short is how far the last compacted prompt seemed to be below the threshold, because a part of it was not
	// visible; 0 if the level was "now".
	short int64
	// highest and second are the two largest prompts that another request followed: the agent's threshold is not below
	// the second.
	highest, second int64
	passed          int64 // requests sent though the previous one was beyond the threshold in force
	refuted         bool  // enough of them to show that the rule's threshold does not apply
}

const (
	// passedEnough is the number of such requests after which the threshold no longer applies.
	passedEnough = 2
	// thresholdLeast divides the rule's threshold: a compacted prompt of unrecorded size shows a different threshold
	// only if it is at least an eighth of it.
	thresholdLeast = 8
	// thresholdLatitude is the share of a threshold, a twentieth, by which a prompt may differ from the agent's own
	// number.
	thresholdLatitude = 20
)

// under drops observations made under other settings.
func (e *observedThreshold) under(rule, limit int64) {
	if e.rule != rule || e.limit != limit {
		*e = observedThreshold{rule: rule, limit: limit}
	}
}

// threshold returns the observed threshold for a rule with the given margin; Unknown if the rule's threshold may apply.
func (e *observedThreshold) threshold(margin int64) int64 {
	switch {
	case e.lowered > 0:
		return e.lowered
	case e.compacted > 0 && e.compacted < e.rule-margin:
		return e.compacted
	case e.refuted:
		return e.limit
	case e.compacted > 0 && e.second > e.rule:
		return e.second
	}
	return Unknown
}

func (e *observedThreshold) walk(c *codec.Codec) {
	c.Ints("rule limit compacted lowered short", &e.rule, &e.limit, &e.compacted, &e.lowered, &e.short)
	c.Ints("highest second passed", &e.highest, &e.second, &e.passed)
	c.Bools("refuted", &e.refuted)
	c.Refuse(e.compacted < 0 || e.lowered < 0 || e.short < 0 || e.second < 0 || e.highest < e.second || e.passed < 0)
}

// threshold returns the compaction threshold: the one this session or earlier ones have shown under the settings in
// force, otherwise the rule's. It is Unknown without a rule.
func (s *Session) threshold(l Limits) int64 {
	threshold, _ := s.thresholdFrom(l)
	return threshold
}

// thresholdFrom returns the threshold and the source that decides it.
func (s *Session) thresholdFrom(l Limits) (int64, ThresholdSourceKind) {
	if threshold := s.shownThreshold(l); threshold != Unknown {
		return threshold, FromThisSession
	}
	if threshold := s.earlierThreshold(l); threshold != Unknown {
		return threshold, FromEarlierSessions
	}
	if s.rule.asked() {
		return s.rule.threshold(l), FromAskedRule
	}
	return s.rule.threshold(l), FromOwnRule
}

// shownThreshold returns the threshold that this session has shown under the settings in force; Unknown if it has shown
// none.
func (s *Session) shownThreshold(l Limits) int64 {
	threshold := s.rule.threshold(l)
	if e := &s.shown; threshold != Unknown && e.rule == threshold && e.limit == l.limit() {
		return e.threshold(s.rule.margin(threshold))
	}
	return Unknown
}

// countsMore returns how much the agent's own count of a prompt exceeds the prompt's content.
func (s *Session) countsMore() int64 {
	if s.rule.CountsDropped {
		return s.droppedReasoning()
	}
	return 0
}

// thresholdCompacted learns from a prompt that the agent compacted automatically: the threshold is not above it. A
// prompt may jump over a threshold, so one far beyond it shows nothing more. seen is its predicted size, and recorded
// is set if before is the agent's own number.
func (s *Session) thresholdCompacted(before, seen int64, recorded bool) {
	l, from := s.Limits()
	threshold := s.rule.threshold(l)
	if threshold == Unknown || before <= 0 || !recorded && before < threshold/thresholdLeast || from == FromAgentNow && s.ofOtherWindow(before) {
		return
	}
	e := &s.shown
	e.under(threshold, l.limit())
	margin := s.rule.margin(threshold)
	before, seen = before+s.countsMore(), seen+s.countsMore()
	ruled := before >= threshold-margin
	if e.lowered = 0; e.compacted == 0 && !ruled {
		e.lowered = s.loweredTo(l, before)
	}
	again := ruled && e.compacted < threshold-margin && (e.highest == 0 || e.highest >= e.compacted)
	if e.compacted == 0 || before < e.compacted || again {
		e.compacted = before
	}
	if e.passed = 0; e.compacted < threshold-margin {
		e.refuted = false
	}
	if ruled {
		s.earlier.dropped = true // the rule applies again
	}
	if e.second > e.compacted { // seen before the threshold changed
		e.highest, e.second = 0, 0
	}
	if e.short = max(s.threshold(l)-seen, 0); e.short <= margin {
		e.short = 0
	}
}

// loweredTo returns the rule's threshold with the usual window if a compaction came well above it, but closer to it
// than to the rule's threshold: an agent compacts at once if its window is lowered. It returns 0 otherwise. Two
// requests beyond it end this guess.
func (s *Session) loweredTo(l Limits, before int64) int64 {
	if s.rule.Usual <= 0 || s.rule.Usual >= l.limit() {
		return 0
	}
	l.Window, l.Input = s.rule.Usual, Unknown
	threshold := s.rule.threshold(l)
	if threshold <= 0 || before <= threshold+threshold/thresholdLatitude || before > threshold+threshold/2 {
		return 0
	}
	for i := range s.rule.Sources {
		rule := s.rule.Sources[i].Rule
		if rule != nil && distance(before, rule.threshold(l))*thresholdLatitude <= before {
			return 0 // a setting does not apply, and that explains it better
		}
	}
	return threshold
}

// ofOtherWindow reports whether the usual window explains a compaction, though the window that the agent reports now is
// another one: the compaction came before the window changed.
func (s *Session) ofOtherWindow(before int64) bool {
	usual := s.rule.threshold(s.limits.inForceBut(FromAgentNow))
	return usual != Unknown && distance(before, usual) <= usual/thresholdLatitude
}

// thresholdPassed learns from a request that followed another one. Two requests beyond the threshold in force show that
// it does not apply.
func (s *Session) thresholdPassed(previous, r *request) {
	l, from := s.Limits()
	rule := s.rule.threshold(l)
	if rule == Unknown || from == FromAgentNow {
		return
	}
	prompt := min(previous.in, r.in) + s.countsMore()
	e := &s.shown
	if e.rule == rule && e.limit == l.limit() && prompt <= e.second {
		return
	}
	e.under(rule, l.limit())
	if prompt > e.highest {
		e.second, e.highest = e.highest, prompt
	} else {
		e.second = prompt
	}
	threshold, decides := s.thresholdFrom(l)
	latitude := threshold / thresholdLatitude
	if s.rule.ComparesMeasured {
		latitude = s.rule.margin(threshold)
	}
	if prompt < threshold+latitude {
		return
	}
	if e.passed++; e.passed < passedEnough {
		return
	}
	e.passed = 0
	switch {
	case decides == FromEarlierSessions:
		s.earlier.dropped = true // the settings have changed, and the rule may apply
		return
	case e.lowered > 0:
		e.lowered = 0
		return
	case e.compacted > 0 && e.compacted < rule:
		e.compacted, e.short = 0, 0
		return
	}
	e.refuted, e.compacted, e.short = true, 0, 0
}

// nowMargin returns how far below the threshold the level becomes "now": farther than by the rule if the last
// compaction came that far below it, or if the next request may reach it.
func (s *Session) nowMargin(l Limits, edge int64) int64 {
	margin := s.rule.margin(edge)
	if e := &s.shown; e.short > 0 && e.limit == l.limit() && e.rule == s.rule.threshold(l) {
		margin = max(margin, min(e.short, edge/thresholdLatitude))
	}
	return max(margin, min(s.mayGrow(), edge/soonest))
}

// margin returns how far below a threshold compaction is due, because the next request will cross it.
func (r *Rule) margin(threshold int64) int64 {
	if r.Margin > 0 {
		return r.Margin
	}
	return min(2000, threshold/50)
}
