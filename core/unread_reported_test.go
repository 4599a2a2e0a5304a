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

// TestAReportedPromptHasAnAge checks the row of the panel that dates the agent's own number. It is absent without a
// time, and once the conversation continues.
func TestAReportedPromptHasAnAge(t *testing.T) {
	s := after(item(User, 100), measured(34_706, 300), item(Assistant, 300), item(User, 100), measured(45_000, 500), item(Assistant, 500))
	dated := func() (text string, from int64) {
		r := s.Reading()
		for _, section := range r.Panel(PanelOptions{}).Sections {
			for _, row := range section.Rows {
				if row.ID == "reported" && len(row.Dated) == 1 && row.Dated[0].At == row.Dated[0].From && row.Dated[0].As == Age {
					text, from = row.Dated[0].Value.String(), row.Dated[0].From
				}
			}
		}
		return text, from
	}
	s.Apply(PromptReported{In: 34_706, At: 1_772_442_180_000})
	if text, from := dated(); text != "number reported {time} ago" || from != 1_772_442_180_000 {
		t.Errorf("%q from %d", text, from)
	}
	for name, e := range map[string]Event{"without a time": PromptReported{In: 34_706}, "after a message": item(User, 10)} {
		s.Apply(PromptReported{In: 34_706, At: 1_772_442_180_000})
		s.Apply(e)
		if text, _ := dated(); text != "" {
			t.Errorf("%s: %q", name, text)
		}
	}
}
