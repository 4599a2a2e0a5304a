// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// TestAnAssumedSizeIsInTheRange checks that a definition of a usual size widens the range by all of it until a request
// contains it, and that its real size is not taken for another ratio of estimates.
func TestAnAssumedSizeIsInTheRange(t *testing.T) {
	s := after(item(User, 100), measured(20_000, 10), item(ToolCalls, 10), item(ToolResults, 5))
	s.Apply(Appended{Item: Item{Kind: MCPTools, Name: "mcp__db__query", Tokens: 650, Hidden: true, Assumed: true}})
	s.Apply(Appended{Item: Item{Kind: ToolResults, Text: make([]byte, 8000), Tokens: Unknown}})
	r := s.Reading()
	if r.Low > r.Used-600 || r.High < r.Used+600 {
		t.Errorf("before it was sent, %d is between %d and %d", r.Used, r.Low, r.High)
	}
	ratio := s.calibration.ratio
	s.Apply(measured(r.Used+750, 10))
	if r = s.Reading(); r.High-r.Low > 400 {
		t.Errorf("after it was sent, the range is still %d to %d", r.Low, r.High)
	}
	if s.calibration.ratio != ratio {
		t.Error("a definition was taken for a longer text")
	}
}

// TestTheDoubtAboutDefinitions checks by how much assumed sizes may be off: a single one by all of it, several by less.
func TestTheDoubtAboutDefinitions(t *testing.T) {
	for want, tokens := range map[int64][]int64{0: nil, 600: {600}, 750: {600, 400}, 800: {600, 400, 200}} {
		var sizes assumedSizes
		for _, n := range tokens {
			sizes.tokens, sizes.items = sizes.tokens+n, sizes.items+1
		}
		if got := sizes.doubt(); got != want {
			t.Errorf("%v: the doubt is %d, want %d", tokens, got, want)
		}
	}
}

// TestAssumedDefinitionsEndWithTheirItems checks which definitions are still assumed after a rewind, after a request
// that contained some, and once one was recorded.
func TestAssumedDefinitionsEndWithTheirItems(t *testing.T) {
	definition := func(name string, tokens int64, assumed bool) Item {
		return Item{Kind: MCPTools, Name: name, Tokens: tokens, Hidden: true, Assumed: assumed}
	}
	request := func(through int) Metered {
		m := measured(11_000, 10)
		m.Through, m.ThroughSet = through, true
		return m
	}
	for name, c := range map[string]struct {
		event Event
		want  int64
	}{
		"a rewind before both":         {Truncated{3}, 0},
		"a rewind before the second":   {Truncated{4}, 600},
		"a rewind after both":          {Truncated{5}, 900},
		"a request with none":          {request(3), 900},
		"a request with the first":     {request(4), 300},
		"a request with both":          {request(5), 0},
		"a definition of the first":    {Replaced{Index: 3, Item: definition("a", 500, false)}, 300},
		"another size for the first":   {Replaced{Index: 3, Item: definition("a", 500, true)}, 800},
		"the removal of the second":    {Dropped{Index: 4}, 600},
		"a compaction that keeps none": {Compacted{Tokens: Unknown, Before: Unknown}, 0},
	} {
		s := after(item(User, 50), measured(10_000, 20), item(ToolCalls, 20), item(ToolResults, 20))
		s.Apply(Appended{Item: definition("a", 600, true)})
		s.Apply(Appended{Item: definition("b", 300, true)})
		if s.Len() != 5 || s.conversation.pending.assumed != (assumedSizes{900, 2}) {
			t.Fatalf("of %d items, %+v are assumed", s.Len(), s.conversation.pending.assumed)
		}
		if s.Apply(c.event); s.conversation.pending.assumed.tokens != c.want {
			t.Errorf("after %s, %d tokens are assumed, want %d", name, s.conversation.pending.assumed.tokens, c.want)
		}
		restored, ok := Restore(s.Save(), plain{})
		if !ok || restored.conversation.pending.assumed != s.conversation.pending.assumed {
			t.Errorf("after %s, %+v is restored: %t", name, restored.conversation.pending.assumed, ok)
		}
	}
}
