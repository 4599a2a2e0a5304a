// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
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
		"its own words": func(l *Lesson) { l.Session = fnv.Hash("pupil") },
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

// TestANewerLessonReplacesWhatItKnows checks which numbers of a lesson a newer session replaces, and how many are kept.
func TestANewerLessonReplacesWhatItKnows(t *testing.T) {
	l := Lesson{Session: 1, AfterBase: 700, Second: 60, Rows: []int64{1}, Actual: 5, Estimated: 4, Steps: 30, Mode: ReasoningTurn, Paces: []Pace{{Tokens: 1}}, Place: 8, At: 100}
	l.Merge(&Lesson{Session: 2, AfterBase: Unknown, Second: Unknown, Mode: ReasoningNever, Place: 9, At: 50})
	if l.AfterBase != 700 || l.Second != 60 || len(l.Rows) != 1 || l.Mode != ReasoningTurn || l.Actual != 5 || l.Estimated != 4 || l.Steps != 30 || len(l.Paces) != 1 {
		t.Errorf("a lesson without numbers has changed it to %+v", l)
	}
	if l.Session != 2 || l.Place != 9 || l.At != 100 {
		t.Errorf("it is not merged: %+v", l)
	}
	l.Merge(&Lesson{Session: 3, AfterBase: 800, Second: 70, Rows: []int64{2, 3}, Actual: 7, Estimated: 6, Steps: 20, Mode: ReasoningNever, Paces: []Pace{{Tokens: 2}, {Tokens: 3}}, At: 200})
	if l.AfterBase != 800 || l.Second != 70 || len(l.Rows) != 2 || l.Mode != ReasoningNever || l.Actual != 7 || l.Estimated != 6 || l.Steps != 30 || l.At != 200 {
		t.Errorf("its numbers are not replaced: %+v", l)
	}
	for n := int64(4); n < 8; n++ {
		l.Merge(&Lesson{Session: 3, AfterBase: Unknown, Second: Unknown, Paces: []Pace{{Tokens: n}}}) // corrects its own
	}
	l.Merge(&Lesson{Session: 4, AfterBase: Unknown, Second: Unknown, Paces: []Pace{{Tokens: 10}, {Tokens: 11}, {Tokens: 12}}})
	if want := []Pace{{Tokens: 2}, {Tokens: 7}, {Tokens: 10}, {Tokens: 11}, {Tokens: 12}}; !slices.Equal(l.Paces, want) {
		t.Errorf("the paces are %v, want %v", l.Paces, want)
	}
}

// TestASessionBeginsWithTheRowsOfEarlierOnes checks that the sizes of an earlier session's prefix break down the first
// measured prompt, those of another kind do not, and a session learns none from itself.
func TestASessionBeginsWithTheRowsOfEarlierOnes(t *testing.T) {
	rows := make([]int64, Summary)
	rows[System], rows[Tools], rows[MCPTools] = 2000, 3000, -1
	lesson := &Lesson{Bases: []int64{5000}, AfterBase: Unknown, Second: Unknown, Rows: rows}
	for name, c := range map[string]struct {
		teacher uint64
		rows    []int64
		forget  bool
		want    [2]int64
	}{
		"another session":         {1, rows, false, [2]int64{2000, 3000}},
		"forgotten":               {1, rows, true, [2]int64{}},
		"the same session":        {fnv.Hash("pupil"), rows, false, [2]int64{}},
		"rows of another version": {1, rows[1:], false, [2]int64{}},
	} {
		s, l := pupil(), *lesson
		l.Session, l.Rows = c.teacher, c.rows
		s.Learn(&l)
		if c.forget {
			s.ForgetEarlier()
		}
		s.Apply(measured(6050, 0))
		if got := rowsOf(t, s); [2]int64{got[System], got[Tools]} != c.want || got[MCPTools] != 0 {
			t.Errorf("%s: the rows are %v", name, got)
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

// TestALessonGetsWhatItsSessionShowsLater checks a session that had shown nothing when it taught first.
func TestALessonGetsWhatItsSessionShowsLater(t *testing.T) {
	l := Lesson{Session: 1}
	l.Merge(&Lesson{Session: 1, Bases: []int64{9000}, Paces: []Pace{{Tokens: 7}}})
	if len(l.Bases) != 1 || len(l.Paces) != 1 {
		t.Errorf("%+v", l)
	}
	l.Merge(&Lesson{Session: 2, Steps: 1, Actual: 4, Estimated: 3, Mode: ReasoningAlways, Rows: []int64{5}})
	l.Merge(&Lesson{Session: 3, Actual: 9, Estimated: 9, Mode: ReasoningNever})
	if l.Actual != 4 || l.Estimated != 3 || l.Mode != ReasoningAlways || len(l.Rows) != 1 {
		t.Errorf("a session without steps has changed it to %+v", l)
	}
	of := LimitsLesson{Last: 1}
	if of.Merge(&LimitsLesson{Last: 1, Landings: []int64{20}}); len(of.Landings) != 1 {
		t.Errorf("%+v", of)
	}
}
