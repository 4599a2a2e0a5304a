// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestASessionShowsItsOwnCompactionThreshold(t *testing.T) {
	rule := func(threshold int64) RuleSet { return RuleSet{Rule{Name: "r", Threshold: threshold, OutputCap: 1}} }
	auto := func(before int64) Compacted {
		return Compacted{Auto: true, Recorded: true, Before: before, Tokens: 5_000}
	}
	for _, c := range []struct {
		name   string
		events []Event
		want   int64
	}{
		{"the rule's", nil, 80_000},
		{"a compaction far below it", []Event{auto(50_000)}, 50_000},
		{"the smallest of several", []Event{auto(50_000), auto(40_000), auto(45_000)}, 40_000},
		{"one near the rule's threshold confirms it", []Event{auto(50_000), auto(79_000)}, 80_000},
		{"one by hand", []Event{Compacted{Recorded: true, Before: 50_000, Tokens: 5_000}}, 80_000},
		{"one of which it is not recorded who asked for it", []Event{Compacted{Auto: true, Before: 50_000, Tokens: 5_000}}, 80_000},
		{"one whose size is not recorded", []Event{measured(50_000, 0), auto(Unknown)}, 50_000},
		{"one whose size is not recorded, and is small", []Event{measured(9_000, 0), auto(Unknown)}, 80_000},
		{"two of them alike", []Event{measured(50_000, 0), auto(Unknown), measured(51_000, 0), auto(Unknown)}, 50_000},
		{"another rule drops it", []Event{auto(50_000), rule(70_000)}, 70_000},
		{"another limit drops it", []Event{auto(50_000), LimitsKnown{Limits{90_000, Unknown, Unknown}, FromUser}}, 80_000},
		{"one request beyond the threshold", []Event{measured(85_000, 0), measured(86_000, 0)}, 80_000},
		{"two beyond it", []Event{measured(85_000, 0), measured(86_000, 0), measured(87_000, 0)}, 99_999},
		{"a little beyond it", []Event{measured(81_000, 0), measured(82_000, 0), measured(83_000, 0)}, 80_000},
		{"two beyond what a compaction has shown", []Event{auto(50_000), measured(60_000, 0), measured(61_000, 0), measured(62_000, 0)}, 80_000},
	} {
		s := after(append([]Event{rule(80_000)}, c.events...)...)
		r := s.Reading()
		if r.Compaction.Threshold != c.want {
			t.Errorf("%s: the threshold is %d, not %d", c.name, r.Compaction.Threshold, c.want)
		}
		if says := !r.Compaction.ThresholdFrom.Empty(); says != (c.want == 50_000 || c.want == 40_000 || c.want == 51_000 || c.want == 99_999) {
			t.Errorf("%s: the threshold is %q", c.name, r.Compaction.ThresholdFrom)
		}
	}
}

// TestAMissedCompactionIsAnnouncedTheNextTime checks that a session announces a kind of compaction that it missed once.
func TestAMissedCompactionIsAnnouncedTheNextTime(t *testing.T) {
	rule := func(threshold int64) RuleSet { return RuleSet{Rule{Name: "r", Threshold: threshold, OutputCap: 1}} }
	auto := func(before int64) Compacted {
		return Compacted{Auto: true, Recorded: true, Before: before, Tokens: Unknown}
	}
	for _, c := range []struct {
		name   string
		events []Event // with the unannounced compaction
		next   Event   // the prompt before the next one
	}{
		{"far below the rule's threshold", []Event{measured(49_000, 0), auto(50_000)}, measured(49_000, 0)},
		{"without its size", []Event{measured(49_000, 0), auto(Unknown)}, measured(48_500, 0)},
		{"a prompt of which a part was unseen", []Event{measured(76_000, 0), auto(80_100)}, measured(76_000, 0)},
		{"far below, a part unseen", []Event{measured(48_000, 0), auto(50_000)}, measured(48_000, 0)},
		{"below what another compaction has shown", []Event{measured(49_000, 0), auto(50_000), measured(39_000, 0), auto(40_000)}, measured(39_500, 0)},
	} {
		s := after(append([]Event{rule(80_000)}, c.events[:len(c.events)-1]...)...)
		if l := s.Reading().Compaction.Level; l >= Now {
			t.Errorf("%s: the first is announced as %s", c.name, l)
		}
		s.Apply(c.events[len(c.events)-1])
		s.Apply(c.next)
		if l := s.Reading().Compaction.Level; l < Now {
			t.Errorf("%s: before the next one the level is %s", c.name, l)
		}
	}
}

