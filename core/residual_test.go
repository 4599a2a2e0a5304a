// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"strings"
	"testing"
)

func TestTheResidualExpectedIsThatOfTheNearestPrompt(t *testing.T) {
	compacting := Rule{FirstMost: 20_000, FirstUsual: 15_000}
	for _, c := range []struct {
		name          string
		residual      residual
		justCompacted bool
		rule          Rule
		want          int64
	}{
		{"nothing is known", residual{noPrompt, noPrompt, Unknown, Unknown, Unknown, false, [Summary]int64{}, false, false}, false, Rule{}, 0},
		{"earlier sessions told it", residual{noPrompt, noPrompt, 9000, 7000, Unknown, false, [Summary]int64{}, false, false}, false, Rule{}, 9000},
		{"earlier sessions told it of after a compaction", residual{noPrompt, noPrompt, 9000, 7000, Unknown, false, [Summary]int64{}, false, false}, true, Rule{}, 7000},
		{"the first prompt told it", residual{prompt{8000, 9000, estimates{}}, noPrompt, 9000, Unknown, Unknown, false, [Summary]int64{}, false, false}, false, Rule{}, 8000},
		{"the prompt after the compaction told it", residual{prompt{8000, 9000, estimates{}}, prompt{6000, 7000, estimates{}}, 9000, 7000, Unknown, false, [Summary]int64{}, false, false}, true, Rule{}, 6000},
		{"the first prompt held a conversation that is summarised now", residual{prompt{50_000, 60_000, estimates{}}, noPrompt, Unknown, Unknown, Unknown, false, [Summary]int64{}, false, false}, true, compacting, 15_000},
		{"and still holds it before the compaction", residual{prompt{50_000, 60_000, estimates{}}, noPrompt, Unknown, Unknown, Unknown, false, [Summary]int64{}, false, false}, false, compacting, 50_000},
		{"the first prompt was no longer than usual", residual{prompt{19_000, 19_500, estimates{}}, noPrompt, Unknown, Unknown, Unknown, false, [Summary]int64{}, false, false}, true, compacting, 19_000},
	} {
		if got := expectedBy(c.residual, c.justCompacted, c.rule, fixedRows{}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// expectedBy returns the residual that a session with this state expects.
func expectedBy(r residual, justCompacted bool, rule Rule, fixed fixedRows) int64 {
	s := New(Identity{Agent: "codex"}, plain{})
	s.residual, s.history.justCompacted, s.rule, s.fixed = r, justCompacted, rule, fixed
	return s.expectedHidden()
}

// TestWhatAHostItemisedNothingOfIsConversation checks that a compaction removes the unexplained part of a first prompt,
// if the host had sent the fixed context.
func TestWhatAHostItemisedNothingOfIsConversation(t *testing.T) {
	joined := residual{prompt{138_000, 150_000, estimates{}}, noPrompt, Unknown, Unknown, Unknown, true, [Summary]int64{}, false, false}
	told := fixedRows{}
	told.parts[System] = []fixedPart{{tokens: 4000}}
	if got := expectedBy(joined, true, Rule{}, told); got != 0 {
		t.Errorf("after a compaction %d", got)
	}
	if got := expectedBy(joined, false, Rule{}, told); got != 138_000 {
		t.Errorf("before it %d", got)
	}
	if got := expectedBy(joined, true, Rule{}, fixedRows{}); got != 138_000 {
		t.Errorf("where nobody said what surrounds it %d", got)
	}
}

func TestFirstPromptsTellTheResidual(t *testing.T) {
	u := newResidual()
	u.measured(&request{in: 10_000, through: 2}, 3000, estimates{}, false)
	u.measured(&request{in: 12_000, through: 4}, 3500, estimates{}, false)
	if u.first != (prompt{7000, 10_000, estimates{}}) || u.afterCompaction != noPrompt || u.itemisedLate {
		t.Errorf("%+v", u)
	}
	u.measured(&request{in: 5000, through: 1}, 9000, estimates{}, true)
	if u.afterCompaction != (prompt{0, 5000, estimates{}}) || u.first.in != 10_000 {
		t.Errorf("after a compaction: %+v", u)
	}
	u.describe(8000)
	if u.first.hidden != 0 || u.first.in != 10_000 {
		t.Errorf("described: %+v", u)
	}
	late := newResidual()
	late.measured(&request{in: 10_000}, 0, estimates{}, false)
	late.describe(4000)
	if !late.itemisedLate || late.first.hidden != 6000 || late.afterCompaction != noPrompt {
		t.Errorf("without items: %+v", late)
	}
}

func TestInflationThatStaysLeavesWithAResume(t *testing.T) {
	for _, c := range []struct {
		stays, resumed bool
		want           int64
	}{{false, false, 500}, {false, true, 500}, {true, false, 0}, {true, true, 500}} {
		i := inflation{500, c.stays}
		if got := i.leaving(c.resumed); got != c.want {
			t.Errorf("stays %v, resumed %v: %d leave", c.stays, c.resumed, got)
		}
	}
}

func TestAnExcessThatIsASecondCountOfNewlyCachedTokensIsKnownExactly(t *testing.T) {
	for _, c := range []struct {
		name                    string
		in, cacheRead, expected int64
		want                    int64
	}{
		{"no cache is told", 12_000, Unknown, 10_000, 2000},
		{"the cache holds all", 12_000, 12_000, 10_000, 2000},
		{"newly cached tokens are counted twice", 12_000, 8000, 9900, 2000},
		{"the excess is something else", 12_000, 1000, 10_000, 2000},
	} {
		r := request{in: c.in, cacheRead: c.cacheRead}
		if got := r.excess(c.expected); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestAMeasurementEndsAllChanges(t *testing.T) {
	c := changes{toolsChanged: true, resumed: true, steered: true}
	c.adjust(-300, Named("memory unloaded"))
	c.adjust(200, Named("reminder"))
	c.enter(50, Estimated)
	if c.leaving.total() != 300 || c.adjusted != 200 || c.replaced != 50 || c.replacedBasis != Estimated {
		t.Errorf("%+v", c)
	}
	c.forget()
	if c.leaving.total() != 0 || c.adjusted != 0 || c.replaced != 0 || c.replacedBasis != BasisUnknown || c.toolsChanged || c.resumed || c.steered {
		t.Errorf("left over: %+v", c)
	}
}

// TestTheSecondRequestAddsAListing checks which size of what has no record is expected again: from 500 to 8,000.
func TestTheSecondRequestAddsAListing(t *testing.T) {
	for unseen, want := range map[int64]int64{499: 0, 500: 500, 8_000: 8_000, 8_001: 0, -1: 0} {
		var u residual
		if u.learnSecond(unseen); u.second != want {
			t.Errorf("%d without a record: %d are expected, want %d", unseen, u.second, want)
		}
	}
}

// TestTheOtherHiddenPartIsWhatNoTableHas checks what is left of a first prompt's unrecorded part without the system
// prompt, the tools and the memory files: nothing is known unless the first two are.
func TestTheOtherHiddenPartIsWhatNoTableHas(t *testing.T) {
	system, tools, memory := known(FromTable, System, builtIn(2000, 0)), known(FromTable, Tools, builtIn(5000, 0), builtIn(0, 0)), known(FromFiles, Memory, builtIn(300, 0))
	for name, c := range map[string]struct {
		parts []Event
		want  int64
	}{
		"all":                          {[]Event{system, tools, memory}, 2700},
		"no memory files":              {[]Event{system, tools}, 3000},
		"no tools":                     {[]Event{system, memory}, 0},
		"no system prompt":             {[]Event{tools, memory}, 0},
		"agents that are in the tools": {[]Event{system, tools, known(FromTable, Agents, builtIn(700, 0))}, 3000},
		"a better size of the tools":   {[]Event{system, tools, known(FromRecord, Tools, builtIn(6000, 0))}, 2000},
		"more than the prompt has":     {[]Event{system, known(FromTable, Tools, builtIn(50_000, 0))}, 0},
	} {
		s := after(append([]Event{item(User, 100), measured(10_100, 0)}, c.parts...)...)
		if got := s.otherHidden(); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := after(system, tools, memory).otherHidden(); got != 0 {
		t.Errorf("before a prompt was measured: %d", got)
	}
}

// TestUnrecordedTokensHaveARowForEachOccasion checks rows of occasions that explain less than was measured, and more.
func TestUnrecordedTokensHaveARowForEachOccasion(t *testing.T) {
	for _, c := range []struct {
		unseen [Occasions]int64
		tokens int64
		want   string
	}{
		{[Occasions]int64{}, 0, ""},
		{[Occasions]int64{}, 9, "9"},
		{[Occasions]int64{5, 3}, 9, "5 3 1"},
		{[Occasions]int64{5, -3}, 5, "5"},
		{[Occasions]int64{50, 25, 0, 25}, 10, "5 2 3"}, // the last one has what rounding leaves
		{[Occasions]int64{1, 1, 1}, 1, "1"},
	} {
		s := after()
		s.excess.unseen = c.unseen
		before := Row{Kind: System, Tokens: 70}
		rows := s.unseenRows([]Row{before}, c.tokens, Estimated)
		if rows[0].Kind != before.Kind || rows[0].Tokens != before.Tokens {
			t.Errorf("%v: the row before became %+v", c, rows[0])
		}
		got := ""
		for _, r := range rows[1:] {
			got += " " + itoa(r.Tokens)
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%v: rows of%s", c, got)
		}
	}
}

// TestRowsAreScaledToASum checks that estimated rows are scaled if that is enough, and all rows otherwise.
func TestRowsAreScaledToASum(t *testing.T) {
	for _, c := range []struct{ counted, estimated, total, wantCounted, wantEstimated, percent int64 }{
		{300, 100, 350, 300, 50, 50},
		{300, 100, 300, 300, 0, 0},
		{300, 100, 200, 150, 50, 50},
		{300, 100, 0, 0, 0, 0},
		{300, 100, -5, 0, 0, 0},
		{300, 0, 300, 300, 0, 100},
		{1, 2, 2, 1, 1, 50},
	} {
		rows := []Row{{Tokens: c.counted, Basis: Counted}, {Tokens: c.estimated, Basis: Estimated}}
		percent := scale(rows, c.counted, c.total)
		if rows[0].Tokens != c.wantCounted || rows[1].Tokens != c.wantEstimated || percent != c.percent {
			t.Errorf("%d and about %d to %d: %d, %d, %d%%", c.counted, c.estimated, c.total, rows[0].Tokens, rows[1].Tokens, percent)
		}
	}
}

// TestInflationThatLeavesInPartIsWhatStayed checks a prompt that is shorter than with all of it, and longer than
// without it.
func TestInflationThatLeavesInPartIsWhatStayed(t *testing.T) {
	for in, want := range map[int64]int64{25_300: 5000, 25_050: 5000, 25_040: 4740, 23_300: 3000, 22_700: 0, 20_300: 0} {
		s := after(
			item(User, 50), measured(20_000, 100), item(Assistant, 100), item(User, 50),
			measured(25_150, 100, func(m *Metered) { m.ServerTools, m.ServerStays = true, true }), item(Assistant, 100), item(User, 50),
		)
		if used := s.Reading().Used; s.inflation.tokens != 5000 || used != 25_300 {
			t.Fatalf("%d tokens stay of %d", s.inflation.tokens, used)
		}
		if s.Apply(measured(in, 100)); s.inflation.tokens != want {
			t.Errorf("a prompt of %d: %d tokens stay, want %d", in, s.inflation.tokens, want)
		}
	}
}
