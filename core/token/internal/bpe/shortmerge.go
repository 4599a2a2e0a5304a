// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// joinable is the maximum number of start symbols of a piece that is merged by scanning all its pairs.
const joinable = 64

// A shortMerge merges a short piece by repeatedly doing the merge with the highest priority. The symbols keep their
// positions; a bit for each records whether it still begins a token.
type shortMerge struct {
	byText   bool     // byText of the kind
	products []uint32 // products of the kind
	n        int
	begins   uint64
	symbols  [joinable]uint32
	places   [joinable + 1]int32
	// joined contains the merge of each symbol with the next one, with the symbol's position in the low bits. The
	// lowest value is thus the merge with the highest priority. A value >= noJoin means no merge.
	joined [joinable]uint32
	hashes [joinable]uint64 // used by lookUpAll
	wants  [joinable]entry
	text   [3*joinable + padding]byte
	pairs  pairMemory
}

// noJoin is the result for noMerge at any position.
const noJoin = noMerge &^ (joinable - 1)

// A pairMemory remembers the merges of recent pairs, because most pairs recur. An entry contains the two symbols and
// the number of the merge plus one, or 0. Pairs of ASCII bytes are not looked up here, so no pair is all zeros.
type pairMemory [1 << pairBits]uint64

const pairBits = 14

func pairOf(left, right uint32) uint64 { return uint64(left)<<wideLeft | uint64(right) }

func (p *pairMemory) slot(pair uint64) *uint64 { return &p[pair*word.HashFactor>>(64-pairBits)] }

// recall returns the remembered merge of a pair, if the slot contains that pair.
func recall(slot, pair uint64) (merge uint32, known bool) {
	return uint32(slot&wideSymbol) - 1, slot>>wideLeft == pair
}

func remembered(pair uint64, merge uint32) uint64 { return pair<<wideLeft | uint64(merge+1)&wideSymbol }

// cut merges a piece. It returns false if the piece is too long.
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

// lookUpAll looks up the merges of all neighbors. It makes several passes, so that the memory accesses of all overlap.
func (j *shortMerge) lookUpAll(v *Merges) {
	symbols, places, joined := &j.symbols, &j.places, &j.joined
	n := j.n
	left := symbols[0]
	unknown, may := uint64(0), uint64(0)
	for i := 1; i < n && i < joinable; i++ {
		right := symbols[i]
		if (left|right)&^127 == 0 { // pairs of ASCII have their own table
			merge := v.ascii[left<<7|right] - 1 // the table contains one more, or 0
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

// mergeAll does all possible merges.
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
		later := begins &^ (bit<<1 - 1)
		removed := bits.TrailingZeros64(later)
		later &= later - 1
		begins &^= 1 << uint(removed&63)
		joined[removed%joinable] = noJoin
		ends := later | last
		before := begins & (bit - 1)
		next := bits.TrailingZeros64(ends)
		ends &= ends - 1
		prev := (bits.Len64(before) - 1) & (joinable - 1)
		pairNext, pairPrev := pairOf(best, symbols[next%joinable]), pairOf(symbols[prev], best)
		slotNext, slotPrev := j.pairs.slot(pairNext), j.pairs.slot(pairPrev)
		mergeNext, knownNext := recall(*slotNext, pairNext)
		mergePrev, knownPrev := recall(*slotPrev, pairPrev)
		joined[at] = noJoin
		if later != 0 {
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

// lanes is the number of merges compared at once.
const lanes = 16

// lowest returns the smallest number, without branches.
func lowest(n *[lanes]uint32) uint32 {
	a := min(min(n[0], n[1]), min(n[2], n[3]))
	b := min(min(n[4], n[5]), min(n[6], n[7]))
	c := min(min(n[8], n[9]), min(n[10], n[11]))
	d := min(min(n[12], n[13]), min(n[14], n[15]))
	return min(min(a, b), min(c, d))
}

// tokens returns the number of tokens.
func (j *shortMerge) tokens() int64 { return int64(bits.OnesCount64(j.begins)) }
