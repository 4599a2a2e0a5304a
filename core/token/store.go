// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A pieceStore remembers the pieces that are too long to be their own keys: words are seldom as long, but scripts
// without spaces have whole clauses as pieces. It grows as it fills, because memory that a process has not
// touched yet costs more than reading from it; when it is full, it starts over.
//
// A record is a word with the length and the count, then the piece word by word; the last word is that of the last
// eight bytes, whatever of them stands in the word before. An entry of the index is a record's place and what is left
// of the hash.
type pieceStore struct {
	index   []storeSet // 0 is an empty entry
	records []uint64
	used    int // words of records; the first is left out, so that no record is at 0
}

const (
	storedPieceMax = 1020 // bytes

	storeBits    = 17 // of an entry, to say where the record is
	storeWords   = 1 << storeBits
	storeSetBits = 12 // of the number of sets
	storedSize   = 32 // where a record's first word has the length
)

// A storeSet are the entries that share a place, the newest first.
type storeSet [8]uint32

func newPieceStore() pieceStore {
	return pieceStore{index: make([]storeSet, 1<<storeSetBits), records: make([]uint64, storeWords/16), used: 1}
}

// find returns how many tokens a piece has, or -1. The piece has at least 16 bytes.
func (s *pieceStore) find(piece []byte) int64 {
	set, tag := s.place(piece)
	for _, entry := range set {
		if entry == 0 {
			break
		}
		if entry>>storeBits != tag {
			continue
		}
		record := s.records[entry%storeWords:]
		if int(record[0]>>storedSize) == len(piece) && holds(record[1:], piece) {
			return int64(uint32(record[0]))
		}
	}
	return -1
}

// keep remembers a piece that find does not know.
func (s *pieceStore) keep(piece []byte, tokens int64) {
	if s.used+2+len(piece)/8 > len(s.records) {
		s.makeRoom()
	}
	set, tag := s.place(piece)
	copy(set[1:], set[:])
	set[0] = tag<<storeBits | uint32(s.used)
	s.add(uint64(len(piece))<<storedSize | uint64(tokens))
	for i := 0; i+8 <= len(piece); i += 8 {
		s.add(word.At(piece, i))
	}
	if len(piece)%8 != 0 {
		s.add(word.At(piece, len(piece)-8))
	}
}

func (s *pieceStore) add(w uint64) {
	s.records[s.used] = w
	s.used++
}

// makeRoom allocates more memory, or starts over when there is as much as there may be.
func (s *pieceStore) makeRoom() {
	if len(s.records) == storeWords {
		s.clear()
		return
	}
	records := make([]uint64, 4*len(s.records))
	copy(records, s.records[:s.used])
	s.records = records
}

func (s *pieceStore) clear() {
	clear(s.index)
	s.used = 1
}

// place returns where a piece's entry is, if it has one, and by what it is known among the others there.
func (s *pieceStore) place(piece []byte) (set *storeSet, tag uint32) {
	n := len(piece)
	a, b := uint64(n), uint64(word.HashFactor)
	for i := 0; i+16 < n; i += 16 {
		a = bits.RotateLeft64(a^word.At(piece, i), 29) * word.HashFactor
		b = bits.RotateLeft64(b^word.At(piece, i+8), 31) * word.HashFactor
	}
	a = bits.RotateLeft64(a^word.At(piece, n-16), 29) * word.HashFactor
	b = bits.RotateLeft64(b^word.At(piece, n-8), 31) * word.HashFactor
	h := (a ^ bits.RotateLeft64(b, 32)) * word.HashFactor
	return &s.index[h>>(64-storeSetBits)], uint32(h << storeSetBits >> (32 + storeBits))
}

// holds tells whether a record's words are the bytes of a piece.
func holds(record []uint64, piece []byte) bool {
	n := len(piece)
	last := (n + 7) / 8
	if len(record) < last || record[last-1] != word.At(piece, n-8) {
		return false
	}
	for i, w := range record[:n/8] {
		if w != word.At(piece, i*8) {
			return false
		}
	}
	return true
}
