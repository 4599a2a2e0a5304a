// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// joinable is how many symbols a piece can start from to be merged by looking through all its pairs.
const joinable = 64

// A shortMerge is a short piece while it is merged: again and again, the pair that goes first of all that can merge.
// The symbols stay where they are; a bit for each tells whether it still begins a token.
type shortMerge struct {
	byText   bool     // as the kind of merges says
	products []uint32 // as the kind of merges says
	n        int
	begins   uint64
	symbols  [joinable]uint32
	places   [joinable + 1]int32
	// joined has the merge of a symbol with the one behind it and, in its low bits, the symbol's place. So the lowest
	// value is the merge that goes first; a value >= noJoin means no merge.
	joined [joinable]uint32
	hashes [joinable]uint64 // for lookUpAll
	wants  [joinable]entry
	text   [3*joinable + padding]byte
	pairs  pairMemory
}

// noJoin is what noMerge makes, whatever the place.
const noJoin = noMerge &^ (joinable - 1)

// A pairMemory remembers of the pairs that came last what they merge into: most come again and again. An entry is the
// two symbols and the merge, one more than its number, or 0. A pair of ASCII bytes is not looked for here, so that no
// pair is all zeros.
type pairMemory [1 << pairBits]uint64

const pairBits = 14

// warm writes to every page of a memory that is new, for the reason that the cache of pieces does
// (BenchmarkFirstCount).
func (p *pairMemory) warm() {
	for i := 0; i < len(p); i += word.PageBytes / 8 {
		p[i] = 0
	}
}

func pairOf(left, right uint32) uint64 { return uint64(left)<<wideLeft | uint64(right) }

func (p *pairMemory) slot(pair uint64) *uint64 { return &p[pair*word.HashFactor>>(64-pairBits)] }

// recall answers what is remembered of a pair, if it is what the slot has.
func recall(slot, pair uint64) (merge uint32, known bool) {
	return uint32(slot&wideSymbol) - 1, slot>>wideLeft == pair
}

func remembered(pair uint64, merge uint32) uint64 { return pair<<wideLeft | uint64(merge+1)&wideSymbol }

// cut merges a piece. It answers false if the piece is too long for it.
func (j *shortMerge) cut(v *Merges, s *startSymbols, piece []byte) bool {
	if len(piece) > len(j.text)-padding {
		return false
	}
	text := pad(j.text[:0], piece)
	if !j.startFromASCII(v, piece) {
		s.fill(v, text)
		if j.n = len(s.symbols); j.n > joinable {
			return false
		}
		if s.strict && s.broken {
			return true
		}
		copy(j.symbols[:], s.symbols)
		copy(j.places[:], s.places)
	}
	j.begins = ^uint64(0) >> uint(joinable-j.n)
	if j.n > 1 {
		j.lookUpAll(v)
		j.mergeAll(v)
	}
	return true
}

// startFromASCII starts with the bytes of a piece, if they are ASCII and few enough.
func (j *shortMerge) startFromASCII(v *Merges, piece []byte) bool {
	if len(piece) > joinable || !j.byText {
		return false
	}
	for i, b := range piece {
		if b >= 0x80 {
			return false
		}
		j.symbols[i%joinable], j.places[i%joinable] = uint32(b), int32(i)
	}
	j.n = len(piece)
	j.places[j.n] = int32(j.n)
	return true
}

