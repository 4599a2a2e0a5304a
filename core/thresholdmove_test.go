// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"math/rand/v2"
	"testing"
)

// TestAThresholdThatMovesIsRecorded checks which changes of the threshold are events, and that they survive a save.
func TestAThresholdThatMovesIsRecorded(t *testing.T) {
	lesson := taughtBy(t, limitsSession("1", measured(49_000, 0), autoCompacted(50_000)))
	s := limitsSession("p")
	s.LearnLimits(lesson)
	if m := s.Reading().Compaction.Moved; m != nil {
		t.Errorf("before the first request, the threshold moved: %+v", m)
	}
	s = limitsSession("p", At{1000}, measured(20_000, 0))
	s.LearnLimits(lesson)
	want := ThresholdMove{At: 1000, Call: 1, From: 80_000, To: 50_000, Source: FromEarlierSessions}
	check := func(when string, text string) {
		t.Helper()
		m := s.Reading().Compaction.Moved
		if m == nil || m.Text.String() != text {
			t.Errorf("%s: %+v", when, m)
			return
		}
		got := *m
		if got.Text = (Text{}); got.At != want.At || got.Call != want.Call || got.From != want.From || got.To != want.To || got.Source != want.Source {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	check("taught", "moved from 80,000 to 50,000, learned from another session")
	s.LearnLimits(lesson)
	restored, ok := Restore(s.Save(), plain{})
	if !ok {
		t.Fatal("the session cannot be restored")
	}
	restored.Apply(RuleSet{s.rule})
	if s = restored; len(s.Moves()) != 1 {
		t.Errorf("restored: %+v", s.Moves())
	}
	check("restored", "moved from 80,000 to 50,000, learned from another session")
	s.Apply(measured(30_000, 0))
	s.Apply(autoCompacted(40_000))
	want = ThresholdMove{At: 1000, Call: 2, From: 50_000, To: 40_000, Source: FromThisSession}
	check("compacted", "moved from 50,000 to 40,000, seen in this session")
	s.Apply(autoCompacted(39_990))
	if n := len(s.Moves()); n != 2 {
		t.Errorf("%d moves after a compaction near the threshold", n)
	}
	s.Apply(LimitsKnown{Limits{30_000, Unknown, Unknown}, FromUser})
	s.Apply(measured(20_000, 0))
	want = ThresholdMove{At: 1000, Call: 3, From: 40_000, To: 29_999, Source: FromOwnRule}
	check("another window", "moved from 40,000 to 29,999, by the rule, the settings or the window")
}

// TestTheSourcesOfAThresholdAddUp checks that the source in force and what the agent counts differently are together
// the threshold that is shown.
func TestTheSourcesOfAThresholdAddUp(t *testing.T) {
	adjusted := 0
	for round := range uint64(60) {
		r := events{Rand: rand.New(rand.NewPCG(67, round))}
		s := New(Identity{ID: "a", Model: "one", Agent: "agent"}, dense{"one": 1000, "two": 1300, "": 1000})
		s.Apply(LimitsKnown{Limits{60_000, Unknown, Unknown}, FromRegistry})
		s.Apply(RuleSet{Rule{Threshold: 30_000 + r.Int64N(40_000), OutputCap: r.Int64N(9000), CountsDropped: true, DroppedItem: 7}})
		for range 60 {
			if r.once(4) {
				s.Apply(OwnEstimate{r.Int64N(20_000)})
			}
			if r.once(6) {
				s.Apply(autoCompacted(20_000 + r.Int64N(20_000)))
			}
			r.coherent(s)
			c := s.Reading().Compaction
			sum, decide := int64(0), 0
			for i := range c.Sources {
				source := &c.Sources[i]
				if sum += source.Adds; source.State == ThresholdInForce {
					sum += source.Threshold
					decide++
				}
				if (source.Adds != 0) != (source.State == ThresholdAdjusts) {
					t.Fatalf("%+v", source)
				}
			}
			if c.Threshold != Unknown && (decide != 1 || sum != c.Threshold) {
				t.Fatalf("round %d: %d in force, together %d, not %d: %+v", round, decide, sum, c.Threshold, c.Sources)
			}
			if c.adjusted() {
				adjusted++
			}
		}
	}
	if adjusted < 100 {
		t.Errorf("only %d thresholds were adjusted", adjusted)
	}
}

// TestThePanelShowsTheThresholdsArithmetic checks the line that explains a threshold which is not the rule's.
func TestThePanelShowsTheThresholdsArithmetic(t *testing.T) {
	turn := []Event{TurnStarted{}, item(User, 50), measured(10_000, 500, reasoning(400)), item(Reasoning, 380), TurnEnded{}}
	counting := Rule{Name: "r", Threshold: 80_000, OutputCap: 1, CountsDropped: true, DroppedItem: 5}
	lesson := taughtBy(t, limitsSession("1", measured(49_000, 0), autoCompacted(50_000)))
	for name, c := range map[string]struct {
		rule      Rule
		taught    bool
		sum, note string
	}{
		"the rule alone":     {Rule{Name: "r", Threshold: 80_000, OutputCap: 1}, false, "", "until it compacts at 80,000 · 20,000 held back by Agent"},
		"learned":            {Rule{Name: "r", Threshold: 80_000, OutputCap: 1}, true, "learned from one session with this model; the rule gives 80,000", "until it compacts at 50,000 · 50,000 of the window stay unused"},
		"reasoning":          {counting, false, "80,000 by the rule − 405 reasoning that the agent still counts = 79,595", "until it compacts at 79,595 · 20,405 of the window stay unused"},
		"learned, reasoning": {counting, true, "50,000 learned − 405 reasoning that the agent still counts = 49,595", "until it compacts at 49,595 · 50,405 of the window stay unused"},
	} {
		s := limitsSession("p", append([]Event{RuleSet{c.rule}}, turn...)...)
		if c.taught {
			s.LearnLimits(lesson)
		}
		r := s.Reading()
		sum, note := "", ""
		for _, section := range r.Panel(PanelOptions{AgentName: "Agent"}).Sections {
			for i := range section.Rows {
				switch row := &section.Rows[i]; row.ID {
				case "sum":
					sum = row.Value.String()
				case "left":
					note = row.Note.String()
				}
			}
		}
		if sum != c.sum || note != c.note {
			t.Errorf("%s: %q, %q; want %q, %q", name, sum, note, c.sum, c.note)
		}
	}
}
