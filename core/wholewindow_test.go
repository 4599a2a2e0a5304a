// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestBothLimitsAreShown checks that a Reading gives the model's window if the agent uses only a part of it, but not if
// the rest is the response's.
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

// TestAWindowOfTheUsersIsTheDenominator checks that Readings are divided by the window that the user has set for an
// agent, and that the model’s stays the limit of the provider. The numbers are those of a session of Claude Code
// 2.1.330 with a window of 100,000.
func TestAWindowOfTheUsersIsTheDenominator(t *testing.T) {
	const used = 48_590
	model := Limits{Window: 1_000_000, Input: Unknown, Output: 64_000}
	for what, c := range map[string]struct {
		own                    int64
		from                   LimitSource
		percent, bar, of, line string
		source                 LimitSource
	}{
		"none":            {0, FromAgentNow, "5%", "▱▱▱▱▱▱▱▱▱▱", "1M", "", FromAgentNow},
		"smaller":         {100_000, FromAgentNow, "49%", "▰▰▰▰▰▱▱▱▱▱", "100k", "5% of the model’s 1M window; the agent uses at most 100k", LimitFromSetting},
		"half":            {500_000, FromAgentTable, "10%", "▰▱▱▱▱▱▱▱▱▱", "500k", "5% of the model’s 1M window; the agent uses at most 500k", LimitFromSetting},
		"not smaller":     {1_000_000, FromAgentNow, "5%", "▱▱▱▱▱▱▱▱▱▱", "1M", "", FromAgentNow},
		"the user's word": {100_000, FromUser, "5%", "▱▱▱▱▱▱▱▱▱▱", "1M", "", FromUser},
	} {
		s := New(Identity{ID: "a"}, plain{})
		s.Apply(RuleSet{Rule: Rule{Name: "a rule", Reserve: 33_000, Window: c.own, Prints: func(in, _ int64, l Limits) int64 { return hundredths(in, l.limit()) }}})
		s.Apply(LimitsKnown{Limits: model, Source: c.from})
		m := NewMetered()
		m.In, m.Out = used, 0
		s.Apply(m)
		r := s.Reading()
		if d := r.Display; d.Percent != c.percent || d.Bar != c.bar || d.Limit != c.of || r.WholeWindow.String() != c.line || r.LimitSource != c.source {
			t.Errorf("%s: %s of %s %s by %s, %q", what, d.Percent, d.Limit, d.Bar, r.LimitSource, r.WholeWindow.String())
		}
		if l, _ := s.Limits(); l.limit() != 1_000_000 {
			t.Errorf("%s: the provider's limit is %d", what, l.limit())
		}
		if r.AgentOwn == nil || r.AgentOwn.Hundredths != 486 {
			t.Errorf("%s: the agent's own percentage is %+v", what, r.AgentOwn)
		}
		if largest := s.Largest(1); len(largest) > 0 && largest[0].Share != hundredths(largest[0].Tokens, r.Limit) {
			t.Errorf("%s: %+v", what, largest[0])
		}
	}
}

// TestWhatTheAgentCountsItselfEndsWithACompaction checks that the agent's own count is shown until a compaction.
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
