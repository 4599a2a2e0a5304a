// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

// Largest is one of the largest items of a conversation.
type Largest struct {
	Index  int
	Kind   Kind
	Label  string
	Tokens int64
	Basis  Basis
	Share  int64 // of used, in hundredths of a percent
}

// Largest lists the items that take most, the largest first, equals in their
// order. Labels and sizes are all that is known of them.
func (s *Session) Largest(top int) []Largest {
	if top <= 0 {
		return nil
	}
	used := s.predictNext().used
	list := make([]int, 0, min(top, len(s.conversation.items)))
	for i, at := range s.conversation.items {
		if at.is(slotGone) || at.tokens == 0 {
			continue
		}
		if len(list) == top {
			if at.tokens <= s.conversation.items[list[top-1]].tokens {
				continue
			}
			list = list[:top-1]
		}
		place, _ := slices.BinarySearchFunc(list, at.tokens, func(other int, tokens uint32) int {
			if s.conversation.items[other].tokens >= tokens {
				return -1 // equals stay in their order
			}
			return 1
		})
		list = slices.Insert(list, place, i)
	}
	out := make([]Largest, 0, len(list))
	for _, i := range list {
		at := s.conversation.items[i]
		label := s.conversation.labels.name(at.label)
		if label == "" {
			label = rowLabels[at.kind]
		}
		out = append(out, Largest{i, at.kind, label, int64(at.tokens), at.basis, hundredths(int64(at.tokens), used)})
	}
	return out
}
