// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestAReportedPromptHoldsUntilTheConversationContinues checks the agent's own number for its prompt, which is newer
// than its records: the rows still add up, the number is marked with the reason, and the next message ends it.
func TestAReportedPromptHoldsUntilTheConversationContinues(t *testing.T) {
	s := after(item(User, 100), measured(34_706, 300), item(Assistant, 300), item(User, 100), measured(45_000, 500), item(Assistant, 500))
	before := s.Reading()
	for in, want := range map[int64]int64{34_706: 35_006, 20_000: 20_000, 50_000: 50_000} {
		s.Apply(PromptReported{In: in})
		r := s.Reading()
		sum := int64(0)
		for _, row := range r.Breakdown {
			sum += row.Tokens
		}
		if r.Used != want || sum != want || r.Basis != MeasuredEstimated || r.Low >= want || r.High <= want ||
			r.RangeCause.String() != "the agent reports this number, and its records still show another" {
			t.Errorf("%d is reported: %d (rows %d), %s, %d to %d, %q", in, r.Used, sum, r.Basis, r.Low, r.High, r.RangeCause)
		}
	}
	if again, ok := Restore(s.Save(), s.resolver); !ok || again.Reading().Used != before.Used {
		t.Errorf("a report is saved")
	}
	for name, e := range map[string]Event{"a message": item(User, 10), "a cut": Truncated{From: 2}, "nothing": PromptReported{}} {
		s.Apply(PromptReported{In: 34_706})
		if s.Apply(e); s.unread.reported != 0 {
			t.Errorf("%s does not end the report", name)
		}
	}
}
