// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestALostPastTeachesNothing checks that a session whose past is lost, in part or whole, teaches later sessions
// neither a first prompt nor the size after a compaction: the lost items are in these prompts.
func TestALostPastTeachesNothing(t *testing.T) {
	compacted := Compacted{Tokens: Unknown, Before: Unknown, Summary: &Item{Tokens: 40}}
	automatic := compacted
	automatic.Auto, automatic.Recorded = true, true
	withRule := func(s *Session) {
		s.rule = Rule{Name: "agent", Percent: 9000}
		s.Apply(LimitsKnown{Limits: Limits{Window: 200_000, Input: Unknown, Output: Unknown}, Source: FromUser})
	}
	for _, c := range []struct {
		name  string
		steps func(*Session)
		first bool // whether the session may teach the size of a first prompt
	}{
		{"set aside", func(s *Session) {
			s.Apply(PastUnread{SetAside: true})
			s.Apply(item(User, 50))
			s.Apply(measured(170_000, 10))
		}, false},
		{"held by another process", func(s *Session) {
			s.Apply(PastUnread{Process: 7})
			s.Apply(measured(170_000, 10))
			s.Apply(item(User, 50))
			s.Apply(measured(171_000, 10))
		}, false},
		{"an older state before the first prompt", func(s *Session) {
			s.Apply(item(User, 50))
			s.Apply(PastOlder{})
			s.Apply(measured(170_000, 10))
			s.Apply(measured(171_000, 10))
		}, false},
		{"an older state after a compaction", func(s *Session) {
			s.Apply(item(User, 50))
			s.Apply(measured(1_050, 10))
			s.Apply(compacted)
			s.Apply(PastOlder{})
			s.Apply(measured(170_000, 10))
		}, true},
		{"compacted from an older state", func(s *Session) {
			s.Apply(item(User, 50))
			s.Apply(measured(60_050, 10))
			s.Apply(PastOlder{})
			s.Apply(automatic)
			s.Apply(PastOlder{})
			s.Apply(measured(170_000, 10))
		}, true},
	} {
		s := New(Identity{ID: c.name, Agent: "a", Model: "m", Workspace: "/w"}, plain{})
		withRule(s)
		c.steps(s)
		l, ok := s.Lesson()
		if ok != c.first || ok && (l.Bases[0] > 60_000 || l.AfterBase != Unknown) {
			t.Errorf("%s: it teaches %v %+v", c.name, ok, l)
		}
		if lines, ok := s.LimitsLesson(); ok {
			t.Errorf("%s: it teaches limits: %+v", c.name, lines)
		}
	}
}

// TestALostPastIsNotTaughtAnew checks that a measured session whose past is lost keeps its own corrections when
// lessons of other sessions arrive.
func TestALostPastIsNotTaughtAnew(t *testing.T) {
	s := pupil()
	s.Apply(PastUnread{SetAside: true})
	s.Apply(measured(170_000, 10))
	before := s.calibration.ratio
	s.Learn(&Lesson{Bases: []int64{5_000}, AfterBase: Unknown, Second: Unknown, Steps: 30, Actual: 9_000, Estimated: 3_000})
	if s.Unmeasured() || s.calibration.ratio != before || s.residual.learned != Unknown {
		t.Errorf("a measured session was taught: %+v", s.residual)
	}
}
