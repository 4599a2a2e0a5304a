// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestBrokenReasoningLeavesAtItsMeasuredSize checks reasoning of a response that broke off: its length is an estimate
// until a prompt contains it, and that prompt's length is what leaves with the turn.
func TestBrokenReasoningLeavesAtItsMeasuredSize(t *testing.T) {
	for name, c := range map[string]struct{ in, after int64 }{
		"as estimated":            {10_900, 10_000},
		"shorter":                 {10_600, 10_000},
		"longer":                  {11_300, 10_000},
		"more than twice as long": {12_400, 10_600}, // something else came, too
	} {
		s := New(Identity{Model: "one"}, plain{})
		usage := func(in int64, through int) Metered {
			return measured(in, 50, func(m *Metered) { m.Reasoning, m.Through, m.ThroughSet, m.Complete = 0, through, true, true })
		}
		s.Apply(Appended{Item{Kind: User, Tokens: 100}})
		s.Apply(Appended{Item{Kind: Assistant, Tokens: 50}})
		s.Apply(usage(9_850, 1))
		s.Apply(Appended{Item{Kind: ToolResults, Tokens: 100}})
		s.Apply(Appended{Item{Kind: Reasoning, Tokens: 900}})
		s.Apply(Appended{Item{Kind: Assistant, Tokens: 50}})
		r := s.Reading()
		s.Apply(usage(c.in, 4))
		s.Apply(TurnEnded{})
		s.Apply(TurnStarted{})
		s.Apply(Appended{Item{Kind: User, Tokens: 100}})
		if got := s.Reading(); got.Used != c.after+150 {
			t.Errorf("%s: %d before, then used %d, want %d; leaving %+v", name, r.Used, got.Used, c.after+150, got.Leaving)
		}
	}
}