// lookUpAll looks up the merges of all neighbours. It goes through them several times, so that the memory of all is
// asked for before any of it is waited for.
func (j *shortMerge) lookUpAll(v *Merges) {
	symbols, places, joined := &j.symbols, &j.places, &j.joined
	n := j.n
	left := symbols[0]
	unknown, may := uint64(0), uint64(0)
	for i := 1; i < n && i < joinable; i++ {
		right := symbols[i]
		if (left|right)&^127 == 0 { // pairs of ASCII have a table of their own
			merge := v.ascii[left<<7|right] - 1 // it has one more, or 0
			joined[i-1] = merge*joinable + uint32(i-1)
			left = right
			continue
		}
		pair := pairOf(left, right)
		if merge, known := recall(*j.pairs.slot(pair), pair); known {
			joined[i-1] = merge*joinable + uint32(i-1)
		} else {
			want, hash := mergeKey(j.text[:], places[i-1], places[i+1], left, right)
			j.wants[i-1], j.hashes[i-1] = want, hash
			unknown |= 1 << uint((i-1)&63)
			may |= v.mayMerge(hash) << uint((i-1)&63)
		}
		left = right
	}
	for i := n - 1; i%lanes != 0; i++ {
		joined[i%joinable] = noJoin
	}
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % joinable
		joined[i] = v.slots[v.bucket(j.hashes[i])&uint64(len(v.slots)-1)]
	}
	for rest := unknown; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % (joinable - 1)
		merge := uint32(noMerge)
		if may>>uint(i&63)&1 != 0 {
			merge = v.find(j.wants[i], j.hashes[i])
		}
		pair := pairOf(symbols[i], symbols[i+1])
		*j.pairs.slot(pair) = remembered(pair, merge)
		joined[i] = merge*joinable + uint32(i)
	}
}

// mergeAll merges all that can be merged.
func (j *shortMerge) mergeAll(v *Merges) {
	symbols, joined, products := &j.symbols, &j.joined, j.products
	begins := j.begins
	last := uint64(1) << uint(j.n) // the end of the piece, if there is a bit left for it
	for {
		first := lowest((*[lanes]uint32)(joined[:]))
		for i := lanes; i < j.n-1; i += lanes {
			first = min(first, lowest((*[lanes]uint32)(joined[i&(joinable-lanes):])))
		}
		if first >= noJoin {
			break
		}
		best, at := first/joinable, int(first%joinable)
		if products != nil {
			best = products[best]
		}
		symbols[at] = best
		bit := uint64(1) << uint(at&63)
		behind := begins &^ (bit<<1 - 1)
		gone := bits.TrailingZeros64(behind)
		behind &= behind - 1
		begins &^= 1 << uint(gone&63)
		joined[gone%joinable] = noJoin
		ends := behind | last
		before := begins & (bit - 1)
		next := bits.TrailingZeros64(ends)
		ends &= ends - 1
		prev := (bits.Len64(before) - 1) & (joinable - 1)
		pairNext, pairPrev := pairOf(best, symbols[next%joinable]), pairOf(symbols[prev], best)
		slotNext, slotPrev := j.pairs.slot(pairNext), j.pairs.slot(pairPrev)
		mergeNext, knownNext := recall(*slotNext, pairNext)
		mergePrev, knownPrev := recall(*slotPrev, pairPrev)
		joined[at] = noJoin
		if behind != 0 {
			if !knownNext {
				mergeNext = v.join(j.text[:], j.places[at], j.places[bits.TrailingZeros64(ends)%(joinable+1)], pairNext, slotNext)
			}
			joined[at] = mergeNext*joinable + uint32(at)
		}
		if before != 0 {
			if !knownPrev {
				mergePrev = v.join(j.text[:], j.places[prev], j.places[next%(joinable+1)], pairPrev, slotPrev)
			}
			joined[prev] = mergePrev*joinable + uint32(prev)
		}
	}
	j.begins = begins
}

// lanes are how many merges are compared at once.
const lanes = 16

// lowest is the lowest of some numbers, found without a branch.
func lowest(n *[lanes]uint32) uint32 {
	a := min(min(n[0], n[1]), min(n[2], n[3]))
	b := min(min(n[4], n[5]), min(n[6], n[7]))
	c := min(min(n[8], n[9]), min(n[10], n[11]))
	d := min(min(n[12], n[13]), min(n[14], n[15]))
	return min(min(a, b), min(c, d))
}

// tokens is how many there are.
func (j *shortMerge) tokens() int64 { return int64(bits.OnesCount64(j.begins)) }
