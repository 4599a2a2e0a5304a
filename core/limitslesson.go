// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// LimitsLesson is what sessions have shown about the compaction threshold, the window, the reserve and the size after a
// compaction. It is for later sessions with the same agent, version up to its second number, model and workspace.
type LimitsLesson struct {
	// Key is the fingerprint that the lesson is looked up by. Agent and Model stay readable.
	Key          uint64
	Agent, Model string
	// Rule and Limit are the settings that Compacted and Refuted belong to.
	Rule, Limit int64
	Compacted   int64 // the smallest prompt that the agent compacted automatically; 0 if the rule's threshold applies
	Refuted     bool  // requests passed the rule's threshold
	// Window and Input are the limits that a refusal or accepted prompts showed instead of Base; Unknown if none did.
	Base, Window, Input int64
	Reserve             int64   // what a refused request had reserved for its response; 0 if none did
	Landings            []int64 // the prompts after the last compactions, the oldest first
	// Sessions are fingerprints of the sessions that showed the threshold, and Last that of the session that
	// contributed last.
	Sessions []uint64
	Last     uint64
	At       int64

	dropped bool // the session has shown that the earlier threshold does not apply
	// unreserved and unlimited are the same for their reserve and their limits.
	unreserved, unlimited bool
}

const (
	landingsKept = 5
	// TeachersKept is how many sessions a lesson about limits remembers.
	TeachersKept = 16
)

// earlierLimits are the limits and thresholds that earlier sessions have shown.
type earlierLimits struct {
	rule, limit, compacted int64
	refuted, dropped       bool
	sessions               int64 // how many have shown the threshold
	landing                int64 // size after a compaction; 0 if unknown
	reserve                int64 // the reserve that was adopted; 0 if none was
	// unreserved and unlimited are set once accepted prompts have shown that the reserve and the limits do not apply.
	unreserved, unlimited bool
}

func (e *earlierLimits) walk(c *codec.Codec) {
	c.Ints("rule limit compacted sessions landing reserve", &e.rule, &e.limit, &e.compacted, &e.sessions, &e.landing, &e.reserve)
	c.Bools("refuted dropped unreserved unlimited", &e.refuted, &e.dropped, &e.unreserved, &e.unlimited)
	c.Refuse(e.compacted < 0 || e.sessions < 0 || e.landing < 0 || e.reserve < 0)
}

// LimitsLessonKey returns the fingerprint that lessons about limits are looked up by.
func (s *Session) LimitsLessonKey() uint64 {
	key := fnv.Hash("limits")
	for _, part := range []string{s.Agent, secondNumber(s.AgentVersion), s.Model, s.Provider, s.Route, s.began, s.lessonRole()} {
		key = fnv.Join(key, fnv.Hash(part))
	}
	return key
}

// secondNumber returns a version up to its second number: "2.1" for "2.1.226".
func secondNumber(version string) string {
	first := strings.IndexByte(version, '.')
	if first < 0 {
		return version
	}
	if second := strings.IndexByte(version[first+1:], '.'); second >= 0 {
		return version[:first+1+second]
	}
	return version
}

// LimitsLesson returns what this session has learned about limits; ok is false if that is nothing.
func (s *Session) LimitsLesson() (l LimitsLesson, ok bool) {
	if s.Model == "" || s.Agent == "" {
		return l, false
	}
	limits, from := s.Limits()
	l = LimitsLesson{
		Key: s.LimitsLessonKey(), Agent: s.Agent, Model: s.Model, Rule: s.rule.threshold(limits), Limit: limits.limit(), Base: Unknown, Window: Unknown, Input: Unknown,
		Last: fnv.Hash(s.ID), At: max(s.now, 0), dropped: s.earlier.dropped, unreserved: s.earlier.unreserved, unlimited: s.earlier.unlimited,
	}
	if n := s.limits.refusedOutput; n != s.earlier.reserve { // an adopted reserve is not passed on again
		l.Reserve = n
	}
	if s.shownThreshold(limits) != Unknown {
		if n := s.shown.compacted; s.shown.lowered == 0 && teachable(n, l.Rule) && n < l.Rule-s.rule.margin(l.Rule) {
			l.Compacted = n
		}
		l.Refuted = s.shown.refuted && l.Compacted == 0
	}
	if l.Compacted > 0 || l.Refuted {
		l.Sessions = []uint64{l.Last}
	}
	if from == FromError || from == FromAccepted {
		l.Base, l.Window, l.Input = s.limits.base(), limits.Window, limits.Input
	}
	if left := s.history.left(); left != Unknown {
		l.Landings = []int64{left}
	}
	return l, l.Sessions != nil || l.dropped || l.unreserved || l.unlimited || l.Base != Unknown || l.Reserve > 0 || l.Landings != nil
}

