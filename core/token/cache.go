// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A pieceCache remembers the token counts of pieces. A piece is its own key, so a hit is never wrong. A new piece
// replaces the oldest one in its set.
//
// A key of up to 15 bytes takes two words. The remaining byte at the end contains the piece's length and the count. An
// empty slot has the length 0, which no piece has. Longer pieces are in a store.
type pieceCache struct {
	short []pieceSet
	long  pieceStore
}

// A pieceSet contains the two pieces of a set that were seen last, the latest first.
type pieceSet [2]pieces.Key

const shortBits = 14 // log2 of the number of sets

func newPieceCache() pieceCache {
	return pieceCache{
		short: make([]pieceSet, 1<<shortBits),
		long:  newPieceStore(),
	}
}

func (c *pieceCache) clear() {
	clear(c.short)
	c.long.clear()
}

// setOf returns the index of a piece's set.
func setOf(k pieces.Key) uint64 {
	return (k.A ^ bits.RotateLeft64(k.B, 32)) * word.HashFactor >> (64 - shortBits)
}

// find returns the count of a piece, if the cache contains it.
func (c *pieceCache) find(key pieces.Key) (count int64, ok bool) {
	set := &c.short[setOf(key)]
	switch {
	case set[0].Same(key):
	case set[1].Same(key):
		set[0], set[1] = set[1], set[0]
	default:
		return 0, false
	}
	return int64(set[0].B >> pieces.CountAt), true
}

// add adds a piece that is not in the cache, unless its count is too large: invalid UTF-8 can have more tokens than
// bytes.
func (c *pieceCache) add(key pieces.Key, count int64) {
	if count >= 1<<pieces.CountBits {
		return
	}
	set := &c.short[setOf(key)]
	set[1] = set[0]
	set[0] = pieces.Key{A: key.A, B: key.B | uint64(count)<<pieces.CountAt}
}