// TestPassingTheThresholdEndsFalseAlarms checks that few requests are sent at the level "now" if the agent compares
// measured numbers and does not compact.
func TestPassingTheThresholdEndsFalseAlarms(t *testing.T) {
	for _, c := range []struct {
		compares bool
		most     int
	}{{true, 8}, {false, 20}} {
		s := after(RuleSet{Rule{Name: "r", Threshold: 167_000, Margin: 2_000, ComparesMeasured: c.compares}}, LimitsKnown{Limits{200_000, Unknown, Unknown}, FromUser})
		alarms := 0
		for in := int64(150_000); in < 197_000; in += 700 {
			if s.Reading().Compaction.Level >= Now {
				alarms++
			}
			s.Apply(measured(in, 0))
		}
		if alarms > c.most {
			t.Errorf("compares %v: the level was \"now\" before %d requests", c.compares, alarms)
		}
		if threshold := s.Reading().Compaction.ThresholdFrom; threshold.Empty() {
			t.Errorf("compares %v: the threshold does not say where it comes from", c.compares)
		}
	}
}

func TestACompactionUnderAnotherWindowShowsNothing(t *testing.T) {
	rule := Rule{Name: "r", Reserve: 33_000}
	s := after(RuleSet{rule}, LimitsForgotten{FromUser}, LimitsKnown{Limits{200_000, Unknown, Unknown}, FromAgentTable}, LimitsKnown{Limits{1_000_000, Unknown, Unknown}, FromAgentNow})
	auto := func(before int64) Compacted {
		return Compacted{Auto: true, Recorded: true, Before: before, Tokens: 5_000}
	}
	s.Apply(auto(167_400))
	if threshold := s.Reading().Compaction.Threshold; threshold != 967_000 {
		t.Errorf("a compaction that the usual window explains makes %d the threshold", threshold)
	}
	s.Apply(auto(467_400))
	if threshold := s.Reading().Compaction.Threshold; threshold != 467_400 {
		t.Errorf("a compaction that no window explains makes %d the threshold", threshold)
	}
}

func TestACompactionAboveTheUsualWindowShowsThatItWasLowered(t *testing.T) {
	rule := Rule{Name: "r", Reserve: 33_000, Usual: 200_000, ComparesMeasured: true, Margin: 2_000}
	session := func() *Session {
		return after(RuleSet{rule}, LimitsKnown{Limits{1_000_000, Unknown, Unknown}, FromUser}, measured(203_000, 0), autoCompacted(213_000))
	}
	s := session()
	if c := s.Reading().Compaction; c.Threshold != 167_000 || c.ThresholdFrom.String() != "from this session's compaction at 213,000, which a window of 200,000 explains; the rule gives 967,000" {
		t.Errorf("the threshold is %d, %s", c.Threshold, c.ThresholdFrom)
	}
	s.Apply(measured(166_400, 0))
	if l := s.Reading().Compaction.Level; l < Now {
		t.Errorf("before the next compaction the level is %s", l)
	}
	s.Apply(autoCompacted(167_009))
	if threshold := s.Reading().Compaction.Threshold; threshold != 167_009 {
		t.Errorf("after it the threshold is %d", threshold)
	}
	s = session()
	for _, in := range []int64{169_500, 170_000, 171_000} {
		s.Apply(measured(in, 0))
	}
	if threshold := s.Reading().Compaction.Threshold; threshold != 213_000 {
		t.Errorf("after requests beyond it the threshold is %d", threshold)
	}
	s = session()
	s.Apply(autoCompacted(212_500))
	if threshold := s.Reading().Compaction.Threshold; threshold != 212_500 {
		t.Errorf("after a second compaction there the threshold is %d", threshold)
	}
	for _, before := range []int64{140_000, 170_000, 467_204} {
		s := after(RuleSet{rule}, LimitsKnown{Limits{1_000_000, Unknown, Unknown}, FromUser}, autoCompacted(before))
		if threshold := s.Reading().Compaction.Threshold; threshold != before {
			t.Errorf("a compaction at %d makes %d the threshold", before, threshold)
		}
	}
}

