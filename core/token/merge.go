package token

import (
	"math/bits"
	"unicode/utf8"
)

// A merger cuts the bytes between two piece boundaries into tokens. It owns the memory that this takes.
type merger struct {
	v       *Vocabulary
	symbols []uint32 // the tokens found, in order
	joined  []uint32 // for short pieces: what each symbol merges into with the one behind it
	links   []link   // for longer ones: the symbols as a list
	heap    []uint64 // merges to do: result in the high half, index of the left symbol in the low half
	cuts    []int    // ends of the tokens of a window
	text    []byte   // a piece made valid
}

type link struct {
	symbol     uint32
	prev, next int32
}

const (
	shortPiece  = 64   // up to here the quickest way is to look through all pairs for the next merge
	windowBytes = 4096 // longer pieces are cut window by window, in memory that stays near
	windowGuard = 24   // tokens of a window that the next one cuts again
)

func newMerger(v *Vocabulary) *merger {
	return &merger{v: v, symbols: make([]uint32, 0, windowBytes), joined: make([]uint32, shortPiece)}
}

// start fills symbols with what merging starts from.
func (m *merger) start(piece []byte) {
	m.symbols = m.symbols[:0]
	if m.v.characters == nil {
		m.symbols = m.v.appendAtoms(m.symbols, piece)
		return
	}
	for i := 0; i < len(piece); {
		c, size := decodeRune(piece, i)
		if symbol, ok := m.v.character(c); ok {
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
	if len(m.symbols) <= shortPiece {
		m.cutShort()
	} else {
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
	symbols, joined := (*[shortPiece]uint32)(m.symbols[:shortPiece]), (*[shortPiece]uint32)(m.joined)
	v := m.v
	begins := ^uint64(0) >> uint((shortPiece-n)&63)
	can := uint64(0)
	left := symbols[0]
	i := 1
	for ; i < n && i < shortPiece; i++ { // as long as it is ASCII, pairs have a table of their own
		right := symbols[i]
		if (left|right)&^127 != 0 {
			break
		}
		if j := v.ascii[left<<7|right]; j != 0 {
			joined[i-1] = j
			can |= 1 << uint((i-1)&63)
		}
		left = right
	}
	for ; i < n && i < shortPiece; i++ {
		right := symbols[i]
		if j := v.join(left, right); j != noMerge {
			joined[i-1] = j
			can |= 1 << uint((i-1)&63)
		}
		left = right
	}
	for can != 0 {
		best, at := uint32(noMerge), 0
		for rest := can; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			if i >= shortPiece {
				break
			}
			if j := joined[i]; j < best {
				best, at = j, i
			}
		}
		symbols[at] = best
		bit := uint64(1) << uint(at&63)
		behind := begins &^ (bit<<1 - 1)
		gone := behind & -behind
		begins &^= gone
		can &^= gone | bit
		if behind &= behind - 1; behind != 0 {
			if j := v.join(best, symbols[bits.TrailingZeros64(behind)%shortPiece]); j != noMerge {
				joined[at] = j
				can |= bit
			}
		}
		if before := begins & (bit - 1); before != 0 {
			i := bits.Len64(before) - 1
			can &^= 1 << uint(i&63)
			if j := v.join(symbols[i%shortPiece], best); j != noMerge {
				joined[i%shortPiece] = j
				can |= 1 << uint(i&63)
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

// cutLong merges with a heap of the pairs that can merge.
func (m *merger) cutLong() {
	n := len(m.symbols)
	if cap(m.links) < n {
		m.links = make([]link, max(n, windowBytes))
		m.heap = make([]uint64, 0, 3*max(n, windowBytes))
	}
	links := m.links[:n]
	m.heap = m.heap[:0]
	for i, s := range m.symbols {
		links[i] = link{s, int32(i) - 1, int32(i) + 1}
	}
	links[n-1].next = -1
	for i := range n - 1 {
		if j := m.v.join(m.symbols[i], m.symbols[i+1]); j != noMerge {
			m.push(uint64(j)<<32 | uint64(i))
		}
	}
	for len(m.heap) > 0 {
		top := m.pop()
		at, result := int32(uint32(top)), uint32(top>>32)
		next := links[at].next
		// A pair whose left symbol or right symbol has been merged since is not there any more.
		part := m.v.parts[result]
		if next < 0 || links[at].symbol != part.left || links[next].symbol != part.right {
			continue
		}
		after := links[next].next
		links[at].symbol = result
		links[at].next = after
		links[next].symbol = noMerge
		if after >= 0 {
			links[after].prev = at
			if j := m.v.join(result, links[after].symbol); j != noMerge {
				m.push(uint64(j)<<32 | uint64(uint32(at)))
			}
		}
		if before := links[at].prev; before >= 0 {
			if j := m.v.join(links[before].symbol, result); j != noMerge {
				m.push(uint64(j)<<32 | uint64(uint32(before)))
			}
		}
	}
	m.symbols = m.symbols[:0]
	for i := int32(0); i >= 0; i = links[i].next {
		m.symbols = append(m.symbols, links[i].symbol)
	}
}

func (m *merger) push(entry uint64) {
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

// size returns how many bytes a symbol stands for.
func (v *Vocabulary) size(symbol uint32) int { return v.shapes[symbol].size() }

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

// cutAll cuts a piece of any length and hands the number of tokens to the caller; with ends, their ends too,
// counted from base.
//
// A long piece is cut in windows. All but the last tokens of a window are kept, the rest is cut again as the beginning of
// the next; that this is what cutting the whole would have given is checked at each seam, and when it is not so the window grows.
func (m *merger) cutAll(piece []byte, base int, ends []int, list bool) (int64, []int) {
	var count int64
	window := windowBytes
	var last uint32 // the token before begin
	seam := false
	begin, mark := 0, len(ends)
	for {
		stop := min(begin+window, len(piece))
		if m.v.characters != nil {
			for stop < len(piece) && piece[stop]&0xC0 == 0x80 {
				stop++
			}
		}
		m.cut(piece[begin:stop])
		if seam && !m.v.stand(last, m.symbols[0]) {
			return m.cutWhole(piece, base, ends[:mark], list)
		}
		keep := len(m.symbols)
		if stop < len(piece) {
			keep -= windowGuard
			if keep < 1 {
				window *= 4
				continue
			}
		}
		count += int64(keep)
		for _, s := range m.symbols[:keep] {
			begin += m.v.size(s)
			if list {
				ends = append(ends, base+begin)
			}
		}
		if stop == len(piece) {
			return count, ends
		}
		last, seam = m.symbols[keep-1], true
	}
}

// cutWhole cuts a piece without windows.
func (m *merger) cutWhole(piece []byte, base int, ends []int, list bool) (int64, []int) {
	m.cut(piece)
	if list {
		for _, s := range m.symbols {
			base += m.v.size(s)
			ends = append(ends, base)
		}
	}
	return int64(len(m.symbols)), ends
}
