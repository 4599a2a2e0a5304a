// Copyright The ctx-lsp authors. MIT licence.

package token

// Some vocabularies let a merge go before those that make its parts: as soon as the parts stand side by side they are
// merged, whatever else could be. There the theory of levels and seams does not hold, and merging is done to the letter:
// always the pair of the highest priority, the leftmost of equals.

// readLoose reads merges that say their result and priority.
func (v *Vocabulary) readLoose(r *packReader) {
	n := r.count(min(maxSymbols, r.left()/4))
	products := r.count(min(n, maxSymbols-int(v.first)))
	if r.failed != "" {
		return
	}
	v.makeEntries(products)
	v.makeRoom(n)
	v.results = make([]uint32, n)
	v.merges = make([]entry, n)
	var edges [][2]rune // first and last character of each symbol
	if v.scanner == unsplit {
		edges = make([][2]rune, len(v.entries))
		for _, entry := range v.characters {
			if entry != 0 {
				c := rune(entry>>32) - 1
				edges[uint32(entry)] = [2]rune{c, c}
			}
		}
		v.seams = make([]uint64, 1<<seamBits/64)
	}
	result, known := uint64(v.first), false
	for i := range n {
		if step := r.number(); step > 0 || i == 0 {
			if result += step; step > 1 || i == 0 && step > 0 || i > 0 && !known {
				r.fail("it leaves a symbol out")
				return
			}
			known = false
		}
		left, right, priority := r.number(), r.number(), r.number()
		if r.failed != "" {
			return
		}
		if result >= uint64(len(v.entries)) || left >= result || right >= result || priority >= uint64(n) || v.results[priority] != 0 {
			r.fail("one of its merges is out of bounds")
			return
		}
		size := v.entries[left].size() + v.entries[right].size()
		if size >= maxTokenSize || known && size != v.entries[result].size() {
			r.fail("two merges make different tokens of one number, or one that is too long")
			return
		}
		if !known {
			v.entries[result], known = pairEntry(size, uint32(left), uint32(right)), true
			if edges != nil {
				edges[result] = [2]rune{edges[left][0], edges[right][1]}
			}
		}
		if edges != nil {
			at := seam(edges[left][1], edges[right][0])
			v.seams[at>>6] |= 1 << (at & 63)
		}
		v.results[priority] = uint32(result)
		v.merges[priority] = pairEntry(0, uint32(left), uint32(right))
	}
	if result+1 != uint64(len(v.entries)) && n > 0 {
		r.fail("it makes fewer symbols than it says")
		return
	}
	for i, want := range v.merges {
		hash := want.digest()
		if v.find(want, hash) != noMerge {
			r.fail("a merge is there twice")
			return
		}
		if !v.put(uint32(i), hash) {
			r.fail(tooAlike)
			return
		}
		if parts := want.split(); parts.left|parts.right < 128 {
			v.ascii[parts.left<<7|parts.right] = uint32(i) + 1
		}
	}
}

// unsplit is the scanner of vocabularies that merge a text as a whole. What no merge can join is still apart, and cutting
// there makes pieces that are short and come again.
const unsplit = "none"

const seamBits = 22

func seam(left, right rune) uint64 {
	return (uint64(left)<<21 | uint64(right)) * hashFactor >> (64 - seamBits)
}

// nextUnsplit answers where a merge can no longer cross.
func (v *Vocabulary) nextUnsplit(p []byte, i int) int {
	left, size := decodeRune(p, i)
	for i += size; i < len(p); i += size {
		var right rune
		if right, size = decodeRune(p, i); v.neverJoins(left, right) {
			break
		}
		left = right
	}
	return i
}

// neverJoins tells whether no merge joins what ends with one character to what begins with another.
func (v *Vocabulary) neverJoins(left, right rune) bool {
	at := seam(v.written(left), v.written(right))
	return v.seams != nil && v.seams[at>>6]>>(at&63)&1 == 0
}

// written is how the vocabulary writes a character.
func (v *Vocabulary) written(c rune) rune {
	if c == ' ' && v.normalizer == underlined {
		return '▁'
	}
	return c
}

// cutLoose merges by priority with a heap. Entries are a priority and the place of the left symbol.
func (m *merger) cutLoose() {
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
		result := m.v.results[uint32(top>>32)]
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

func (m *merger) offer(at int, left, right uint32) {
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

func (m *merger) pop() uint64 {
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
