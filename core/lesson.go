// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Lesson is what a session has learned for later sessions with the same agent, version, model and workspace: small
// numbers, no text.
type Lesson struct {
	// Key is a fingerprint of what these sessions have in common. Agent and Model stay readable for users who want to
	// see what was learned.
	Key          uint64
	Agent, Model string
	// Place is a fingerprint of the agent and the workspace alone; 0 if the workspace is unknown.
	Place uint64
	// Session is a fingerprint of the session that contributed last, so that it can correct its contribution.
	Session uint64
	// Bases are the residuals of the last sessions' first prompts, and AfterBase that of the last prompt after a
	// compaction; Unknown if none.
	Bases     []int64
	AfterBase int64
	// Second is the size of the unrecorded part that the second request after a compaction added; Unknown if none was
	// seen.
	Second int64
	// Actual and Estimated are the ratio of measured to estimated text.
	Actual, Estimated int64
	Mode              ReasoningMode
	Steps, At         int64
	// Rows are the sizes of the parts of the prefix that records or files name, by kind: 0 for a kind without a name,
	// nil if there is none at all.
	Rows []int64
	// Paces describe how the last sessions grew, the oldest first.
	Paces []Pace
}

// basesKept is how many sessions' first prompts a lesson remembers.
const basesKept = 5

// LessonKey returns the fingerprint that lessons are looked up by.
func (s *Session) LessonKey() uint64 {
	key := fnv.Hash(s.Agent)
	for _, part := range []string{s.AgentVersion, s.Model, s.Provider, s.Route, s.Workspace, s.lessonRole()} {
		key = fnv.Join(key, fnv.Hash(part))
	}
	return key
}

// LessonPlace returns the fingerprint of the agent and the workspace: the beginning of a prompt there changes little
// with a version or a model. It is 0 if either of the two is unknown.
func (s *Session) LessonPlace() uint64 {
	if s.Workspace == "" || s.Agent == "" || s.Agent == "generic" {
		return 0
	}
	key := fnv.Hash("place")
	for _, part := range []string{s.Agent, s.Workspace, s.lessonRole()} {
		key = fnv.Join(key, fnv.Hash(part))
	}
	return key
}

// lessonRole returns a name that separates sub-agents, whose prompts begin differently.
func (s *Session) lessonRole() string {
	if s.Parent == "" {
		return ""
	}
	return "child " + s.Label
}

// Lesson returns what this session has learned; ok is false if that is nothing yet.
func (s *Session) Lesson() (l Lesson, ok bool) {
	if s.residual.first.in == Unknown || s.Model == "" {
		return l, false
	}
	c := &s.calibration
	return Lesson{
		Key: s.LessonKey(), Place: s.LessonPlace(), Agent: s.Agent, Model: s.Model, Session: fnv.Hash(s.ID), Bases: []int64{s.residual.first.hidden}, AfterBase: s.residual.afterCompaction.hidden, Second: s.residual.second,
		Actual: c.ratio.actual, Estimated: c.ratio.estimated, Mode: c.mode, Steps: c.record.steps, At: max(s.now, 0),
		Rows: s.prefixLesson(), Paces: []Pace{s.pace()},
	}, true
}

// Learn applies a lesson to a session that has not been measured yet.
func (s *Session) Learn(l *Lesson) {
	s.learnPrefix(l)
	if !s.Unmeasured() || len(l.Bases) == 0 {
		return
	}
	s.learnPace(l)
	s.residual.learned = median(l.Bases)
	if l.AfterBase != Unknown {
		s.residual.learnedAfter = l.AfterBase
	}
	s.residual.second = l.Second
	if l.Session == fnv.Hash(s.ID) {
		return // the rest comes from this session itself; a second reading must give the same numbers
	}
	c := &s.calibration
	if l.Steps >= 20 && l.Estimated > 0 && l.Actual > 0 {
		c.ratio = ratio{actual: l.Actual, estimated: l.Estimated}.learned()
		if !c.fixed && l.Mode < reasoningModes {
			c.mode = l.Mode
		}
	}
}

