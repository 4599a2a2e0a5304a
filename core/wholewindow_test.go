// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestBothLimitsAreShown checks that a Reading names the model's window if the agent uses only a part of it, and does
// not if the rest is the answer's.
func TestBothLimitsAreShown(t *testing.T) {
	for what, c := range map[string]struct {
		limits Limits
		used   int64
		want   string
	}{
		"a part of it":             {Limits{Window: 1_000_000, Input: 128_000, Output: 16_000}, 120_000, "12% of the model’s 1M window; the agent uses at most 128k"},
		"all but the answer":       {Limits{Window: 400_000, Input: 272_000, Output: 128_000}, 120_000, ""},
		"all of it":                {Limits{Window: 200_000, Input: Unknown, Output: 64_000}, 120_000, ""},
		"a window that is unknown": {Limits{Window: Unknown, Input: 128_000, Output: Unknown}, 120_000, ""},
	} {
		s := New(Identity{ID: "a"}, plain{})
		s.Apply(LimitsKnown{Limits: c.limits, Source: FromAgent})
		m := NewMetered()
		m.In, m.Out = c.used, 0
		s.Apply(m)
		if r := s.Reading(); r.WholeWindow.String() != c.want {
			t.Errorf("%s: %q", what, r.WholeWindow.String())
		}
	}
}

// TestWhatTheAgentCountsItselfEndsWithACompaction checks that the agent's own composition is shown until a compaction.
func TestWhatTheAgentCountsItselfEndsWithACompaction(t *testing.T) {
	s := New(Identity{ID: "a"}, plain{})
	said := phrase.AgentCounts.Text(phrase.Name("An agent"), phrase.Tokens("11k"), phrase.AgentCountsRow.Arg(phrase.System.Arg(), phrase.Tokens("4.6k")))
	s.Apply(AgentCounts{Text: said})
	restored, ok := Restore(s.Save(), plain{})
	if !ok || restored.Reading().AgentCounts.String() != "An agent itself counts 11k: System prompt 4.6k" {
		t.Fatalf("after a restore: %v", ok)
	}
	restored.Apply(Compacted{Tokens: 1000, Before: Unknown})
	if r := restored.Reading(); !r.AgentCounts.Empty() {
		t.Errorf("after a compaction: %q", r.AgentCounts.String())
	}
}
