package token

// Merging by bytes spends most of its time, outside of ASCII, on making characters out of bytes. An atom is the token
// that merging makes of one character; starting from atoms gives the same tokens as starting from bytes unless some merge
// joins parts of two characters before the characters are whole. Those merges are few, and which characters they can take
// apart is known when a pack is loaded: for these, and only where the bytes of both sides fit such a merge, merging
// starts from bytes. docs/tokens.md has the proof.

const (
	noAtom      = 1<<32 - 1
	fragileHead = 1 << 30 // a merge can take the character's first bytes before it is whole
	fragileTail = 1 << 31 // a merge can take its last bytes
	atomMask    = 1<<30 - 1
)

// A shape is what is kept of a symbol's bytes: how many, the first, the last, and whether all are continuation bytes.
type shape uint32

const (
	shapeTail  = 1 << 15
	shapeFirst = 16
	shapeLast  = 24
)

func newShape(size int, first, last byte) shape {
	s := shape(size) | shape(first)<<shapeFirst | shape(last)<<shapeLast
	if size == 1 && first&0xC0 == 0x80 {
		s |= shapeTail
	}
	return s
}

func (s shape) size() int   { return int(s & (shapeTail - 1)) }
func (s shape) first() byte { return byte(s >> shapeFirst) }
func (s shape) last() byte  { return byte(s >> shapeLast) }

// with is the shape of two symbols joined.
func (s shape) with(t shape) shape {
	return (s&(shapeTail-1) + t&(shapeTail-1)) | s&t&shapeTail | s&(0xFF<<shapeFirst) | t&(0xFF<<shapeLast)
}

// isHead tells whether the symbol is the beginning of one character and no more.
func (s shape) isHead() bool {
	return s.first() >= 0xC2 && s.size() < characterSize(s.first())
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

// An atomMaker finds atoms in merges in their order.
type atomMaker struct {
	v     *Vocabulary
	heads map[uint32]uint32 // first merge that joins this beginning of a character to what is before it
	tails map[uint32]uint32 // first merge that joins this end of a character to what is behind it
}

func (v *Vocabulary) makeAtoms() {
	m := &atomMaker{v: v, heads: map[uint32]uint32{}, tails: map[uint32]uint32{}}
	v.hazards = make([]uint64, 1<<16/64)
	v.atoms = make([]uint32, 1<<16)
	for i := range v.atoms {
		v.atoms[i] = noAtom
	}
	for i := range uint32(128) {
		v.atoms[i] = i
	}
	shapes := make([]shape, len(v.parts))
	for i := range shapes {
		parts := v.parts[i]
		if i < 256 {
			shapes[i] = newShape(1, byte(i), byte(i))
		}
		if uint32(i) < v.first {
			continue
		}
		left, right := shapes[parts.left], shapes[parts.right]
		shapes[i] = left.with(right)
		if left|right >= 0x80<<shapeLast { // neither is ASCII through and through
			m.see(uint32(i), parts, left, right)
		}
	}
}

// see takes note of a merge.
func (m *atomMaker) see(id uint32, parts merge, left, right shape) {
	if right.first()&0xC0 != 0x80 && (left&shapeTail != 0 || right.isHead()) {
		// The two parts meet between characters, and one of them is a part of a character.
		at := uint32(left.last())<<8 | uint32(right.first())
		m.v.hazards[at>>6] |= 1 << (at & 63)
		if _, seen := m.tails[parts.left]; !seen && left&shapeTail != 0 {
			m.tails[parts.left] = id
		}
		if _, seen := m.heads[parts.right]; !seen && right.isHead() {
			m.heads[parts.right] = id
		}
		return
	}
	first := left.first()
	size := left.size() + right.size()
	if first < 0xC2 || size > 3 || size != characterSize(first) || right.first()&0xC0 != 0x80 {
		return
	}
	c := uint32(first&0x1F)<<6 | uint32(right.last()&0x3F)
	if size == 3 {
		middle := left.last()
		if left.size() == 1 {
			middle = right.first()
		}
		c = uint32(first&0x0F)<<12 | uint32(middle&0x3F)<<6 | uint32(right.last()&0x3F)
	}
	atom := id
	// Walk to the first byte and to the last: each part on the way is there until the next merge takes it.
	for whole := id; whole >= 256; {
		part := m.v.parts[whole].left
		if taken, ok := m.heads[part]; ok && taken < whole {
			atom |= fragileHead
		}
		whole = part
	}
	for whole := id; whole >= 256; {
		part := m.v.parts[whole].right
		if taken, ok := m.tails[part]; ok && taken < whole {
			atom |= fragileTail
		}
		whole = part
	}
	m.v.atoms[c] = atom
}

// appendAtoms appends what merging of valid text may start from.
func (v *Vocabulary) appendAtoms(symbols []uint32, piece []byte) []uint32 {
	previous := uint32(0) // the atom before, and its flags
	for i := 0; i < len(piece); {
		b := piece[i]
		if b < 0x80 {
			symbols = append(symbols, uint32(b))
			previous = 0
			i++
			continue
		}
		if v.atoms == nil {
			v.makeAtoms()
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
					symbols = v.apart(symbols[:len(symbols)-1], piece[:i])
				}
			}
		}
		if apart {
			for _, b := range piece[i : i+size] {
				symbols = append(symbols, uint32(b))
			}
			previous = fragileTail
		} else {
			symbols = append(symbols, atom&atomMask)
			previous = atom
		}
		i += size
	}
	return symbols
}

// apart appends the bytes of the last character of a text.
func (v *Vocabulary) apart(symbols []uint32, text []byte) []uint32 {
	begin := len(text) - 1
	for text[begin]&0xC0 == 0x80 {
		begin--
	}
	for _, b := range text[begin:] {
		symbols = append(symbols, uint32(b))
	}
	return symbols
}