// LearnBase applies only the prompt sizes and the pace of an earlier session of the same agent and workspace, with
// another model or version. It does nothing once the session has been measured or has learned from a lesson.
func (s *Session) LearnBase(l *Lesson) {
	if !s.Unmeasured() || s.residual.learned != Unknown || len(l.Bases) == 0 {
		return
	}
	s.learnPace(l)
	s.residual.learned = l.Bases[len(l.Bases)-1]
	if l.AfterBase != Unknown {
		s.residual.learnedAfter = l.AfterBase
	}
}

// Unmeasured reports whether no prompt of the session has been measured yet.
func (s *Session) Unmeasured() bool {
	return s.residual.first.in == Unknown && s.anchor() == nil && s.history.spent.Calls == 0
}

// prefixLesson returns the sizes of the parts of the prefix by kind, from records or files; nil if there are none, or
// if they do not fit the measurement.
func (s *Session) prefixLesson() []int64 {
	best, known := s.bestPrefix(allGuessed)
	rows, any := make([]int64, Summary), false
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.tokens > 0 && known[part.kind] && best[part.kind] == part.source {
			rows[part.kind] += part.tokens
			any = true
		}
	}
	if !any {
		return nil
	}
	p, r := s.predictNext(), Reading{Mode: Hybrid}
	if s.breakdown(&p, &r); r.storage.misfit.has(FromFiles) || r.storage.misfit.has(FromRecord) {
		return nil
	}
	return rows
}

// learnPrefix adopts the sizes of the prefix from an earlier session. A session learns nothing from itself.
func (s *Session) learnPrefix(l *Lesson) {
	if l.Session == fnv.Hash(s.ID) || len(l.Rows) != int(Summary) {
		return
	}
	for k, tokens := range l.Rows {
		if tokens <= 0 {
			continue
		}
		part := PrefixPart{Part: Part{Label: phrase.AsEarlier.Text(rowLabels[k].Arg()), Tokens: tokens}}
		switch Kind(k) {
		case Tools, MCPTools:
			part.Cached = IsCached
		case System:
			part.Cached = MayBeCached
		}
		s.applyPrefix(&PrefixKnown{Source: FromEarlier, Kind: Kind(k), Parts: []PrefixPart{part}})
	}
}

// ForgetEarlier drops the parts of the prefix from earlier sessions, if this session is no longer of the same kind.
func (s *Session) ForgetEarlier() {
	for k := System; k < Summary; k++ {
		s.prefix.forget(k, FromEarlier, true)
	}
}

// Merge updates a lesson with that of a newer session with the same key.
func (l *Lesson) Merge(n *Lesson) {
	if n.Session == l.Session && len(l.Bases) > 0 && len(n.Bases) == 1 {
		l.Bases[len(l.Bases)-1] = n.Bases[0]
	} else {
		l.Bases = append(l.Bases, n.Bases...)
		l.Bases = l.Bases[max(len(l.Bases)-basesKept, 0):]
	}
	if n.Session == l.Session && len(l.Paces) > 0 && len(n.Paces) == 1 {
		l.Paces[len(l.Paces)-1] = n.Paces[0]
	} else {
		l.Paces = append(l.Paces, n.Paces...)
		l.Paces = l.Paces[max(len(l.Paces)-basesKept, 0):]
	}
	if n.AfterBase != Unknown {
		l.AfterBase = n.AfterBase
	}
	if n.Second != Unknown {
		l.Second = n.Second
	}
	if len(n.Rows) > 0 {
		l.Rows = n.Rows
	}
	if n.Steps > 0 {
		l.Actual, l.Estimated, l.Mode = n.Actual, n.Estimated, n.Mode
	}
	l.Place = n.Place
	l.Session, l.Steps, l.At = n.Session, max(l.Steps, n.Steps), max(l.At, n.At)
}

func median(list []int64) int64 {
	var sorted [basesKept]int64
	n := copy(sorted[:], list)
	slices.Sort(sorted[:n])
	return sorted[n/2]
}
