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
