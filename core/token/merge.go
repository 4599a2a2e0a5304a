package token

import (
	"math/bits"
	"unicode/utf8"
)

// A merger cuts the bytes between two piece boundaries into tokens. It owns the memory that this takes.
type merger struct {
	v       *Vocabulary
	symbols []uint32           // the tokens found, in order
	joined  [shortPiece]uint32 // for short pieces: the merge of each symbol with the one behind it, and the symbol's place
	hashes  [shortPiece]uint64
	links   row      // for longer ones
	queue   []queued // for these, the merges to do
	heads   []levelQueue
	heap    []uint64 // for loose merges
	full    []uint64 // bits of the levels that have merges to do
	text    []byte   // a piece made valid
	window  int      // windowBytes and windowGuard, but for tests
	guard   int
}

type link struct {
	symbol     uint32
	prev, next int32
}

// A queued merge is done at a symbol, if it still can be.
type queued struct {
	result   uint32
	at, next int32
}

type levelQueue struct{ first, last int32 }

const (
	shortPiece  = 64   // up to here the quickest way is to look through all pairs for the next merge
	windowBytes = 4096 // longer pieces are cut window by window, in memory that stays near
	windowGuard = 3    // tokens of a window that the next one cuts again
)

func newMerger(v *Vocabulary) *merger {
	return &merger{v: v, symbols: make([]uint32, 0, windowBytes), window: windowBytes, guard: windowGuard}
}

// start fills symbols with what merging starts from.
func (m *merger) start(piece []byte) {
	m.symbols = m.symbols[:0]
	switch {
	case m.v.results == nil:
		m.symbols = m.v.appendAtoms(m.symbols, piece)
		return
	case m.v.characters == nil:
		for _, b := range piece {
			m.symbols = append(m.symbols, uint32(b))
		}
		return
	}
	for i := 0; i < len(piece); {
		c, size := decodeRune(piece, i)
		if symbol, ok := m.v.character(m.v.written(c)); ok {
			m.symbols = append(m.symbols, symbol)
		} else {
			for _, b := range piece[i : i+size] {
				m.symbols = append(m.symbols, uint32(b))
			}
		}
		i += size
	}
}

// cut leaves the tokens of a piece in symbols. The piece is no longer than a window or is taken whole.
func (m *merger) cut(piece []byte) {
	m.start(piece)
	switch {
	case len(m.symbols) <= shortPiece:
		m.cutShort()
	case m.v.results != nil:
		m.cutLoose()
	default:
		m.cutLong()
	}
}

// cutShort merges by looking through all pairs that can merge for the one that goes first. The symbols stay where they
// are; a bit for each tells whether it still begins a token, and another whether it can merge with the next.
func (m *merger) cutShort() {
	n := len(m.symbols)
	if n < 2 {
		return
	}
	symbols, joined := (*[shortPiece]uint32)(m.symbols[:shortPiece]), &m.joined
	v := m.v
	begins := ^uint64(0) >> uint((shortPiece-n)&63)
	can := m.joinAll(symbols, n)
	for can != 0 {
		first := uint32(noMerge)
		for rest := can; rest != 0; rest &= rest - 1 {
			first = min(first, joined[bits.TrailingZeros64(rest)%shortPiece])
		}
		best, at := first/shortPiece, int(first%shortPiece)
		if v.results != nil {
			best = v.results[best]
		}
		symbols[at] = best
		bit := uint64(1) << uint(at&63)
		behind := begins &^ (bit<<1 - 1)
		gone := behind & -behind
		begins &^= gone
		can &^= gone | bit
		// What comes behind and what before are looked up side by side, so that memory is waited for once.
		behind &= behind - 1
		before := begins & (bit - 1)
		next := bits.TrailingZeros64(behind) % shortPiece
		prev := (bits.Len64(before) - 1) & (shortPiece - 1)
		nextHash := hashPair(best, symbols[next])
		prevHash := hashPair(symbols[prev], best)
		mayNext, mayPrev := v.may(nextHash), v.may(prevHash)
		if behind != 0 && mayNext != 0 {
			if j := v.find(best, symbols[next], nextHash); j != noMerge {
				joined[at] = j*shortPiece + uint32(at)
				can |= bit
			}
		}
		if before != 0 {
			bit := uint64(1) << uint(prev&63)
			can &^= bit
			if mayPrev != 0 {
				if j := v.find(symbols[prev], best, prevHash); j != noMerge {
					joined[prev] = j*shortPiece + uint32(prev)
					can |= bit
				}
			}
		}
	}
	k := 0
	for rest := begins; rest != 0; rest &= rest - 1 {
		symbols[k] = symbols[bits.TrailingZeros64(rest)%shortPiece]
		k++
	}
	m.symbols = m.symbols[:k]
}

