// Copyright The ctx-lsp authors. MIT licence.

package token

// A start is the symbols that merging a piece starts from, and where each begins and the last ends.
type start struct {
	symbols []uint32
	places  []int32
	n       int  // how many symbols there are so far
	broken  bool // there was something that is not UTF-8
	strict  bool // if so, nothing of the piece is merged; else it may be a window, which begins and ends where it likes
}

// padding is how many bytes there are to read behind a piece that is merged.
const padding = 16

// pad copies a piece to where there was another, and makes room behind it.
func pad(there, piece []byte) []byte {
	return append(append(there[:0], piece...), make([]byte, padding)...)
}

// fill puts a piece that is padded in the place of what was there.
func (s *start) fill(v *Vocabulary, padded []byte) {
	piece := padded[:len(padded)-padding]
	s.room(len(piece))
	switch {
	case v.characters != nil:
		for i := 0; i < len(piece); {
			c, size := decodeRune(piece, i)
			if symbol, ok := v.character(v.written(c)); ok {
				s.add(symbol, 0)
			} else {
				s.bytes(piece[i:i+size], 0)
			}
			i += size
		}
	case v.results != nil:
		s.bytes(piece, 0)
	default:
		s.atoms(v, padded)
		s.end(len(piece))
		return
	}
	// Without places, pairs are looked for by their symbols.
	clear(s.places[:s.n])
	s.end(0)
}

// room empties a start and makes room for the symbols of so many bytes.
func (s *start) room(bytes int) {
	if cap(s.symbols) < bytes || cap(s.places) <= bytes {
		s.symbols, s.places = make([]uint32, bytes), make([]int32, bytes+1)
	}
	s.symbols, s.places, s.n = s.symbols[:bytes], s.places[:bytes+1], 0
}

func (s *start) add(symbol uint32, at int) {
	s.symbols[s.n], s.places[s.n] = symbol, int32(at)
	s.n++
}

// bytes adds the bytes of a part of the piece.
func (s *start) bytes(part []byte, at int) {
	for i, b := range part {
		s.add(uint32(b), at+i)
	}
}

// end is after the last symbol.
func (s *start) end(at int) {
	s.places[s.n] = int32(at)
	s.symbols, s.places = s.symbols[:s.n], s.places[:s.n+1]
}
