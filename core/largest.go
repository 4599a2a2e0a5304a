// Copyright The ctx-lsp authors. MIT licence.

package core

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
	used := s.forecastUsed().used
	// A heap of the largest so far, the smallest of them on top.
	heap := make([]int, 0, min(top, len(s.items)))
	less := func(a, b int) bool {
		x, y := s.items[heap[a]].tokens, s.items[heap[b]].tokens
		return x < y || x == y && heap[a] > heap[b]
	}
	down := func(i, n int) {
		for {
			child := 2*i + 1
			if child >= n {
				return
			}
			if child+1 < n && less(child+1, child) {
				child++
			}
			if !less(child, i) {
				return
			}
			heap[i], heap[child] = heap[child], heap[i]
			i = child
		}
	}
	for i, at := range s.items {
		if at.is(slotGone) || at.tokens == 0 {
			continue
		}
		if len(heap) < top {
			heap = append(heap, i)
			for j := len(heap) - 1; j > 0 && less(j, (j-1)/2); j = (j - 1) / 2 {
				heap[j], heap[(j-1)/2] = heap[(j-1)/2], heap[j]
			}
			continue
		}
		if s.items[heap[0]].tokens < at.tokens {
			heap[0] = i
			down(0, len(heap))
		}
	}
	for n := len(heap) - 1; n > 0; n-- {
		heap[0], heap[n] = heap[n], heap[0]
		down(0, n)
	}
	out := make([]Largest, 0, len(heap))
	for _, i := range heap {
		at := s.items[i]
		label := s.labels.name(at.label)
		if label == "" {
			label = rowLabels[at.kind]
		}
		out = append(out, Largest{i, at.kind, label, int64(at.tokens), at.basis, hundredths(int64(at.tokens), used)})
	}
	return out
}
