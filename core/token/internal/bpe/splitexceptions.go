// Copyright The ctx-lsp authors. MIT licence.

package bpe

// splitExceptions contains the merges that join parts of two characters before these are complete. For these, it
// matters that a piece was split into characters. There are few: 255 of o200k's 200,000.
type splitExceptions struct {
	heads   characterParts // symbols that are an incomplete beginning of one character
	tails   characterParts // symbols that consist only of continuation bytes
	either  []uint64       // bits by symbol, set for heads and tails
	borders []uint64       // bits by the last byte of a character and the first of the next: such a merge may join them
}

// characterParts are symbols that are parts of characters, with the first merge, if any, that joins each of them to
// another character.
type characterParts struct {
	are      []uint64 // bits by symbol
	joinedBy map[uint32]uint32
}

func newCharacterParts(symbols int, first, last uint32) characterParts {
	p := characterParts{make([]uint64, symbols/64+1), map[uint32]uint32{}}
	for b := first; b <= last; b++ {
		p.add(b)
	}
	return p
}

func (p *characterParts) has(symbol uint32) bool { return p.are[symbol>>6]>>(symbol&63)&1 != 0 }

func (p *characterParts) add(symbol uint32) { p.are[symbol>>6] |= 1 << (symbol & 63) }

func (p *characterParts) noteJoin(symbol, merge uint32) {
	if _, joined := p.joinedBy[symbol]; !joined {
		p.joinedBy[symbol] = merge
	}
}

// before reports whether a merge joins a part to another character before the merge that completes the character.
func (p *characterParts) before(part, whole uint32) bool {
	first, joined := p.joinedBy[part]
	return joined && first < whole
}

func newSplitExceptions(symbols int) *splitExceptions {
	x := &splitExceptions{newCharacterParts(symbols, 0xC2, 0xF4), newCharacterParts(symbols, 0x80, 0xBF), make([]uint64, symbols/64+1), make([]uint64, 1<<16/64)}
	copy(x.either, x.heads.are[:4])
	for i, bits := range x.tails.are[:4] {
		x.either[i] |= bits
	}
	return x
}

// mayBe returns 0 for merges that need not be noted, which are most.
func (x *splitExceptions) mayBe(merge merge) uint64 {
	return (x.either[merge.left>>6]>>(merge.left&63) | x.either[merge.right>>6]>>(merge.right&63)) & 1
}

// note records a merge. Merges must be noted in order.
func (x *splitExceptions) note(v *Merges, id uint32, merge merge) {
	head, tail := x.heads.has(merge.right), x.tails.has(merge.left)
	switch {
	case head || tail:
		first := v.firstByte(merge.right)
		if first&0xC0 == 0x80 {
			if x.tails.has(merge.right) {
				x.tails.add(id)
				x.either[id>>6] |= 1 << (id & 63)
			}
			return
		}
		// The two meet between characters, and one of them is a part of a character.
		at := uint32(v.lastByte(merge.left))<<8 | uint32(first)
		x.borders[at>>6] |= 1 << (at & 63)
		if head {
			x.heads.noteJoin(merge.right, id)
		}
		if tail {
			x.tails.noteJoin(merge.left, id)
		}
	case x.heads.has(merge.left) && x.tails.has(merge.right):
		if whole := v.entries[id]; whole.size() < characterSize(byte(whole)) {
			x.heads.add(id)
			x.either[id>>6] |= 1 << (id & 63)
		}
	}
}

// at reports whether a merge may join parts of two characters, given the last byte of one and the first byte of the
// other.
func (x *splitExceptions) at(last, first byte) bool {
	border := uint32(last)<<8 | uint32(first)
	return x.borders[border>>6]>>(border&63)&1 != 0
}

// characterSize returns the length in bytes of a character that begins with first.
func characterSize(first byte) int {
	switch {
	case first < 0xC0:
		return 1
	case first < 0xE0:
		return 2
	case first < 0xF0:
		return 3
	}
	return 4
}
