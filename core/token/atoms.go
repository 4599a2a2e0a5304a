package token

// Merging by bytes spends most of its time, outside of ASCII, on making characters out of bytes. An atom is the token
// that merging makes of one character; starting from atoms gives the same tokens as starting from bytes unless some merge
// joins parts of two characters before the characters are whole. Those merges are few, and which characters they can take
// apart is known when a pack is loaded: for these, and only where the bytes of both sides fit such a merge, merging
// starts from bytes. docs/tokens.md has the proof.

const (
	noAtom      = 0
	fragileHead = 1 << 30 // a merge can take the character's first bytes before it is whole
	fragileTail = 1 << 31 // a merge can take its last bytes
	atomMask    = 1<<30 - 1
)

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

// atomsAfter is how many pieces beyond ASCII are merged from bytes before the atoms are made: about as many as take the time
// that making them takes.
const atomsAfter = 64

// An atomMaker finds atoms in merges in their order.
type atomMaker struct {
	v     *Vocabulary
	heads parts // symbols that are the beginning of one character and no more
	tails parts // symbols that are continuation bytes through and through
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

func (v *Vocabulary) makeAtoms() {
	n := len(v.entries)
	m := &atomMaker{v, newParts(n, 0xC2, 0xF4), newParts(n, 0x80, 0xBF)}
	v.hazards = make([]uint64, 1<<16/64)
	v.atoms = make([]uint32, 1<<16)
	v.columns.each(v, m.see)
}

// see takes note of a merge.
func (m *atomMaker) see(id, left, right uint32) {
	v := m.v
	head, tail := m.heads.has(right), m.tails.has(left)
	if head || tail {
		if first := v.firstByte(right); first&0xC0 != 0x80 {
			// The two parts meet between characters, and one of them is a part of a character.
			at := uint32(v.lastByte(left))<<8 | uint32(first)
			v.hazards[at>>6] |= 1 << (at & 63)
			if head {
				m.heads.take(right, id)
			}
			if tail {
				m.tails.take(left, id)
			}
		} else if m.tails.has(right) {
			m.tails.add(id)
		}
		return
	}
	if !m.heads.has(left) || !m.tails.has(right) {
		return
	}
	whole := v.entries[id]
	size, begin := whole.size(), byte(whole)
	if size < characterSize(begin) {
		m.heads.add(id)
	}
	if size != characterSize(begin) || size > 3 {
		return
	}
	c := uint32(begin&0x1F)<<6 | uint32(whole>>8&0x3F)
	if size == 3 {
		c = uint32(begin&0x0F)<<12 | uint32(whole>>8&0x3F)<<6 | uint32(whole>>16&0x3F)
	}
	atom := id
	// Each part is there until the next merge takes it: the two, and the byte at either end.
	if m.heads.before(left, id) || left >= 256 && m.heads.before(uint32(begin), left) {
		atom |= fragileHead
	}
	if m.tails.before(right, id) || right >= 256 && m.tails.before(uint32(v.lastByte(right)), right) {
		atom |= fragileTail
	}
	v.atoms[c] = atom
}

// atoms adds to the symbols what merging of valid text may start from.
func (s *start) atoms(v *Vocabulary, piece []byte) {
	if v.atoms == nil {
		if isASCII(piece) {
			s.bytes(piece, 0)
			return
		}
		if v.foreign++; v.foreign < atomsAfter && len(piece) < windowBytes {
			s.bytes(piece, 0)
			return
		}
		v.makeAtoms()
	}
	previous := uint32(0) // the atom before, and its flags
	for i := 0; i < len(piece); {
		b := piece[i]
		if b < 0x80 {
			s.symbols = append(s.symbols, uint32(b))
			s.places = append(s.places, int32(i))
			previous = 0
			i++
			continue
		}
		size := characterSize(b)
		atom := uint32(noAtom)
		switch {
		case i+size > len(piece): // a window may begin or end inside a character
			size = 1
		case size == 2:
			atom = v.atoms[uint32(b&0x1F)<<6|uint32(piece[i+1]&0x3F)]
		case size == 3:
			atom = v.atoms[uint32(b&0x0F)<<12|uint32(piece[i+1]&0x3F)<<6|uint32(piece[i+2]&0x3F)]
		}
		apart := atom == noAtom
		if i > 0 && (atom&fragileHead != 0 || previous&fragileTail != 0) {
			at := uint32(piece[i-1])<<8 | uint32(b)
			if v.hazards[at>>6]>>(at&63)&1 != 0 {
				apart = true
				if previous&fragileTail != 0 && previous&atomMask != 0 {
					s.takeApart(piece[:i])
				}
			}
		}
		if apart {
			s.bytes(piece[i:i+size], i)
			previous = fragileTail
		} else {
			s.symbols = append(s.symbols, atom&atomMask)
			s.places = append(s.places, int32(i))
			previous = atom
		}
		i += size
	}
}

// takeApart puts the bytes of the last character of a text in the place of its atom.
func (s *start) takeApart(text []byte) {
	begin := len(text) - 1
	for text[begin]&0xC0 == 0x80 {
		begin--
	}
	s.symbols, s.places = s.symbols[:len(s.symbols)-1], s.places[:len(s.places)-1]
	s.bytes(text[begin:], begin)
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= 0x80 {
			return false
		}
	}
	return true
}