// TestNoUsualWindowExplainsACompaction checks a rule that assumes a window if none is known: without a usual window, a
// compaction above its threshold is not explained by it.
func TestNoUsualWindowExplainsACompaction(t *testing.T) {
	for usual, want := range map[int64]int64{0: 120_000, 128_000: 98_000, 1_000_000: 120_000, 2_000_000: 120_000} {
		rule := Rule{Name: "r", Usual: usual, Formula: func(l Limits) int64 {
			if l.Window <= 0 {
				return 98_000
			}
			return l.Window - 30_000
		}}
		s := after(RuleSet{rule}, LimitsKnown{Limits{1_000_000, Unknown, Unknown}, FromUser}, measured(119_000, 0), autoCompacted(120_000))
		if threshold := s.Reading().Compaction.Threshold; threshold != want {
			t.Errorf("with a usual window of %d the threshold is %d, want %d", usual, threshold, want)
		}
	}
}

// TestRequestsBeyondTheThresholdRefuteIt checks which threshold applies after two requests beyond 80,000 tokens, and
// whether later sessions learn that, depending on where the agent compacted before.
func TestRequestsBeyondTheThresholdRefuteIt(t *testing.T) {
	auto := func(before int64) Event {
		return Compacted{Auto: true, Recorded: true, Before: before, Tokens: Unknown}
	}
	for name, c := range map[string]struct {
		before    []Event
		threshold int64
		taught    bool
	}{
		"no compaction":              {nil, 100_000, true},
		"a window of the agent's":    {[]Event{LimitsForgotten{FromUser}, LimitsKnown{Limits{100_000, Unknown, Unknown}, FromAgentNow}}, 80_000, false},
		"one below the threshold":    {[]Event{auto(70_000)}, 80_000, false},
		"one just below it":          {[]Event{auto(79_999)}, 80_000, false},
		"one at the threshold":       {[]Event{auto(80_000)}, 100_000, true},
		"one beyond it":              {[]Event{auto(80_001)}, 100_000, true},
		"one below, then one beyond": {[]Event{auto(70_000), auto(80_500)}, 100_000, true},
	} {
		s := after(AgentSeen{Agent: "agent"}, ModelSet{Model: "m"}, LimitsKnown{Limits{100_000, Unknown, Unknown}, FromUser}, RuleSet{Rule{Name: "r", Threshold: 80_000, ComparesMeasured: true}})
		for _, e := range c.before {
			s.Apply(e)
		}
		for _, in := range []int64{85_000, 90_000, 95_000} {
			s.Apply(measured(in, 0))
		}
		if got := s.Reading().Compaction.Threshold; got != c.threshold {
			t.Errorf("%s: the threshold is %d, want %d", name, got, c.threshold)
		}
		if l, _ := s.LimitsLesson(); l.Refuted != c.taught || l.Compacted != 0 {
			t.Errorf("%s: later sessions learn %t, and a compaction at %d", name, l.Refuted, l.Compacted)
		}
	}
}
