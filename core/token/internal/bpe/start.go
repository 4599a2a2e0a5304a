// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// startSymbols are the symbols that merging a piece starts from, and where each begins and the last ends.
type startSymbols struct {
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
func (s *startSymbols) fill(v *Merges, padded []byte) {
	s.room(len(padded) - padding)
	v.kind.start(v, s, padded)
}

// characters adds the characters of a piece, and the bytes of those that the alphabet does not have. They have no
// places: merges are found by their parts.
func (s *startSymbols) characters(letters *alphabet, piece []byte) {
	for i := 0; i < len(piece); {
		c, size := split.DecodeRune(piece, i)
		if symbol, ok := letters.symbol(letters.written(c)); ok {
			s.add(symbol, 0)
		} else {
			s.bytes(piece[i:i+size], 0)
		}
		i += size
	}
	s.endWithoutPlaces()
}

// room empties a start and makes room for the symbols of so many bytes.
func (s *startSymbols) room(bytes int) {
	if cap(s.symbols) < bytes || cap(s.places) <= bytes {
		s.symbols, s.places = make([]uint32, bytes), make([]int32, bytes+1)
	}
	s.symbols, s.places, s.n = s.symbols[:bytes], s.places[:bytes+1], 0
}

func (s *startSymbols) add(symbol uint32, at int) {
	s.symbols[s.n], s.places[s.n] = symbol, int32(at)
	s.n++
}

// bytes adds the bytes of a part of the piece.
func (s *startSymbols) bytes(part []byte, at int) {
	for i, b := range part {
		s.add(uint32(b), at+i)
	}
}

// end is after the last symbol.
func (s *startSymbols) end(at int) {
	s.places[s.n] = int32(at)
	s.symbols, s.places = s.symbols[:s.n], s.places[:s.n+1]
}

// endWithoutPlaces is end where pairs are looked for by their symbols.
func (s *startSymbols) endWithoutPlaces() {
	clear(s.places[:s.n])
	s.end(0)
}
