// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A pieceStore remembers pieces that are too long to be their own keys. Few words are that long, but in scripts without
// spaces whole clauses are pieces. It grows as it fills, because touching new memory costs more than reading from it.
// When it is full, it starts over.
//
// A record is a word with the length and the count, followed by the piece word by word. The last word contains the last
// eight bytes, even if some of them are already in the word before. An entry of the index contains a record's offset
// and the remaining bits of the hash.
type pieceStore struct {
	index   []storeSet // 0 is an empty entry
	records []uint64
	used    int // used words of records; the first word stays 0
}

const (
	storedPieceMax = 1020 // bytes

	storeBits    = 17 // bits of an entry for the record's offset
	storeWords   = 1 << storeBits
	storeSetBits = 12 // log2 of the number of sets
	storedSize   = 32 // position of the length in a record's first word
)

// A storeSet contains the entries with the same index, the newest first.
type storeSet [8]uint32

func newPieceStore() pieceStore {
	return pieceStore{index: make([]storeSet, 1<<storeSetBits), records: make([]uint64, storeWords/16), used: 1}
}

// find returns the number of tokens of a piece, or -1 if it is not stored. The piece has at least 16 bytes.
func (s *pieceStore) find(piece []byte) int64 {
	set, tag := s.place(piece)
	for _, entry := range set {
		if entry>>storeBits != tag { // if it is 0, the record has the length 0, which no piece has
			continue
		}
		record := s.records[entry%storeWords:]
		if int(record[0]>>storedSize) == len(piece) && matches(record[1:], piece) {
			return int64(uint32(record[0]))
		}
	}
	return -1
}

// keep stores a piece that find did not find.
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

// makeRoom allocates more memory, or starts over at the maximum size.
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

// place returns the set for a piece, and the tag that identifies its entry there.
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

// matches reports whether a record contains the bytes of a piece.
func matches(record []uint64, piece []byte) bool {
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
