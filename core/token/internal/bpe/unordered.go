// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// unorderedMerges are merges whose priority may be higher than that of the merges that make their parts. As soon as the
// parts are neighbors they are merged, before any other merge. Levels and seams do not work with them, so merging
// follows the definition: always the pair with the highest priority, the leftmost of equals.
type unorderedMerges struct {
	results []uint32 // the symbol that each merge makes, by priority
}

// readUnordered reads merges that state their result and priority.
func readUnordered(v *Merges, r *packed.Reader, crossings *split.Crossings) *unorderedMerges {
	k := &unorderedMerges{}
	k.read(v, r, crossings)
	return k
}

func (k *unorderedMerges) read(v *Merges, r *packed.Reader, crossings *split.Crossings) {
	n := r.Count(min(maxSymbols, r.Left()/4))
	products := r.Count(min(n, maxSymbols-int(v.first)))
	if r.Failed != "" {
		return
	}
	v.makeEntries(products)
	v.makeRoom(n)
	k.results = make([]uint32, n)
	v.merges = make([]entry, n)
	var edges [][2]rune // first and last character of each symbol
	if crossings != nil {
		edges = make([][2]rune, len(v.entries))
		v.letters.each(func(c rune, symbol uint32) { edges[symbol] = [2]rune{c, c} })
		crossings.Note()
	}
	result, known := uint64(v.first), false
	for i := range n {
		if step := r.Number(); step > 0 || i == 0 {
			if result += step; step > 1 || i == 0 && step > 0 || i > 0 && !known {
				r.Fail("it leaves a symbol out")
				return
			}
			known = false
		}
		left, right, priority := r.Number(), r.Number(), r.Number()
		if r.Failed != "" {
			return
		}
		if result >= uint64(len(v.entries)) || left >= result || right >= result || priority >= uint64(n) || k.results[priority] != 0 {
			r.Fail("one of its merges is out of bounds")
			return
		}
		size := v.entries[left].size() + v.entries[right].size()
		if size >= packed.MaxTokenSize || known && size != v.entries[result].size() {
			r.Fail("two merges make different tokens of one number, or one that is too long")
			return
		}
		if !known {
			v.entries[result], known = pairEntry(size, uint32(left), uint32(right)), true
			if edges != nil {
				edges[result] = [2]rune{edges[left][0], edges[right][1]}
			}
		}
		if edges != nil {
			crossings.Add(edges[left][1], edges[right][0])
		}
		k.results[priority] = uint32(result)
		v.merges[priority] = pairEntry(0, uint32(left), uint32(right))
	}
	if result+1 != uint64(len(v.entries)) && n > 0 {
		r.Fail("it makes fewer symbols than it says")
		return
	}
	for i, want := range v.merges {
		hash := want.digest()
		if v.find(want, hash) != noMerge {
			r.Fail("a merge is there twice")
			return
		}
		if !v.put(uint32(i), hash) {
			r.Fail(packed.TooAlike)
			return
		}
		if parts := want.split(); parts.left|parts.right < 128 {
			v.ascii[parts.left<<7|parts.right] = uint32(i) + 1
		}
	}
}

func (k *unorderedMerges) byText() bool { return false }

func (k *unorderedMerges) start(v *Merges, s *startSymbols, padded []byte) {
	piece := padded[:len(padded)-padding]
	if !v.letters.empty() {
		s.characters(&v.letters, piece)
		return
	}
	s.bytes(piece, 0)
	s.endWithoutPlaces()
}

func (k *unorderedMerges) key(_ *Merges, left, right uint32) (entry, uint64) {
	return keyOfPair(left, right)
}

// window returns noWindow: seams cannot be checked, so pieces are merged as a whole.
func (k *unorderedMerges) window() int { return noWindow }

func (k *unorderedMerges) staysApart(*Merges, uint32, uint32) bool { return false }

func (k *unorderedMerges) reach(*Merges) (bytes int64, bounded bool) { return 0, false }

func (k *unorderedMerges) products() []uint32 { return k.results }

// mergeLong merges by priority with a heap. An entry contains a priority and the position of the left symbol.
func (k *unorderedMerges) mergeLong(m *Merger) {
	n := len(m.symbols)
	if cap(m.links) < n {
		m.links = make(row, max(n, windowBytes))
	}
	links := m.links[:n]
	m.heap = m.heap[:0]
	for i, s := range m.symbols {
		links[i] = link{s, int32(i) - 1, int32(i) + 1}
	}
	links[n-1].next = -1
	for i := range n - 1 {
		m.offer(i, m.symbols[i], m.symbols[i+1])
	}
	for len(m.heap) > 0 {
		top := m.pop()
		at := int32(uint32(top))
		next := links[at].next
		if next < 0 || links[at].symbol == noMerge || m.v.joins(links[at].symbol, links[next].symbol) != uint32(top>>32) {
			continue // one of the two has been merged since
		}
		result := k.results[uint32(top>>32)]
		links.merge(at, result)
		if after := links[at].next; after >= 0 {
			m.offer(int(at), result, links[after].symbol)
		}
		if before := links[at].prev; before >= 0 {
			m.offer(int(before), links[before].symbol, result)
		}
	}
	m.symbols = m.symbols[:0]
	for i := int32(0); i >= 0; i = links[i].next {
		m.symbols = append(m.symbols, links[i].symbol)
	}
}

func (m *Merger) offer(at int, left, right uint32) {
	priority := m.v.joins(left, right)
	if priority == noMerge {
		return
	}
	entry := uint64(priority)<<32 | uint64(at)
	heap := append(m.heap, entry)
	i := len(heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if heap[up] <= entry {
			break
		}
		heap[i] = heap[up]
		i = up
	}
	heap[i] = entry
	m.heap = heap
}

func (m *Merger) pop() uint64 {
	heap := m.heap
	top := heap[0]
	last := heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	m.heap = heap
	i := 0
	for {
		down := 2*i + 1
		if down >= len(heap) {
			break
		}
		if down+1 < len(heap) && heap[down+1] < heap[down] {
			down++
		}
		if last <= heap[down] {
			break
		}
		heap[i] = heap[down]
		i = down
	}
	if len(heap) > 0 {
		heap[i] = last
	}
	return top
}
