package token

import "math/bits"

// shortPiece is how many symbols a piece can start from to be merged by looking through all its pairs.
const shortPiece = 64

// A joining is a short piece while it is merged: again and again, the pair that goes first of all that can merge. The symbols
// stay where they are; a bit for each tells whether it still begins a token, and another whether it can merge with the next.
type joining struct {
	_ [0]func() // not to be compared: the module need not know how

	n       int
	begins  uint64
	can     uint64
	symbols [shortPiece]uint32
	places  [shortPiece + 1]int32
	joined  [shortPiece]uint32 // the merge of a symbol with the one behind it, and the symbol's place
	hashes  [shortPiece]uint64 // for joinAll
	wants   [shortPiece]entry
	text    [3*shortPiece + 16]byte
	pairs   pairMemory
}

// A pairMemory remembers of the pairs that came last what they merge into: most come again and again. An entry is the two symbols
// and the merge, one more than its number, or 0. A pair of ASCII bytes is not looked for here, so that no pair is all zeros.
type pairMemory [1 << pairBits]uint64

const pairBits = 14

func pairOf(left, right uint32) uint64 { return uint64(left)<<wideLeft | uint64(right) }

func (p *pairMemory) slot(pair uint64) *uint64 { return &p[pair*hashFactor>>(64-pairBits)] }

// recall answers what is remembered of a pair, if it is what the slot has.
func recall(slot, pair uint64) (merge uint32, known bool) {
	return uint32(slot&wideSymbol) - 1, slot>>wideLeft == pair
}

func remembered(pair uint64, merge uint32) uint64 { return pair<<wideLeft | uint64(merge+1)&wideSymbol }

// cut merges a piece. It answers false if the piece is too long for it.
func (j *joining) cut(v *Vocabulary, s *start, piece []byte) bool {
	if len(piece) > 3*shortPiece {
		return false
	}
	if len(piece) <= shortPiece {
		s = &start{symbols: j.symbols[:0], places: j.places[:0]}
	}
	s.fill(v, piece)
	j.n = len(s.symbols)
	if len(piece) > shortPiece {
		if j.n > shortPiece {
			return false
		}
		copy(j.symbols[:], s.symbols)
		copy(j.places[:], s.places)
	}
	size := copy(j.text[:], piece)
	clear(j.text[size : size+16])
	j.begins = ^uint64(0) >> uint((shortPiece-j.n)&63)
	if j.n > 1 {
		j.joinAll(v)
		j.finish(v)
	}
	return true
}

// joinAll looks up the merges of all neighbours. It goes through them several times, so that the memory of all is asked for before
// any of it is waited for.
func (j *joining) joinAll(v *Vocabulary) {
	symbols, places, joined := &j.symbols, &j.places, &j.joined
	n := j.n
	left := symbols[0]
	can, unknown, may := uint64(0), uint64(0), uint64(0)
	for i := 1; i < n && i < shortPiece; i++ {
		right := symbols[i]
		if (left|right)&^127 == 0 { // pairs of ASCII have a table of their own
			merge := v.ascii[left<<7|right] // one more than the merge, or 0
			joined[i-1] = (merge-1)*shortPiece + uint32(i-1)
			can |= (uint64(merge) + (1<<32 - 1)) >> 32 << uint((i-1)&63)
			left = right
			continue
		}
		pair := pairOf(left, right)
		if merge, known := recall(*j.pairs.slot(pair), pair); known {
			joined[i-1] = merge*shortPiece + uint32(i-1)
			can |= uint64(merge+1+wideSymbol) >> wideLeft << uint((i-1)&63)
		} else {
			want, hash := wanted(j.text[:], places[i-1], places[i+1], left, right)
			j.wants[i-1], j.hashes[i-1] = want, hash
			unknown |= 1 << uint((i-1)&63)
			may |= v.may(hash) << uint((i-1)&63)
		}
		left = right
	}
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % shortPiece
		joined[i] = v.slots[v.bucket(j.hashes[i])&uint64(len(v.slots)-1)]
	}
	for rest := unknown; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % (shortPiece - 1)
		merge := uint32(noMerge)
		if may>>uint(i&63)&1 != 0 {
			merge = v.find(j.wants[i], j.hashes[i])
		}
		pair := pairOf(symbols[i], symbols[i+1])
		*j.pairs.slot(pair) = remembered(pair, merge)
		if merge != noMerge {
			joined[i] = merge*shortPiece + uint32(i)
			can |= 1 << uint(i&63)
		}
	}
	j.can = can
}

// join looks up what two symbols merge into, which are the text between two places.
func (j *joining) join(v *Vocabulary, slot *uint64, pair uint64, from, to int) uint32 {
	want, hash := wanted(j.text[:], j.places[from%(shortPiece+1)], j.places[to%(shortPiece+1)], uint32(pair>>wideLeft), uint32(pair&wideSymbol))
	merge := uint32(noMerge)
	if v.may(hash) != 0 {
		merge = v.find(want, hash)
	}
	*slot = remembered(pair, merge)
	return merge
}

// finish merges all that can be merged.
func (j *joining) finish(v *Vocabulary) {
	symbols, joined := &j.symbols, &j.joined
	begins, can := j.begins, j.can
	last := uint64(1) << uint(j.n) // the end of the piece, if there is a bit left for it
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
		ends := behind | last
		before := begins & (bit - 1)
		next := bits.TrailingZeros64(ends)
		ends &= ends - 1
		prev := (bits.Len64(before) - 1) & (shortPiece - 1)
		pairNext, pairPrev := pairOf(best, symbols[next%shortPiece]), pairOf(symbols[prev], best)
		slotNext, slotPrev := j.pairs.slot(pairNext), j.pairs.slot(pairPrev)
		mergeNext, knownNext := recall(*slotNext, pairNext)
		mergePrev, knownPrev := recall(*slotPrev, pairPrev)
		if behind != 0 {
			if !knownNext {
				mergeNext = j.join(v, slotNext, pairNext, at, bits.TrailingZeros64(ends))
			}
			if mergeNext != noMerge {
				joined[at] = mergeNext*shortPiece + uint32(at)
				can |= bit
			}
		}
		if before != 0 {
			bit := uint64(1) << uint(prev&63)
			can &^= bit
			if !knownPrev {
				mergePrev = j.join(v, slotPrev, pairPrev, prev, next)
			}
			if mergePrev != noMerge {
				joined[prev] = mergePrev*shortPiece + uint32(prev)
				can |= bit
			}
		}
	}
	j.begins = begins
}

// tokens is how many there are.
func (j *joining) tokens() int64 { return int64(bits.OnesCount64(j.begins)) }
