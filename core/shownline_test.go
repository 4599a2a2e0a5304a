// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestASessionShowsItsOwnCompactionThreshold(t *testing.T) {
	rule := func(line int64) RuleSet { return RuleSet{Rule{Name: "r", Line: line, OutputCap: 1}} }
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
		{"one whose size is not recorded", []Event{measured(50_000, 0), auto(Unknown)}, 80_000},
		{"two of them alike", []Event{measured(50_000, 0), auto(Unknown), measured(51_000, 0), auto(Unknown)}, 51_000},
		{"another rule drops it", []Event{auto(50_000), rule(70_000)}, 70_000},
		{"another limit drops it", []Event{auto(50_000), LimitsKnown{Limits{90_000, Unknown, Unknown}, FromUser}}, 80_000},
		{"one request beyond the threshold", []Event{measured(85_000, 0), measured(86_000, 0)}, 80_000},
		{"two beyond it", []Event{measured(85_000, 0), measured(86_000, 0), measured(87_000, 0)}, 99_999},
		{"a little beyond it", []Event{measured(81_000, 0), measured(82_000, 0), measured(83_000, 0)}, 80_000},
		{"two beyond what a compaction has shown", []Event{auto(50_000), measured(60_000, 0), measured(61_000, 0), measured(62_000, 0)}, 80_000},
	} {
		s := after(append([]Event{rule(80_000)}, c.events...)...)
		r := s.Reading()
		if r.Compaction.Line != c.want {
			t.Errorf("%s: the threshold is %d, not %d", c.name, r.Compaction.Line, c.want)
		}
		if says := len(r.Warnings) > 0; says != (c.want == 50_000 || c.want == 40_000 || c.want == 51_000 || c.want == 99_999) {
			t.Errorf("%s: warnings %v", c.name, r.Warnings)
		}
	}
}
