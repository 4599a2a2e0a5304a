// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestASizeOfAToolIsLearned checks that a definition of unknown size is shown with a wide range, measured by the
// request that contains it, and known to the next session of the workspace.
func TestASizeOfAToolIsLearned(t *testing.T) {
	begin := func(id string) *Session {
		s := New(Identity{ID: id}, plain{})
		s.ID, s.Agent, s.Model, s.Workspace = id, "claude-code", "claude-opus-5", "/home/ada/shop"
		s.Apply(Appended{Item: Item{Kind: User, Tokens: 100}})
		s.Apply(Metered{In: 20_000, Out: 10, Reasoning: Unknown, CacheRead: Unknown, CacheWrite: Unknown})
		s.Apply(Appended{Item: Item{Kind: ToolCalls, Tokens: 10}})
		return s
	}
	load := func(s *Session) Reading {
		s.Apply(Appended{Item: Item{Kind: ToolResults, Tokens: 5}})
		s.Apply(Appended{Item: Item{Kind: MCPTools, Name: "mcp__db__query", Tokens: 650, Hidden: true, Assumed: true}})
		return s.Reading()
	}
	first := begin("1")
	r := load(first)
	if r.Low > 20_200 || r.High < 21_300 {
		t.Errorf("before it was sent the range is %d to %d", r.Low, r.High)
	}
	first.Apply(Metered{In: r.Used - 650 + 1400, Out: 10, Reasoning: Unknown, CacheRead: Unknown, CacheWrite: Unknown})
	if r = first.Reading(); r.High-r.Low > 400 {
		t.Errorf("after it was measured the range is still %d to %d", r.Low, r.High)
	}
	lesson, ok := first.Lesson()
	if !ok || len(lesson.Tools) != 1 || lesson.Tools[0].Tokens < 1395 || lesson.Tools[0].Tokens > 1405 {
		t.Fatalf("the lesson is %+v", lesson.Tools)
	}
	second := begin("2")
	before := second.Reading().Used
	second.LearnTools(&lesson)
	if r = load(second); r.Used-before < 1400 || r.Used-before > 1440 || r.High-r.Low > 400 {
		t.Errorf("in the next session it adds %d, and the range is %d to %d", r.Used-before, r.Low, r.High)
	}
	itself := begin("1")
	itself.LearnTools(&lesson)
	if len(itself.toolSizes.known) != 0 {
		t.Error("a session has taught itself")
	}
}

// TestAnErrorOfSeveralDefinitionsIsShared checks that tools loaded together learn their shares, within bounds, and that
// a recorded definition takes precedence.
func TestAnErrorOfSeveralDefinitionsIsShared(t *testing.T) {
	var sizes toolSizes
	sizes.appended(&Item{Name: "a", Tokens: 650, Assumed: true}, 3)
	sizes.appended(&Item{Name: "b", Tokens: 1300, Assumed: true}, 4)
	sizes.measured(-900)
	if a, b := sizes.known[0].Tokens, sizes.known[1].Tokens; a != 350 || b != 700 {
		t.Errorf("the sizes are %d and %d", a, b)
	}
	sizes.defined(&Item{Kind: Tools, Name: "b", Hidden: true}, 812)
	if got := sizes.fill(&Item{Name: "b", Tokens: 650, Assumed: true}); got.Tokens != 812 || got.Assumed {
		t.Errorf("the size on record is %+v", got)
	}
	sizes.sent(4)
	if len(sizes.assumed) != 0 { // b is recorded, and a was sent
		t.Errorf("assumed are still %+v", sizes.assumed)
	}
	sizes.appended(&Item{Name: "c", Tokens: 650, Assumed: true}, 5)
	sizes.measured(-100_000)
	if got := sizes.fill(&Item{Name: "c", Assumed: true}).Tokens; got != definitionLeast {
		t.Errorf("the least size is %d", got)
	}
}

// TestTheDoubtAboutDefinitions checks by how much assumed sizes may be off: a single one by all of it, several by less.
func TestTheDoubtAboutDefinitions(t *testing.T) {
	for want, tokens := range map[int64][]int64{0: nil, 600: {600}, 750: {600, 400}, 800: {600, 400, 200}} {
		var sizes toolSizes
		for i, n := range tokens {
			sizes.appended(&Item{Name: string(rune('a' + i)), Tokens: n, Assumed: true}, i)
		}
		if got := sizes.doubt(); got != want {
			t.Errorf("%v: the doubt is %d, want %d", tokens, got, want)
		}
	}
}

// TestLearnedSizesOfDefinitionsHaveBounds checks the sizes that a request shows, from 20 to 30,000 tokens.
func TestLearnedSizesOfDefinitionsHaveBounds(t *testing.T) {
	for missing, want := range map[int64][2]int64{300: {800, 400}, -300: {400, 200}, 0: {600, 300}, -870: {20, 20}, -861: {26, 20}, 44_100: {30_000, 15_000}, 90_000: {30_000, 30_000}} {
		var sizes toolSizes
		sizes.appended(&Item{Name: "a", Tokens: 600, Assumed: true}, 3)
		sizes.appended(&Item{Name: "b", Tokens: 300, Assumed: true}, 4)
		sizes.appended(&Item{Name: "c", Tokens: 300}, 5)
		sizes.measured(missing)
		if got := [2]int64{sizes.known[0].Tokens, sizes.known[1].Tokens}; got != want || len(sizes.known) != 2 {
			t.Errorf("a prompt longer by %d shows %v, want %v", missing, got, want)
		}
	}
}

// TestAssumedDefinitionsEndWithTheirItems checks which definitions are still assumed after a rewind, and after a
// request that contained some.
func TestAssumedDefinitionsEndWithTheirItems(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*toolSizes)
		want   int64
	}{
		"a rewind before both":          {func(s *toolSizes) { s.cut(3) }, 0},
		"a rewind before the second":    {func(s *toolSizes) { s.cut(4) }, 600},
		"a rewind after both":           {func(s *toolSizes) { s.cut(5) }, 900},
		"a request with none":           {func(s *toolSizes) { s.sent(3) }, 900},
		"a request with the first":      {func(s *toolSizes) { s.sent(4) }, 300},
		"a request with both":           {func(s *toolSizes) { s.sent(5) }, 0},
		"a definition of the first":     {func(s *toolSizes) { s.defined(&Item{Kind: MCPTools, Name: "a", Hidden: true}, 500) }, 300},
		"a definition of a visible one": {func(s *toolSizes) { s.defined(&Item{Kind: MCPTools, Name: "a"}, 500) }, 900},
		"a result of a tool":            {func(s *toolSizes) { s.defined(&Item{Kind: ToolResults, Name: "a", Hidden: true}, 500) }, 900},
		"a definition without a name":   {func(s *toolSizes) { s.defined(&Item{Kind: Tools, Hidden: true}, 500) }, 900},
	} {
		var sizes toolSizes
		sizes.appended(&Item{Name: "a", Tokens: 600, Assumed: true}, 3)
		sizes.appended(&Item{Name: "b", Tokens: 300, Assumed: true}, 4)
		if c.change(&sizes); sizes.assumedTokens() != c.want {
			t.Errorf("after %s, %d tokens are assumed, want %d", name, sizes.assumedTokens(), c.want)
		}
	}
}
