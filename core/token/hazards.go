// Copyright The ctx-lsp authors. MIT licence.

package token

// hazards are what is known of the merges that join parts of two characters, before these are whole. There are few: 255 of
// o200k's 200,000.
type hazards struct {
	heads   parts    // symbols that are the beginning of one character and no more
	tails   parts    // symbols that are continuation bytes through and through
	either  []uint64 // bits by symbol: those that are one of these
	borders []uint64 // bits by last byte of a character and first byte of the next: some such merge may join them
}

// parts are symbols that are parts of characters, and for each the first merge that joins it to another character, if one does.
type parts struct {
	are   []uint64 // bits by symbol
	taken map[uint32]uint32
}

func newParts(symbols int, first, last uint32) parts {
	p := parts{make([]uint64, symbols/64+1), map[uint32]uint32{}}
	for b := first; b <= last; b++ {
		p.add(b)
	}
	return p
}

func (p *parts) has(symbol uint32) bool { return p.are[symbol>>6]>>(symbol&63)&1 != 0 }

func (p *parts) add(symbol uint32) { p.are[symbol>>6] |= 1 << (symbol & 63) }

func (p *parts) take(symbol, merge uint32) {
	if _, taken := p.taken[symbol]; !taken {
		p.taken[symbol] = merge
	}
}

// before tells whether a merge takes a part before the merge that makes the whole.
func (p *parts) before(part, whole uint32) bool {
	first, taken := p.taken[part]
	return taken && first < whole
}

func newHazards(symbols int) *hazards {
	h := &hazards{newParts(symbols, 0xC2, 0xF4), newParts(symbols, 0x80, 0xBF), make([]uint64, symbols/64+1), make([]uint64, 1<<16/64)}
	copy(h.either, h.heads.are[:4])
	for i, bits := range h.tails.are[:4] {
		h.either[i] |= bits
	}
	return h
}

// may is not 0 if a merge is one to see. Most are not.
func (h *hazards) may(merge merge) uint64 {
	return (h.either[merge.left>>6]>>(merge.left&63) | h.either[merge.right>>6]>>(merge.right&63)) & 1
}

// see takes note of a merge. Merges are seen in their order.
func (h *hazards) see(v *Vocabulary, id uint32, merge merge) {
	head, tail := h.heads.has(merge.right), h.tails.has(merge.left)
	switch {
	case head || tail:
		first := v.firstByte(merge.right)
		if first&0xC0 == 0x80 {
			if h.tails.has(merge.right) {
				h.tails.add(id)
				h.either[id>>6] |= 1 << (id & 63)
			}
			return
		}
		// The two meet between characters, and one of them is a part of a character.
		at := uint32(v.lastByte(merge.left))<<8 | uint32(first)
		h.borders[at>>6] |= 1 << (at & 63)
		if head {
			h.heads.take(merge.right, id)
		}
		if tail {
			h.tails.take(merge.left, id)
		}
	case h.heads.has(merge.left) && h.tails.has(merge.right):
		if whole := v.entries[id]; whole.size() < characterSize(byte(whole)) {
			h.heads.add(id)
			h.either[id>>6] |= 1 << (id & 63)
		}
	}
}

// at tells whether a merge may join parts of the characters that end and begin with these bytes.
func (h *hazards) at(last, first byte) bool {
	border := uint32(last)<<8 | uint32(first)
	return h.borders[border>>6]>>(border&63)&1 != 0
}

// characterSize is how long a character is that begins with a byte.
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
