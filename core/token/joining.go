package token

import "math/bits"

// shortPiece is how many symbols a piece can start from to be merged by looking through all its pairs.
const shortPiece = 64

// A joining is a short piece while it is merged: again and again, the pair that goes first of all that can merge. The symbols
// stay where they are; a bit for each tells whether it still begins a token, and another whether it can merge with the next.
type joining struct {
	n       int
	begins  uint64
	can     uint64
	symbols [shortPiece]uint32
	places  [shortPiece + 1]int32
	joined  [shortPiece]uint32 // the merge of a symbol with the one behind it, and the symbol's place
	hashes  [shortPiece]uint64 // for joinAll
	wants   [shortPiece]entry
	text    [3*shortPiece + 16]byte
}

// cut merges a piece. It answers false if the piece is too long for it.
func (j *joining) cut(v *Vocabulary, s *start, piece []byte) bool {
	if len(piece) > 3*shortPiece {
		return false
	}
	if len(piece) <= shortPiece {
		s = &start{j.symbols[:0], j.places[:0]}
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
	j.can = 0
	if j.n > 1 {
		j.joinAll(v)
		j.finish(v)
	}
	return true
}

// joinAll looks up the merges of all neighbours. It goes through them several times, so that the memory of all is asked for before
// any of it is waited for.
func (j *joining) joinAll(v *Vocabulary) {
	n := j.n
	left := j.symbols[0]
	i := 1
	for ; i < n && i < shortPiece; i++ { // as long as it is ASCII, pairs have a table of their own
		right := j.symbols[i]
		if (left|right)&^127 != 0 {
			break
		}
		merge := v.ascii[left<<7|right] // one more than the merge, or 0
		j.joined[i-1] = (merge-1)*shortPiece + uint32(i-1)
		j.can |= (uint64(merge) + (1<<32 - 1)) >> 32 << uint((i-1)&63)
		left = right
	}
	if i == n {
		return
	}
	hashes, wants := &j.hashes, &j.wants
	may := uint64(0)
	for ; i < n && i < shortPiece; i++ {
		right := j.symbols[i]
		want, hash := wanted(j.text[:], j.places[i-1], j.places[i+1], left, right)
		wants[i-1], hashes[i-1] = want, hash
		may |= v.may(hash) << uint((i-1)&63)
		left = right
	}
	slots := v.slots
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % shortPiece
		j.joined[i] = slots[v.bucket(hashes[i])&uint64(len(slots)-1)]
	}
	for rest := may; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest) % shortPiece
		merge := j.joined[i] >> slotTag
		if j.joined[i] == 0 || v.merges[merge] != wants[i] {
			if merge = v.find(wants[i], hashes[i]); merge == noMerge {
				continue
			}
		}
		j.joined[i] = merge*shortPiece + uint32(i)
		j.can |= 1 << uint(i&63)
	}
}

// finish merges all that can be merged.
func (j *joining) finish(v *Vocabulary) {
	symbols, places, joined := &j.symbols, &j.places, &j.joined
	text := j.text[:]
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
		wantNext, hashNext := wanted(text, places[at], places[bits.TrailingZeros64(ends)%(shortPiece+1)], best, symbols[next%shortPiece])
		wantPrev, hashPrev := wanted(text, places[prev], places[next%(shortPiece+1)], symbols[prev], best)
		mayNext, mayPrev := v.may(hashNext), v.may(hashPrev)
		if behind != 0 && mayNext != 0 {
			if merge := v.find(wantNext, hashNext); merge != noMerge {
				joined[at] = merge*shortPiece + uint32(at)
				can |= bit
			}
		}
		if before != 0 {
			bit := uint64(1) << uint(prev&63)
			can &^= bit
			if mayPrev != 0 {
				if merge := v.find(wantPrev, hashPrev); merge != noMerge {
					joined[prev] = merge*shortPiece + uint32(prev)
					can |= bit
				}
			}
		}
	}
	j.begins = begins
}

// tokens is how many there are.
func (j *joining) tokens() int64 { return int64(bits.OnesCount64(j.begins)) }
