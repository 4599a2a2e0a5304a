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
	reasoning := Item{Kind: Reasoning, Tokens: 20}
	for _, c := range []struct {
		name  string
		out   int64
		items []Item
		want  int64
	}{
		{"one block", 230, []Item{text, call, call}, 230},
		{"two blocks", 272, []Item{text, call, call}, 230},
		{"two blocks, counted a little too high", 265, []Item{text, call, call}, 223},
		{"two blocks, counted a little too low", 281, []Item{text, call, call}, 239},
		{"three blocks", 314, []Item{text, call, call}, 230},
		{"more blocks than texts and calls", 230 + 4*42, []Item{text, call, call}, 230 + 4*42},
		{"no multiple of a block", 251, []Item{text, call, call}, 251},
		{"no calls", 72, []Item{text}, 72},
		{"reasoning may be as long", 272, []Item{reasoning, text, call, call}, 272},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Identity{}, blocked{})
			s.Apply(item(User, 5))
			s.Apply(measured(1000, c.out))
			for _, item := range c.items {
				s.Apply(Appended{item})
			}
			if got := s.Reading().Used; got != 1000+c.want {
				t.Errorf("used is %d, want %d", got, 1000+c.want)
			}
		})
	}
}
