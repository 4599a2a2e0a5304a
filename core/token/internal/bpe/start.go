// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// startSymbols contains the symbols that merging a piece starts from, with the start of each and the end of the last.
type startSymbols struct {
	symbols []uint32
	places  []int32
	n       int  // number of symbols so far
	broken  bool // the piece contains invalid UTF-8
	strict  bool // a broken piece is not merged; otherwise it may be a window, which begins and ends anywhere
}

// padding is the number of readable bytes after a piece that is merged.
const padding = 16

// pad copies a piece with padding after it, reusing the memory of there.
func pad(buffer, piece []byte) []byte {
	return append(append(buffer[:0], piece...), make([]byte, padding)...)
}

// fill sets the start symbols of a padded piece.
func (s *startSymbols) fill(v *Merges, padded []byte) {
	s.room(len(padded) - padding)
	v.kind.start(v, s, padded)
}

// characters adds the characters of a piece, and the bytes of those missing in the alphabet. They have no offsets,
// because their merges are looked up by their parts.
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

// room clears the symbols and makes room for those of this many bytes.
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

// end sets the end of the last symbol.
func (s *startSymbols) end(at int) {
	s.places[s.n] = int32(at)
	s.symbols, s.places = s.symbols[:s.n], s.places[:s.n+1]
}

// endWithoutPlaces does the same as end, for pairs that are looked up by their symbols.
func (s *startSymbols) endWithoutPlaces() {
	clear(s.places[:s.n])
	s.end(0)
}