// joinAll looks up the merges of all neighbours. It goes through them several times, so that the memory of all is asked for before
// any of it is waited for.
func (m *merger) joinAll(symbols *[shortPiece]uint32, n int) (can uint64) {
	v := m.v
	joined := &m.joined
	left := symbols[0]
	i := 1
	for ; i < n && i < shortPiece; i++ { // as long as it is ASCII, pairs have a table of their own
		right := symbols[i]
		if (left|right)&^127 != 0 {
			break
		}
		j := v.ascii[left<<7|right] // one more than the merge, or 0
		joined[i-1] = (j-1)*shortPiece + uint32(i-1)
		can |= (uint64(j) + (1<<32 - 1)) >> 32 << uint((i-1)&63)
		left = right
	}
	if i == n {
		return can
	}
	may := uint64(0)
	for ; i < n && i < shortPiece; i++ {
		right := symbols[i]
		hash := hashPair(left, right)
		m.hashes[i-1] = hash
		may |= v.may(hash) << uint((i-1)&63)
		left = right
	}
	slots, shift := v.slots, v.shift&63
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % shortPiece
		joined[i] = slots[m.hashes[i]>>shift&uint64(len(slots)-1)]
	}
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % (shortPiece - 1)
		j := joined[i] >> slotTag
		if it := v.merges[j]; joined[i] == 0 || it.left != symbols[i] || it.right != symbols[i+1] {
			if j = v.find(symbols[i], symbols[i+1], m.hashes[i]); j == noMerge {
				continue
			}
		}
		joined[i] = j*shortPiece + uint32(i)
		can |= 1 << uint(i&63)
	}
	return can
}

// cutLong merges level by level. Merges of one level never compete for a symbol, but for those of a symbol with itself,
// which go from left to right; so a level's merges can be done in the order in which they were found.
func (m *merger) cutLong() {
	n := len(m.symbols)
	if cap(m.links) < n {
		size := max(n, windowBytes)
		m.links = make(row, size)
		m.queue = make([]queued, 0, 3*size)
	}
	if m.heads == nil {
		m.heads = make([]levelQueue, len(m.v.ends))
		m.full = make([]uint64, len(m.v.ends)/64+1)
		if m.v.level == nil {
			m.v.makeLevels()
		}
	}
	links := m.links[:n]
	m.queue = m.queue[:0]
	for i, s := range m.symbols {
		links[i] = link{s, int32(i) - 1, int32(i) + 1}
	}
	links[n-1].next = -1
	for i := range n - 1 {
		m.pair(int32(i), m.symbols[i], m.symbols[i+1])
	}
	for word := range m.full {
		for m.full[word] != 0 {
			level := word*64 + bits.TrailingZeros64(m.full[word])
			m.full[word] &= m.full[word] - 1
			for at := m.heads[level].first; at >= 0; at = m.queue[at].next {
				m.mergeAt(links, m.queue[at].at, m.queue[at].result)
			}
		}
	}
	m.symbols = m.symbols[:0]
	for i := int32(0); i >= 0; i = links[i].next {
		m.symbols = append(m.symbols, links[i].symbol)
	}
}

// mergeAt does a merge that was found, if what it joins is still there.
func (m *merger) mergeAt(links row, at int32, result uint32) {
	part := m.v.parts[result]
	next := links[at].next
	if next < 0 || links[at].symbol != part.left || links[next].symbol != part.right {
		return
	}
	first, last := at, at // of the symbols that are new
	if part.left != part.right {
		links.merge(at, result)
	} else {
		// A row of the symbol is merged from its left end, two by two, all at once.
		for prev := links[at].prev; prev >= 0 && links[prev].symbol == part.left; prev = links[at].prev {
			at = prev
		}
		first = at
		for {
			links.merge(at, result)
			last = at
			at = links[at].next
			if at < 0 || links[at].symbol != part.left {
				break
			}
			if next := links[at].next; next < 0 || links[next].symbol != part.left {
				break
			}
		}
	}
	if before := links[first].prev; before >= 0 {
		m.pair(before, links[before].symbol, result)
	}
	for {
		next := links[first].next
		if next < 0 {
			break
		}
		m.pair(first, result, links[next].symbol)
		if first == last {
			break
		}
		first = next
	}
}

