// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// shownLine is what a session has shown of its compaction threshold under the
// settings in force. It overrules the rule, which only says what is usual.
type shownLine struct {
	// rule and limit are the rule's threshold and the limit under which it was
	// seen. Others drop it.
	rule, limit int64
	compacted   int64 // the smallest prompt that the agent compacted by itself; 0 before the first
	once        int64 // one whose size is not recorded: a second near it has to confirm it
	passed      int64 // requests sent though the one before was beyond the threshold already
}

const (
	// passedEnough is after how many such requests the threshold does not apply.
	passedEnough = 2
	// lineLatitude is by which share of a threshold prompts differ from what the
	// agent compares: a twentieth.
	lineLatitude = 20
)

// under drops what was seen under other settings.
func (e *shownLine) under(rule, limit int64) {
	if e.rule != rule || e.limit != limit {
		*e = shownLine{rule: rule, limit: limit}
	}
}

func (e *shownLine) walk(c *codec.Codec) {
	c.Ints("rule limit compacted once passed", &e.rule, &e.limit, &e.compacted, &e.once, &e.passed)
	c.Refuse(e.compacted < 0 || e.once < 0 || e.passed < 0)
}

// threshold is where the agent compacts: as this session has shown it under the
// settings in force, else by the rule. It is Unknown without a rule.
func (s *Session) threshold(l Limits) int64 {
	line, _ := s.thresholdFrom(l)
	return line
}

// thresholdFrom returns the threshold and the source that decides it.
func (s *Session) thresholdFrom(l Limits) (int64, LineSourceKind) {
	if line := s.shownThreshold(l); line != Unknown {
		return line, FromThisSession
	}
	if s.rule.asked() {
		return s.rule.line(l), FromAskedRule
	}
	return s.rule.line(l), FromOwnRule
}

// shownThreshold is the threshold that this session has shown under the
// settings in force; Unknown if it has shown none. If the agent itself reports
// its window, the rule is as good as its settings.
func (s *Session) shownThreshold(l Limits) int64 {
	line, limit := s.rule.line(l), l.limit()
	_, from := s.Limits()
	switch e := &s.shown; {
	case line == Unknown || from == FromAgentNow || e.rule != line || e.limit != limit:
	case e.compacted > 0:
		return e.compacted
	case e.passed >= passedEnough && limit > line:
		return limit
	}
	return Unknown
}

// lineCompacted learns from a compaction of a prompt by the agent itself. One
// near the rule's threshold confirms the rule. One beyond it shows nothing,
// because a prompt may jump over a threshold. recorded is set if the record has
// the size; otherwise it was the last prompt, and compactions have other causes.
func (s *Session) lineCompacted(before int64, recorded bool) {
	l, _ := s.Limits()
	line := s.rule.line(l)
	if line == Unknown || before <= 0 {
		return
	}
	e := &s.shown
	e.under(line, l.limit())
	e.passed = 0
	switch {
	case before >= line-line/lineLatitude:
		e.compacted, e.once = 0, 0
	case !recorded && distance(before, e.once) > before/lineLatitude:
		e.once = before
	case e.compacted == 0 || before < e.compacted:
		e.compacted = before
	}
}

// linePassed learns from a request that was sent though the prompt before it
// was beyond the threshold already.
func (s *Session) linePassed(previous, r *request) {
	l, _ := s.Limits()
	line := s.threshold(l)
	if line == Unknown || min(previous.in, r.in) < line+line/lineLatitude {
		return
	}
	e := &s.shown
	e.under(s.rule.line(l), l.limit())
	if e.passed++; e.passed >= passedEnough && e.compacted > 0 {
		e.compacted, e.passed = 0, 0
	}
}

// lineNote returns a note about a threshold that is not the rule's.
func (s *Session) lineNote(l Limits, r *Reading) Text {
	line, rule := s.threshold(l), s.rule.line(l)
	switch {
	case line == rule:
		return Text{}
	case s.shown.compacted > 0:
		return phrase.LineShown.Text(phrase.Count(line), phrase.Count(rule))
	}
	return phrase.LinePassed.Text(phrase.Count(rule), phrase.Count(min(line, r.mostUsed())))
}
