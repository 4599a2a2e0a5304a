// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// blocked is a meter whose model repeats the frame of calls in a response.
type blocked struct{ plain }

func (blocked) Resolve(model, provider, route string) Resolved {
	resolved := plain{}.Resolve(model, provider, route)
	resolved.Meter = blocked{}
	return resolved
}

func (blocked) CallBlock() int64 { return 42 }

func TestFurtherBlocksOfCallsAreNotSentAgain(t *testing.T) {
	text := Item{Kind: Assistant, Tokens: 30}
	call := Item{Kind: ToolCalls, Tokens: 100}
	thought := Item{Kind: Reasoning, Tokens: 20}
	placeholder := func(m *Metered) { m.OutPlaceholder = true }
	for _, c := range []struct {
		name  string
		out   int64
		items []Item
		want  int64
		with  func(*Metered)
	}{
		{"a length that may be a placeholder", 272, []Item{text, call, call}, 272, placeholder},
		{"reasoning that was measured", 272, []Item{text, call, call}, 272, reasoning(1)},
		{"no reasoning that was measured", 272, []Item{text, call, call}, 230, reasoning(0)},
		{"one block", 230, []Item{text, call, call}, 230, nil},
		{"two blocks", 272, []Item{text, call, call}, 230, nil},
		{"two blocks, counted a little too high", 265, []Item{text, call, call}, 223, nil},
		{"two blocks, counted a little too low", 281, []Item{text, call, call}, 239, nil},
		{"three blocks", 314, []Item{text, call, call}, 230, nil},
		{"more blocks than texts and calls", 230 + 4*42, []Item{text, call, call}, 230 + 4*42, nil},
		{"no multiple of a block", 251, []Item{text, call, call}, 251, nil},
		{"no calls", 72, []Item{text}, 72, nil},
		{"reasoning may be as long", 272, []Item{thought, text, call, call}, 272, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Identity{}, blocked{})
			s.Apply(item(User, 5))
			if c.with == nil {
				c.with = func(*Metered) {}
			}
			s.Apply(measured(1000, c.out, c.with))
			for _, item := range c.items {
				s.Apply(Appended{item})
			}
			if got := s.Reading().Used; got != 1000+c.want {
				t.Errorf("used is %d, want %d", got, 1000+c.want)
			}
		})
	}
}