// A row is the symbols of a piece as a list. A symbol stays where the first of what it is made of was.
type row []link

func (r row) merge(at int32, result uint32) {
	next := r[at].next
	after := r[next].next
	r[at].symbol = result
	r[at].next = after
	r[next].symbol = noMerge
	if after >= 0 {
		r[after].prev = at
	}
}

// pair puts the merge of two neighbours, if there is one, into the queue of its level.
func (m *merger) pair(at int32, left, right uint32) {
	result := m.v.join(left, right)
	if result == noMerge {
		return
	}
	level := m.v.level[result]
	queue := &m.heads[level]
	entry := int32(len(m.queue))
	m.queue = append(m.queue, queued{result, at, -1})
	if bit := uint64(1) << (level & 63); m.full[level>>6]&bit == 0 {
		m.full[level>>6] |= bit
		queue.first = entry
	} else {
		m.queue[queue.last].next = entry
	}
	queue.last = entry
}

// size returns how many bytes a symbol stands for that a text begins with.
func (m *merger) size(symbol uint32, text []byte) int {
	size := int(m.v.sizes[symbol])
	if m.v.normalizer != underlined {
		return size
	}
	written := 0
	for at := 0; ; {
		if written >= size || at >= len(text) {
			return at
		}
		c, n := decodeRune(text, at)
		if _, whole := m.v.character(m.v.written(c)); !whole && size == 1 {
			return 1 // a byte of a character that the vocabulary does not have
		}
		at += n
		written += runeLength(m.v.written(c))
	}
}

// count returns how many tokens a piece has.
func (m *merger) count(piece []byte) int64 {
	piece = m.valid(piece)
	if len(piece) <= windowBytes {
		if m.v.whole.has(piece) {
			return 1
		}
		m.cut(piece)
		return int64(len(m.symbols))
	}
	n, _ := m.cutAll(piece, 0, nil, false)
	return n
}

// valid returns the piece with U+FFFD in place of what is not UTF-8.
func (m *merger) valid(piece []byte) []byte {
	if utf8.Valid(piece) {
		return piece
	}
	m.text = m.text[:0]
	for i := 0; i < len(piece); {
		c, size := decodeRune(piece, i)
		m.text = utf8.AppendRune(m.text, c)
		i += size
	}
	return m.text
}

// cutAll cuts a valid piece of any length and returns the number of its tokens; with list, it appends their ends, counted
// from base.
//
// A long piece is cut in windows. All but the last tokens of a window are kept, the rest is cut again as the beginning of
// the next. That this is what cutting the whole would have given is checked at each seam; where it is not so, the window
// before is cut again, longer and with more to spare.
func (m *merger) cutAll(piece []byte, base int, ends []int, list bool) (int64, []int) {
	type state struct {
		begin, ends int
		count       int64
		last        uint32 // the token before begin
	}
	type effort struct{ window, guard int }
	var tried effort // to get from before to here
	start := state{ends: len(ends)}
	here, before := start, start
	window, guard := m.window, m.guard
	for {
		stop := min(here.begin+window, len(piece))
		if m.v.results != nil {
			stop = len(piece) // a seam cannot be checked
		}
		if m.v.characters != nil {
			for stop < len(piece) && piece[stop]&0xC0 == 0x80 {
				stop++
			}
		}
		m.cut(piece[here.begin:stop])
		if here.begin > 0 && !m.v.stand(here.last, m.symbols[0]) {
			if here.begin == before.begin { // it was cut apart in the wrong place before that, too: take it whole
				here, tried.window = start, len(piece)
			} else {
				here = before
			}
			before = here
			window, guard = 4*tried.window, 4*tried.guard
			continue
		}
		keep := len(m.symbols)
		if stop < len(piece) {
			if keep -= guard; keep < 1 {
				window *= 4
				continue
			}
		}
		before, tried = here, effort{window, guard}
		ends = ends[:here.ends]
		here.count += int64(keep)
		for _, s := range m.symbols[:keep] {
			here.begin += m.size(s, piece[here.begin:])
			if list {
				ends = append(ends, base+here.begin)
			}
		}
		if stop == len(piece) {
			return here.count, ends
		}
		here.last, here.ends = m.symbols[keep-1], len(ends)
		window, guard = m.window, m.guard
	}
}
