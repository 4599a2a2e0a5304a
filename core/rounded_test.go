// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestRoundedReasoningIsCorrectedByTheReply checks that reasoning is treated as rounded down if it is a multiple of 64
// in all responses, and corrected by the response's text; one other number proves that it was not rounded.
func TestRoundedReasoningIsCorrectedByTheReply(t *testing.T) {
	carried := func(provider string, text, said int64, reasonings ...int64) int64 {
		s := after(ModelSet{Model: "gpt-5.2-codex", Provider: provider}, TurnStarted{}, item(User, 50))
		s.FixReasoning(ReasoningNever)
		in := int64(10_000)
		for _, n := range reasonings {
			s.Apply(measured(in, 300+n, reasoning(n)))
			s.Apply(item(Reasoning, n))
			if text > 0 {
				s.Apply(item(Assistant, text))
			}
			s.Apply(item(ToolCalls, said))
			s.Apply(item(ToolResults, 100))
			in += 400
		}
		p := s.predictNext()
		return p.carry
	}
	for _, c := range []struct {
		name, provider string
		text, said     int64
		reasonings     []int64
		want           int64
	}{
		{"rounded", "github-copilot", 0, 270 + callOverEstimate, []int64{64, 128}, 270},
		{"a text besides the call", "github-copilot", 70, 200 + callOverEstimate, []int64{64, 128}, 270},
		{"its text is longer than all that was reported", "github-copilot", 0, 500, []int64{64, 128}, 300},
		{"its text is shorter than rounding explains", "github-copilot", 0, 100, []int64{64, 128}, 237},
		{"once may be by chance", "github-copilot", 0, 270, []int64{128}, 300},
		{"another number is not a multiple of 64", "github-copilot", 0, 270, []int64{65, 128}, 300},
		{"one of the last eight is not a multiple", "github-copilot", 0, 270, []int64{65, 64, 64, 64, 64, 64, 64, 128}, 300},
		{"one before the last eight is not a multiple", "github-copilot", 0, 270 + callOverEstimate, []int64{65, 64, 64, 64, 64, 64, 64, 64, 128}, 270},
		{"this one has none", "github-copilot", 0, 270, []int64{64, 128, 0}, 300},
		{"nobody else rounds", "openai", 0, 270, []int64{64, 128}, 300},
	} {
		if got := carried(c.provider, c.text, c.said, c.reasonings...); got != c.want {
			t.Errorf("%s: %d are carried, want %d", c.name, got, c.want)
		}
	}
}
