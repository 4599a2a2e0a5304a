package token

// A start is the symbols that merging a piece starts from, and where each begins and the last ends.
type start struct {
	symbols []uint32
	places  []int32
}

// fill puts a piece in the place of what was there.
func (s *start) fill(v *Vocabulary, piece []byte) {
	s.symbols, s.places = s.symbols[:0], s.places[:0]
	switch {
	case v.characters != nil:
		for i := 0; i < len(piece); {
			c, size := decodeRune(piece, i)
			if symbol, ok := v.character(v.written(c)); ok {
				s.symbols = append(s.symbols, symbol)
			} else {
				s.bytes(piece[i:i+size], 0)
			}
			i += size
		}
	case v.results != nil:
		s.bytes(piece, 0)
	default:
		s.atoms(v, piece)
		s.places = append(s.places, int32(len(piece)))
		return
	}
	// Without places, pairs are looked for by their symbols.
	s.places = s.places[:0]
	for range len(s.symbols) + 1 {
		s.places = append(s.places, 0)
	}
}

// bytes adds the bytes of a part of the piece.
func (s *start) bytes(part []byte, at int) {
	for i, b := range part {
		s.symbols = append(s.symbols, uint32(b))
		s.places = append(s.places, int32(at+i))
	}
}
