// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"fmt"
	"strings"
	"testing"
)

// TestASessionThatCompactsInALoopIsToldWhatFillsIt checks which part of the prompt the advice names after two
// compactions that freed little, and how to remove it.
func TestASessionThatCompactsInALoopIsToldWhatFillsIt(t *testing.T) {
	servers := ContextSet{Kind: MCPTools, Parts: []Part{{Label: Named("mcp__big__one"), Tokens: 30_000}, {Label: Named("mcp__small__one"), Tokens: 2000}}}
	lowered := RuleSet{Rule{Reserve: 10_000, Threshold: 50_000, Sources: []RuleSource{
		{Kind: FromSetting, Setting: "compactAt", Value: "50000", Rule: &Rule{Reserve: 10_000, Threshold: 50_000}}, {Kind: FromOwnRule, Rule: &Rule{Reserve: 10_000}},
	}}}
	overruled := RuleSet{Rule{Reserve: 10_000, Sources: []RuleSource{{Kind: FromSetting, Setting: "compactAt", Value: "x", Rule: &Rule{Reserve: 10_000}}, lowered.Rule.Sources[1]}}}
	for name, c := range map[string]struct {
		rule   RuleSet
		events []Event
		before int64
		want   string
	}{
		"tools that are not called":              {claude, []Event{servers}, 90_500, "the tools of big are never called; 30000 in 1: claude mcp remove big"},
		"of an agent without a command":          {host, []Event{servers}, 90_500, "the tools of big are never called; 30000 in 1: Their definitions are in every request."},
		"tools that are called":                  {claude, append([]Event{servers}, called("mcp__big__one")...), 90_500, "the tools of big are in every request; 30000 in 1: Offer fewer of its tools, or let the agent load them when they are needed."},
		"memory files":                           {claude, []Event{fixed(Memory, 20_000), fixed(Tools, 15_000)}, 90_500, "the memory files are in every request; 20000 in 1: /memory"},
		"memory files without a command":         {host, []Event{fixed(Memory, 20_000)}, 90_500, "the memory files are in every request; 20000 in 1: They are in every request."},
		"a setting":                              {lowered, []Event{fixed(Memory, 5000)}, 50_500, "compactAt lowers the compaction threshold; 40000 in 1: Raise it, or remove it."},
		"a setting without effect":               {overruled, []Event{fixed(Memory, 5000)}, 90_500, "the memory files are in every request; 5000 in 1: They are in every request."},
		"the larger of two servers":              {host, []Event{ContextSet{Kind: MCPTools, Parts: []Part{{Label: Named("mcp__a__one"), Tokens: 9000}, {Label: Named("mcp__b__one"), Tokens: 9001}}}}, 90_500, "the tools of b are never called; 9001 in 1: Their definitions are in every request."},
		"no large part, with a command":          {claude, []Event{fixed(Memory, 1000)}, 90_500, "summaries and kept messages fill the window; 43600 in 1: /clear"},
		"no large part, and no command":          {host, []Event{fixed(Memory, 1000)}, 90_500, "summaries and kept messages fill the window; 43600 in 1: Ask for a handover note first, and start the new session with it."},
		"a part of a twentieth of the threshold": {host, []Event{fixed(Memory, 4500)}, 90_500, "the memory files are in every request; 4500 in 1: They are in every request."},
		"a part below it":                        {host, []Event{fixed(Memory, 4499)}, 90_500, "summaries and kept messages fill the window; 43600 in 1: Ask for a handover note first, and start the new session with it."},
	} {
		events := append(append([]Event{c.rule}, c.events...), item(User, 50), measured(41_000, 100))
		for range 2 {
			events = append(events, measured(c.before-1000, 100), Compacted{Auto: true, Recorded: true, Before: c.before, Tokens: Unknown})
		}
		s := after(append(events, measured(c.before*9/10, 100), item(ToolResults, 3000))...)
		a := advised(s, "loop")
		got := "none"
		if a != nil {
			got = strings.TrimPrefix(a.Label.String(), "Compactions free too little: ") + "; " + fmt.Sprintf("%d in %d: %s", a.Tokens, a.Items, a.How)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestASessionLoopsIfATurnReachesTheThresholdAgain checks when compactions do not help: a typical turn, here of 2,000
// tokens, exceeds the threshold again, and what is left takes three fifths of it.
func TestASessionLoopsIfATurnReachesTheThresholdAgain(t *testing.T) {
	for name, c := range map[string]struct {
		verdict         *Verdict
		threshold, left int64
		turns           int
		want            bool
	}{
		"no compaction":                     {nil, 100_000, 99_000, turnsTypical, false},
		"compactions that freed little":     {&Verdict{Loop: true}, 100_000, 10, 0, true},
		"a turn that exceeds the threshold": {&Verdict{}, 100_000, 98_001, turnsTypical, true},
		"a turn that reaches it":            {&Verdict{}, 100_000, 98_000, turnsTypical, false},
		"a turn of a session that is young": {&Verdict{}, 100_000, 98_001, turnsTypical - 1, false},
		"three fifths, and a long turn":     {&Verdict{}, 4_000, 2_400, turnsTypical, true},
		"less than that, and a long turn":   {&Verdict{}, 4_000, 2_399, turnsTypical, false},
		"no threshold":                      {&Verdict{}, 0, 98_001, turnsTypical, false},
		"a size that is unknown":            {&Verdict{}, 100_000, Unknown, turnsTypical, false},
	} {
		s := after()
		for range growthsEnough {
			s.history.growth.add(1000)
		}
		for range c.turns {
			s.turn.lengths.add(2)
		}
		if c.left != Unknown {
			s.history.verdicts = []Verdict{{Left: c.left, LeftBasis: Measured}, {Left: 1, LeftBasis: Estimated}}
		}
		if got := s.loops(&Reading{Compaction: Compaction{Threshold: c.threshold, Last: c.verdict}}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
