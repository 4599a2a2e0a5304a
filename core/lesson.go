// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Lesson is what a session teaches those that come after it with the same
// agent, version, model and workspace: small numbers, and no text.
type Lesson struct {
	// Key is a fingerprint of what the sessions have in common. Agent and
	// Model are kept readable for the person who asks what was learned.
	Key          uint64
	Agent, Model string
	// Place is a fingerprint of the agent and the workspace alone; 0 if the
	// workspace is unknown.
	Place uint64
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
	// Actual and Estimated are the ratio of what text measured to its estimate.
	Actual, Estimated int64
	Mode              ReasoningMode
	Steps, At         int64
	// Rows are the sizes of the parts of the prefix that records or files name, by
	// kind; 0 for one that nobody names, and nothing where nobody names any.
	Rows []int64
	// Tools are the sizes of definitions of tools that no text shows before they are sent.
	Tools []ToolSize
	// Paces are how the last sessions grew, the oldest first.
	Paces []Pace
}

// basesKept is how many sessions a lesson remembers the beginning of.
const basesKept = 5

// LessonKey is the fingerprint that lessons are found by.
func (s *Session) LessonKey() uint64 {
	key := hash(s.Agent)
	for _, part := range []string{s.AgentVersion, s.Model, s.Provider, s.Route, s.Workspace, s.lessonRole()} {
		key = key*1099511628211 ^ hash(part)
	}
	return key
}

// LessonPlace is the fingerprint of the agent and the workspace: what a prompt
// begins with there changes little with a version or a model. It is 0 where
// one of the two is not known.
func (s *Session) LessonPlace() uint64 {
	if s.Workspace == "" || s.Agent == "" || s.Agent == "generic" {
		return 0
	}
	key := hash("place")
	for _, part := range []string{s.Agent, s.Workspace, s.lessonRole()} {
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
		Key: s.LessonKey(), Place: s.LessonPlace(), Agent: s.Agent, Model: s.Model, Session: hash(s.ID), Bases: []int64{s.residual.first.hidden}, AfterBase: s.residual.afterCompaction.hidden, Second: s.residual.second,
		Actual: c.ratio.actual, Estimated: c.ratio.estimated, Mode: c.mode, Steps: c.record.steps, At: max(s.now, 0),
		Rows: s.prefixLesson(), Tools: s.toolSizes.known, Paces: []Pace{s.pace()},
	}, true
}

// Learn lets a session that has not been measured yet begin with a lesson.
func (s *Session) Learn(l *Lesson) {
	s.learnPrefix(l)
	if s.residual.first.in != Unknown || len(l.Bases) == 0 {
		return
	}
	s.learnPace(l)
	s.residual.learned = median(l.Bases)
	if l.AfterBase != Unknown {
		s.residual.learnedAfter = l.AfterBase
	}
	s.residual.second = l.Second
	if l.Session == hash(s.ID) {
		return // the rest is what it taught itself; read anew, it is to say what it said before
	}
	c := &s.calibration
	if l.Steps >= 20 && l.Estimated > 0 && l.Actual > 0 {
		c.ratio = ratio{l.Actual, l.Estimated}.learned()
		if !c.fixed && l.Mode < reasoningModes {
			c.mode = l.Mode
		}
	}
}

// LearnBase lets a session that has not been measured yet begin with what the
// last one of the same agent and workspace began with, whose model or version
// was another. Nothing else of it is adopted.
func (s *Session) LearnBase(l *Lesson) {
	if s.residual.first.in != Unknown || s.residual.learned != Unknown || len(l.Bases) == 0 {
		return
	}
	s.learnPace(l)
	s.residual.learned = l.Bases[len(l.Bases)-1]
	if l.AfterBase != Unknown {
		s.residual.learnedAfter = l.AfterBase
	}
}

// Unmeasured is true before the first measurement of a session.
func (s *Session) Unmeasured() bool { return s.residual.first.in == Unknown }

// prefixLesson is the sizes of the parts of the prefix, as records or files say.
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
	var r Reading
	if s.Read(Hybrid, &r); r.storage.misfit.has(FromFiles) || r.storage.misfit.has(FromRecord) {
		return nil
	}
	return rows
}

// learnPrefix adopts what an earlier session of the same kind knew of
// its prefix. A session teaches itself nothing.
func (s *Session) learnPrefix(l *Lesson) {
	if l.Session == hash(s.ID) || len(l.Rows) != int(Summary) {
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

// ForgetEarlier forgets what earlier sessions say of the prefix: they are not
// of this session's kind any more.
func (s *Session) ForgetEarlier() {
	for k := System; k < Summary; k++ {
		s.prefix.forget(k, FromEarlier, true)
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
	if n.Session == l.Session && len(l.Paces) > 0 && len(n.Paces) == 1 {
		l.Paces[len(l.Paces)-1] = n.Paces[0]
	} else {
		l.Paces = append(l.Paces, n.Paces...)
		if extra := len(l.Paces) - basesKept; extra > 0 {
			l.Paces = append(l.Paces[:0], l.Paces[extra:]...)
		}
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
	l.Tools = mergeTools(l.Tools, n.Tools)
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
