// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

// pupil returns an unmeasured session with one message of 50 tokens.
func pupil() *Session {
	s := New(Identity{ID: "pupil", Agent: "a", Model: "m", Workspace: "/w"}, plain{})
	s.Apply(item(User, 50))
	return s
}

// TestASessionBeginsWithEarlierOnes checks that a session adopts the median of the earlier residuals from a lesson of
// the same kind, and the last one from a lesson for another model.
func TestASessionBeginsWithEarlierOnes(t *testing.T) {
	lesson := func() *Lesson { return &Lesson{Bases: []int64{900, 100, 300}, AfterBase: 700, Second: Unknown} }
	s := pupil()
	s.Learn(lesson())
	if used := s.Reading().Used; used != 350 {
		t.Errorf("with a lesson of the same kind used is %d, not 350", used)
	}
	s.LearnBase(&Lesson{Bases: []int64{5000}, AfterBase: Unknown})
	if used := s.Reading().Used; used != 350 {
		t.Errorf("a lesson of another model has replaced it: used is %d", used)
	}

	s = pupil()
	s.LearnBase(&Lesson{AfterBase: 700})
	if used := s.Reading().Used; used != 50 {
		t.Errorf("a lesson without a base has changed used to %d", used)
	}
	s.LearnBase(&Lesson{Bases: []int64{100, 900, 300}, AfterBase: 700})
	if used := s.Reading().Used; used != 350 {
		t.Errorf("with a lesson of another model used is %d, not 350", used)
	}

	for _, learn := range []func(*Session, *Lesson){(*Session).Learn, (*Session).LearnBase} {
		s = pupil()
		learn(s, lesson())
		s.Apply(Compacted{Tokens: Unknown, Before: Unknown, Summary: &Item{Tokens: 40}})
		if used := s.Reading().Used; used != 740 {
			t.Errorf("after a compaction used is %d, not 740", used)
		}
		s = pupil()
		l := lesson()
		l.AfterBase = Unknown
		learn(s, l)
		if s.residual.learnedAfter != Unknown {
			t.Error("a lesson that saw no compaction teaches one")
		}
		s = pupil()
		s.Apply(measured(2050, 0))
		learn(s, lesson())
		if used := s.Reading().Used; used != 2050 || s.residual.learned != Unknown {
			t.Errorf("a measured session has learned: used is %d", used)
		}
	}
}

// TestALessonOfFewStepsTeachesNoRatio checks that the ratio and the mode are adopted only from twenty steps or more of
// other sessions, and that a mode set by the caller stays.
func TestALessonOfFewStepsTeachesNoRatio(t *testing.T) {
	taught := func(change func(*Lesson), prepare func(*Session)) *Session {
		s := pupil()
		prepare(s)
		l := &Lesson{Bases: []int64{0}, AfterBase: Unknown, Second: Unknown, Steps: 20, Actual: 3000, Estimated: 2000, Mode: ReasoningAlways}
		change(l)
		s.Learn(l)
		return s
	}
	none := func(*Session) {}
	untaught := pupil().calibration
	if s := taught(func(*Lesson) {}, none); s.calibration.ratio == untaught.ratio || s.calibration.mode != ReasoningAlways {
		t.Errorf("twenty steps have taught %+v and mode %d", s.calibration.ratio, s.calibration.mode)
	}
	for name, change := range map[string]func(*Lesson){
		"19 steps":      func(l *Lesson) { l.Steps = 19 },
		"no estimate":   func(l *Lesson) { l.Estimated = 0 },
		"nothing real":  func(l *Lesson) { l.Actual = 0 },
		"its own words": func(l *Lesson) { l.Session = hash("pupil") },
	} {
		if s := taught(change, none); s.calibration.ratio != untaught.ratio || s.calibration.mode != untaught.mode {
			t.Errorf("%s: taught %+v and mode %d", name, s.calibration.ratio, s.calibration.mode)
		}
	}
	if s := taught(func(*Lesson) {}, func(s *Session) { s.FixReasoning(ReasoningNever) }); s.calibration.mode != ReasoningNever {
		t.Errorf("the caller's mode has become %d", s.calibration.mode)
	}
	if s := taught(func(l *Lesson) { l.Mode = reasoningModes }, none); s.calibration.mode != untaught.mode {
		t.Errorf("a mode that does not exist was taught: %d", s.calibration.mode)
	}
}

// TestALessonBelongsToAgentAndWorkspace checks which sessions share a lesson, and which share only the size of their
// first prompt.
func TestALessonBelongsToAgentAndWorkspace(t *testing.T) {
	one := Identity{ID: "one", Agent: "a", AgentVersion: "1", Model: "m", Provider: "p", Route: "r", Workspace: "/w"}
	key, place := New(one, plain{}).LessonKey(), New(one, plain{}).LessonPlace()
	for name, change := range map[string]func(*Identity){
		"version": func(i *Identity) { i.AgentVersion = "2" }, "model": func(i *Identity) { i.Model = "n" },
		"provider": func(i *Identity) { i.Provider = "q" }, "route": func(i *Identity) { i.Route = "s" },
	} {
		other := one
		change(&other)
		if s := New(other, plain{}); s.LessonKey() == key || s.LessonPlace() != place {
			t.Errorf("another %s: key %d and %d, place %d and %d", name, key, s.LessonKey(), place, s.LessonPlace())
		}
	}
	for name, change := range map[string]func(*Identity){
		"agent": func(i *Identity) { i.Agent = "b" }, "workspace": func(i *Identity) { i.Workspace = "/v" },
		"sub-agent": func(i *Identity) { i.Parent, i.Label = "one", "child" },
	} {
		other := one
		change(&other)
		if s := New(other, plain{}); s.LessonKey() == key || s.LessonPlace() == place {
			t.Errorf("another %s has the same key or place", name)
		}
	}
	for name, change := range map[string]func(*Identity){
		"no workspace": func(i *Identity) { i.Workspace = "" }, "no agent": func(i *Identity) { i.Agent = "" },
		"no known agent": func(i *Identity) { i.Agent = "generic" },
	} {
		other := one
		change(&other)
		if place := New(other, plain{}).LessonPlace(); place != 0 {
			t.Errorf("%s: the place is %d", name, place)
		}
	}
}

// TestALessonIsCorrectedByTheSessionThatTaughtIt checks that a session replaces its own number, that other sessions add
// theirs, and that the oldest are dropped.
func TestALessonIsCorrectedByTheSessionThatTaughtIt(t *testing.T) {
	base := func(session uint64, n int64) *Lesson {
		return &Lesson{Session: session, Bases: []int64{n}, AfterBase: Unknown, Second: Unknown}
	}
	l := *base(1, 10)
	for _, n := range []struct {
		session uint64
		base    int64
		want    []int64
	}{
		{1, 20, []int64{20}},
		{2, 30, []int64{20, 30}},
		{2, 40, []int64{20, 40}},
		{1, 50, []int64{20, 40, 50}},
		{3, 60, []int64{20, 40, 50, 60}},
		{4, 70, []int64{20, 40, 50, 60, 70}},
		{5, 80, []int64{40, 50, 60, 70, 80}},
	} {
		l.Merge(base(n.session, n.base))
		if !slices.Equal(l.Bases, n.want) {
			t.Errorf("after %d of session %d the bases are %v, not %v", n.base, n.session, l.Bases, n.want)
		}
	}
	l.AfterBase = 700
	l.Merge(base(6, 90))
	if l.AfterBase != 700 {
		t.Errorf("a session that saw no compaction has replaced %d by %d", 700, l.AfterBase)
	}
}