// taughtLeast caps the least prompt size that shows later sessions a threshold.
const taughtLeast = 50_000

// teachable reports whether a compacted prompt shows a threshold for other sessions. An agent also compacts a small
// prompt that the provider refused for another reason.
func teachable(compacted, rule int64) bool {
	return compacted >= min(rule/thresholdLeast, taughtLeast)
}

// LearnLimits applies what earlier sessions have shown about limits. It reports whether the session's limits have
// changed. A session learns nothing from itself, so that reading it again gives the same numbers.
func (s *Session) LearnLimits(l *LimitsLesson) (changed bool) {
	own, before := fnv.Hash(s.ID), s.limits.stated[LimitFromEarlier]
	e := earlierLimits{rule: l.Rule, limit: l.Limit, compacted: l.Compacted, refuted: l.Refuted, dropped: s.earlier.dropped}
	e.reserve, e.unreserved, e.unlimited = s.earlier.reserve, s.earlier.unreserved, s.earlier.unlimited
	for _, session := range l.Sessions {
		if session != own {
			e.sessions++
		}
	}
	if n := len(l.Landings); n > 0 && !(n == 1 && l.Last == own) {
		e.landing = median(l.Landings)
	}
	if s.earlier.rule != e.rule || s.earlier.limit != e.limit {
		e.dropped = false
	}
	s.earlier = e
	s.limits.forget(LimitFromEarlier)
	if l.Last != own && !e.unlimited && l.Base != Unknown && l.Base == s.limits.base() {
		s.limits.stated[LimitFromEarlier] = Limits{l.Window, l.Input, Unknown}
	}
	if l.Last != own && !e.unreserved && s.limits.refusedOutput == 0 && s.limits.beyond == 0 {
		s.limits.refusedOutput, s.earlier.reserve = l.Reserve, l.Reserve
	}
	s.watchThreshold()
	return s.limits.stated[LimitFromEarlier] != before
}

// ForgetLimits drops what earlier sessions have shown, if this session is no longer of the same kind.
func (s *Session) ForgetLimits() {
	if s.limits.refusedOutput == s.earlier.reserve {
		s.limits.refusedOutput = 0
	}
	s.earlier = earlierLimits{}
	s.limits.forget(LimitFromEarlier)
}

// Merge updates a lesson with that of a newer session. It drops numbers from other settings.
func (l *LimitsLesson) Merge(n *LimitsLesson) {
	same := l.Rule == n.Rule && l.Limit == n.Limit
	switch {
	case n.Compacted > 0 || n.Refuted:
		if !same || (l.Compacted > 0) != (n.Compacted > 0) {
			l.Sessions = nil
		}
		l.Rule, l.Limit, l.Compacted, l.Refuted = n.Rule, n.Limit, n.Compacted, n.Refuted
		for _, session := range n.Sessions {
			if !slices.Contains(l.Sessions, session) {
				l.Sessions = append(l.Sessions, session)
			}
		}
		l.Sessions = l.Sessions[max(len(l.Sessions)-TeachersKept, 0):]
	case n.dropped && same:
		l.Compacted, l.Refuted, l.Sessions = 0, false, nil
	}
	switch {
	case n.Base != Unknown:
		l.Base, l.Window, l.Input = n.Base, n.Window, n.Input
	case n.unlimited:
		l.Base, l.Window, l.Input = Unknown, Unknown, Unknown
	}
	if n.Reserve > 0 || n.unreserved {
		l.Reserve = n.Reserve
	}
	if len(n.Landings) > 0 {
		if l.Last == n.Last && len(l.Landings) > 0 {
			l.Landings = l.Landings[:len(l.Landings)-1]
		}
		others := make([]int64, 0, landingsKept+1) // without a size that is already included
		for _, in := range l.Landings {
			if !slices.Contains(n.Landings, in) {
				others = append(others, in)
			}
		}
		l.Landings = append(others, n.Landings...)
		l.Landings = l.Landings[max(len(l.Landings)-landingsKept, 0):]
	}
	l.Last, l.At = n.Last, max(l.At, n.At)
}

// earlierThreshold returns the threshold that earlier sessions have shown under the settings in force; Unknown if they
// have shown none.
func (s *Session) earlierThreshold(l Limits) int64 {
	e := &s.earlier
	if threshold := s.rule.threshold(l); threshold == Unknown || e.sessions == 0 || e.dropped || e.rule != threshold || e.limit != l.limit() {
		return Unknown
	}
	switch {
	case e.compacted == 0:
		return e.limit
	case !teachable(e.compacted, e.rule):
		return Unknown
	}
	return e.compacted
}
