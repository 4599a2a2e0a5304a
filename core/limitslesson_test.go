// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

// limitsSession returns a session of one kind under a rule with a threshold of 80,000.
func limitsSession(id string, events ...Event) *Session {
	s := New(Identity{ID: id, Agent: "a", AgentVersion: "2.1.226", Model: "m", Workspace: "/w"}, plain{})
	s.Apply(LimitsKnown{Limits{100_000, Unknown, Unknown}, FromAgent})
	s.Apply(RuleSet{Rule{Name: "r", Threshold: 80_000, OutputCap: 1}})
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

func autoCompacted(before int64) Compacted {
	return Compacted{Auto: true, Recorded: true, Before: before, Tokens: Unknown}
}

// taughtBy merges the lessons of several sessions.
func taughtBy(t *testing.T, teachers ...*Session) *LimitsLesson {
	t.Helper()
	var out *LimitsLesson
	for _, s := range teachers {
		l, ok := s.LimitsLesson()
		switch {
		case !ok:
		case out == nil:
			out = &l
		case out.Key != l.Key:
			t.Fatal("the sessions are not of one kind")
		default:
			out.Merge(&l)
		}
	}
	return out
}

func TestEarlierSessionsTeachTheirThreshold(t *testing.T) {
	teacher := func(id string) *Session { return limitsSession(id, measured(49_000, 0), autoCompacted(50_000)) }
	one, three := taughtBy(t, teacher("1")), taughtBy(t, teacher("1"), teacher("2"), teacher("3"), teacher("3"))
	passes := []Event{measured(85_000, 0), measured(86_000, 0), measured(87_000, 0)}
	for _, c := range []struct {
		name   string
		lesson *LimitsLesson
		pupil  *Session
		want   int64
		from   string
	}{
		{"nothing", nil, limitsSession("p"), 80_000, ""},
		{"one session", one, limitsSession("p"), 50_000, "learned from one session with this model; the rule gives 80,000"},
		{"three sessions", three, limitsSession("p"), 50_000, "learned from 3 sessions with this model; the rule gives 80,000"},
		{"itself", one, limitsSession("1"), 80_000, ""},
		{"its own compaction overrules them", three, limitsSession("p", measured(39_000, 0), autoCompacted(40_000)), 40_000, "from this session's compactions; the rule gives 80,000"},
		{"another rule", three, limitsSession("p", RuleSet{Rule{Name: "r", Threshold: 70_000}}), 70_000, ""},
		{"another limit", three, limitsSession("p", LimitsKnown{Limits{90_000, Unknown, Unknown}, FromAgent}), 80_000, ""},
		{"a compaction by hand", taughtBy(t, limitsSession("1", measured(49_000, 0), Compacted{Recorded: true, Before: 50_000, Tokens: Unknown})), limitsSession("p"), 80_000, ""},
		{"requests that passed it", taughtBy(t, limitsSession("1", passes...)), limitsSession("p"), 99_999, "learned from one session with this model; the rule gives 80,000"},
	} {
		if c.lesson != nil {
			c.pupil.LearnLimits(c.lesson)
		}
		r := c.pupil.Reading()
		if got := r.Compaction; got.Threshold != c.want || got.ThresholdFrom.String() != c.from {
			t.Errorf("%s: the threshold is %d, %q; want %d, %q", c.name, got.Threshold, got.ThresholdFrom, c.want, c.from)
		}
	}
}

func TestASessionThatShowsOtherwiseDropsWhatEarlierOnesTaught(t *testing.T) {
	lesson := taughtBy(t, limitsSession("1", measured(49_000, 0), autoCompacted(50_000)))
	for name, events := range map[string][]Event{
		"two requests beyond it":             {measured(60_000, 0), measured(61_000, 0), measured(62_000, 0)},
		"a compaction at the rule's":         {measured(79_000, 0), autoCompacted(80_000)},
		"one that no earlier one has passed": {measured(45_000, 0), autoCompacted(79_500)},
	} {
		s := limitsSession("p")
		s.LearnLimits(lesson)
		for _, e := range events {
			s.Apply(e)
		}
		if threshold := s.Reading().Compaction.Threshold; threshold != 80_000 {
			t.Errorf("%s: the threshold is %d", name, threshold)
		}
		kept := *lesson
		n, ok := s.LimitsLesson()
		if !ok {
			t.Fatalf("%s: it teaches nothing", name)
		}
		if kept.Merge(&n); kept.Compacted != 0 || len(kept.Sessions) != 0 {
			t.Errorf("%s: the lesson stays: %+v", name, kept)
		}
	}
	// Under other settings the session shows nothing about these.
	s := limitsSession("p", RuleSet{Rule{Name: "r", Threshold: 90_000}}, measured(85_000, 0), autoCompacted(90_000))
	kept := *lesson
	if n, ok := s.LimitsLesson(); ok {
		kept.Merge(&n)
	}
	if kept.Compacted != 50_000 {
		t.Errorf("a session under another rule has changed the threshold to %d", kept.Compacted)
	}
	// A newer setting wins, and earlier observations are dropped.
	s = limitsSession("p", RuleSet{Rule{Name: "r", Threshold: 90_000}}, measured(69_000, 0), autoCompacted(70_000))
	n, _ := s.LimitsLesson()
	if kept.Merge(&n); kept.Rule != 90_000 || kept.Compacted != 70_000 || len(kept.Sessions) != 1 {
		t.Errorf("after a session under a newer rule: %+v", kept)
	}
}

// TestANewerLessonAboutLimitsReplacesWhatItKnows checks what a newer session replaces, and how much is kept.
func TestANewerLessonAboutLimitsReplacesWhatItKnows(t *testing.T) {
	l := LimitsLesson{Rule: 80, Limit: 100, Compacted: 50, Sessions: []uint64{1}, Base: 100, Window: 90, Input: 70, Reserve: 8, Landings: []int64{20}, Last: 1, At: 10}
	l.Merge(&LimitsLesson{Rule: 80, Limit: 100, Base: Unknown, Window: Unknown, Input: Unknown, Last: 2, At: 5})
	if l.Compacted != 50 || len(l.Sessions) != 1 || l.Base != 100 || l.Window != 90 || l.Input != 70 || l.Reserve != 8 || len(l.Landings) != 1 || l.Last != 2 || l.At != 10 {
		t.Errorf("a lesson without numbers has changed it to %+v", l)
	}
	for n := range uint64(2 * TeachersKept) {
		l.Merge(&LimitsLesson{Rule: 80, Limit: 100, Compacted: 40, Sessions: []uint64{10 + n, 10 + n}, Base: 99, Window: 89, Input: 69, Reserve: 9, Landings: []int64{int64(n)}, Last: n})
	}
	if l.Compacted != 40 || l.Base != 99 || l.Window != 89 || l.Input != 69 || l.Reserve != 9 || len(l.Sessions) != TeachersKept || l.Sessions[0] != 10+TeachersKept {
		t.Errorf("its numbers are not replaced: %+v", l)
	}
	const last = 2*TeachersKept - 1
	if !slices.Equal(l.Landings, []int64{last - 4, last - 3, last - 2, last - 1, last}) {
		t.Errorf("the sizes after compactions are %v", l.Landings)
	}
	l.Merge(&LimitsLesson{Landings: []int64{7}, Last: last, Base: Unknown})
	l.Merge(&LimitsLesson{Landings: []int64{last - 2, 8}, Last: last + 1, Base: Unknown})
	if !slices.Equal(l.Landings, []int64{last - 3, last - 1, 7, last - 2, 8}) {
		t.Errorf("one that a session has corrected, and one that is known: %v", l.Landings)
	}
	if l.Merge(&LimitsLesson{Rule: 80, Limit: 100, Base: Unknown, Reserve: 1}); l.Reserve != 1 {
		t.Errorf("the reserve is %d", l.Reserve)
	}
	if l.Merge(&LimitsLesson{Rule: 80, Limit: 100, Base: Unknown, unreserved: true}); l.Reserve != 0 {
		t.Errorf("after a request without a reserve it is %d", l.Reserve)
	}
	for _, n := range []LimitsLesson{{Rule: 80, Limit: 100, dropped: true}, {Rule: 80, Limit: 99, dropped: true}} {
		other := l
		other.Refuted, n.Base = true, Unknown
		other.Merge(&n)
		if kept := n.Limit != l.Limit; other.Refuted != kept || (other.Compacted > 0) != kept || (len(other.Sessions) > 0) != kept {
			t.Errorf("a session in which the rule applied, with the limit %d, gives %+v", n.Limit, other)
		}
	}
	for _, n := range []LimitsLesson{{Rule: 80, Limit: 100, Refuted: true}, {Rule: 80, Limit: 99, Compacted: 40}, {Rule: 79, Limit: 100, Compacted: 40}} {
		other := l
		n.Base, n.Sessions = Unknown, []uint64{77}
		if other.Merge(&n); !slices.Equal(other.Sessions, []uint64{77}) || other.Compacted != n.Compacted || other.Refuted != n.Refuted || other.Rule != n.Rule || other.Limit != n.Limit {
			t.Errorf("%+v gives %+v", n, other)
		}
	}
}

func TestEarlierSessionsTeachWindowReserveAndLanding(t *testing.T) {
	refused := limitsSession("1", measured(60_000, 0), Overflowed{Prompt: Unknown, Output: 8_000, Limit: 64_000, LimitIs: LimitTotal})
	s := limitsSession("p", LimitsForgotten{FromAgent}, LimitsKnown{Limits{100_000, Unknown, Unknown}, FromAgentTable})
	if !s.LearnLimits(taughtBy(t, refused)) {
		t.Error("the limits are the same")
	}
	if r := s.Reading(); r.Limit != 64_000 || r.LimitSource != LimitFromEarlier || r.Reserve != 8_000 {
		t.Errorf("a refusal in an earlier session gives the limit %d by %s and the reserve %d", r.Limit, r.LimitSource, r.Reserve)
	}
	s.Apply(LimitsKnown{Limits{200_000, Unknown, Unknown}, FromUser})
	if r := s.Reading(); r.Limit != 200_000 {
		t.Errorf("it overrules the user: %d", r.Limit)
	}
	s = limitsSession("1", LimitsForgotten{FromAgent}, LimitsKnown{Limits{100_000, Unknown, Unknown}, FromAgentTable})
	if r := s.Reading(); s.LearnLimits(taughtBy(t, refused)) || r.Limit != 100_000 || s.Reading().Reserve != r.Reserve {
		t.Errorf("a session has taught itself the limit %d and the reserve %d", s.Reading().Limit, s.Reading().Reserve)
	}
	s = limitsSession("p", LimitsForgotten{FromAgent}, LimitsKnown{Limits{300_000, Unknown, Unknown}, FromAgentTable})
	if s.LearnLimits(taughtBy(t, refused)) || s.Reading().Limit != 300_000 {
		t.Error("it applies to another window")
	}

	landed := limitsSession("1", measured(79_000, 0), autoCompacted(80_000), measured(21_000, 0))
	s = limitsSession("p", measured(10_000, 0), measured(60_000, 0))
	before := *s.Reading().Compaction.Landing
	s.LearnLimits(taughtBy(t, landed))
	if l := s.Reading().Compaction.Landing; l == nil || l.Low > 21_000 || l.High < 21_000 || *l == before {
		t.Errorf("a compaction is expected to leave %v, as before %v", l, before)
	}
	s = limitsSession("1", measured(10_000, 0), measured(60_000, 0))
	s.LearnLimits(taughtBy(t, landed))
	if l := *s.Reading().Compaction.Landing; l != before {
		t.Errorf("a session has taught itself %v", l)
	}
}

func TestLessonsAboutLimitsAreOfAVersionToItsSecondNumber(t *testing.T) {
	key := func(version, model, workspace string) uint64 {
		return New(Identity{ID: "s", Agent: "a", AgentVersion: version, Model: model, Workspace: workspace}, plain{}).LimitsLessonKey()
	}
	if key("2.1.226", "m", "/w") != key("2.1.300", "m", "/w") || key("2.1", "m", "/w") != key("2.1.9", "m", "/w") {
		t.Error("the third number makes a difference")
	}
	for _, other := range []uint64{key("2.2.226", "m", "/w"), key("3.1.226", "m", "/w"), key("2.1.226", "n", "/w"), key("2.1.226", "m", "/v"), key("2", "m", "/w")} {
		if other == key("2.1.226", "m", "/w") {
			t.Error("another version, model or workspace makes no difference")
		}
	}
}

func TestEarlierThresholdsSurviveARestore(t *testing.T) {
	s := limitsSession("p")
	s.LearnLimits(taughtBy(t, limitsSession("1", measured(49_000, 0), autoCompacted(50_000))))
	l := s.Save()
	again, ok := Restore(l, plain{})
	if !ok {
		t.Fatal("it cannot be restored")
	}
	again.Apply(RuleSet{Rule{Name: "r", Threshold: 80_000, OutputCap: 1}})
	if threshold := again.Reading().Compaction.Threshold; threshold != 50_000 {
		t.Errorf("after a restore the threshold is %d", threshold)
	}
}

func TestAnAgentThatMovesTeachesItsFirstWorkspace(t *testing.T) {
	s := limitsSession("1")
	key := s.LimitsLessonKey()
	if s.Apply(WorkspaceSeen{Path: "/w/deep/below"}); s.LimitsLessonKey() != key {
		t.Error("another directory makes it a session of another kind")
	}
}

// TestASmallCompactionShowsNoThreshold checks from which size a compacted prompt teaches later sessions: an eighth of
// the rule's threshold, at most 50,000 tokens.
func TestASmallCompactionShowsNoThreshold(t *testing.T) {
	for _, c := range []struct {
		compacted, rule int64
		want            bool
	}{{10_000, 80_000, true}, {9999, 80_000, false}, {50_000, 400_000, true}, {50_000, 900_000, true}, {49_999, 900_000, false}} {
		if got := teachable(c.compacted, c.rule); got != c.want {
			t.Errorf("%d of a threshold of %d: %t", c.compacted, c.rule, got)
		}
	}
}
