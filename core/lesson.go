// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

// Lesson is what a session teaches those that come after it with the same
// agent, version, model and workspace: small numbers, and no text.
type Lesson struct {
	// Key is a fingerprint of what the sessions have in common. Agent and
	// Model are kept readable for the person who asks what was learned.
	Key          uint64
	Agent, Model string
	// Session is a fingerprint of the session that taught the lesson last, so
	// that it can correct what it taught.
	Session uint64
	// Bases are the residuals of the first prompts of the last sessions, and
	// AfterBase that of the last prompt after a compaction; Unknown if none.
	Bases     []int64
	AfterBase int64
	// Second is what the second request after a compaction brought without a
	// record; Unknown if none was seen.
	Second int64
	// Actual and Estimated are the ratio of what text took to its estimate.
	Actual, Estimated int64
	Mode              ReasoningMode
	Steps, At         int64
}

// basesKept is how many sessions a lesson remembers the beginning of.
const basesKept = 5

// LessonKey is the fingerprint that lessons are found by.
func (s *Session) LessonKey() uint64 {
	key := hash(s.Agent)
	for _, part := range [...]string{s.AgentVersion, s.Model, s.Provider, s.Route, s.Workspace, s.lessonRole()} {
		key = key*1099511628211 ^ hash(part)
	}
	return key
}

// lessonRole keeps sub-agents, which begin with other prompts, apart.
func (s *Session) lessonRole() string {
	if s.Parent == "" {
		return ""
	}
	return "child " + s.Label
}

// Lesson is what this session has to teach; ok is false while that is
// nothing.
func (s *Session) Lesson() (l Lesson, ok bool) {
	if s.residual.first.in == Unknown || s.Model == "" {
		return l, false
	}
	c := &s.calibration
	return Lesson{
		Key: s.LessonKey(), Agent: s.Agent, Model: s.Model, Session: hash(s.ID), Bases: []int64{s.residual.first.hidden}, AfterBase: s.residual.afterCompaction.hidden, Second: s.residual.second,
		Actual: c.ratio.actual, Estimated: c.ratio.estimated, Mode: c.mode, Steps: c.record.steps, At: max(s.now, 0),
	}, true
}

// Learn lets a session that has not been measured yet begin with a lesson.
func (s *Session) Learn(l *Lesson) {
	if s.residual.first.in != Unknown || len(l.Bases) == 0 {
		return
	}
	s.residual.learned = median(l.Bases)
	if l.AfterBase != Unknown {
		s.residual.learnedAfter = l.AfterBase
	}
	s.residual.second = l.Second
	c := &s.calibration
	if l.Steps >= 20 && l.Estimated > 0 && l.Actual > 0 {
		c.ratio = ratio{l.Actual, l.Estimated}.learned()
		if !c.fixed && l.Mode < reasoningModes {
			c.mode = l.Mode
		}
	}
}

// Merge adds what a newer session has taught to a lesson of the same key.
func (l *Lesson) Merge(n *Lesson) {
	if n.Session == l.Session && len(l.Bases) > 0 && len(n.Bases) == 1 {
		l.Bases[len(l.Bases)-1] = n.Bases[0]
	} else {
		l.Bases = append(l.Bases, n.Bases...)
		if extra := len(l.Bases) - basesKept; extra > 0 {
			l.Bases = append(l.Bases[:0], l.Bases[extra:]...)
		}
	}
	if n.AfterBase != Unknown {
		l.AfterBase = n.AfterBase
	}
	if n.Second != Unknown {
		l.Second = n.Second
	}
	if n.Steps > 0 {
		l.Actual, l.Estimated, l.Mode = n.Actual, n.Estimated, n.Mode
	}
	l.Session, l.Steps, l.At = n.Session, max(l.Steps, n.Steps), max(l.At, n.At)
}

func median(list []int64) int64 {
	var sorted [basesKept]int64
	n := copy(sorted[:], list)
	slices.Sort(sorted[:n])
	return sorted[n/2]
}
