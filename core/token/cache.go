// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A pieceCache remembers how many tokens pieces have. A piece is its own key, so that a hit is never wrong; a new piece
// replaces the one that was where it belongs.
//
// A key of up to 15 bytes is two words. The byte that is left over at the end holds the piece's length and the count: a
// slot that is empty has the length 0, which no piece has. Longer pieces are in a store.
type pieceCache struct {
	short []pieceSet
	long  pieceStore
}

// A pieceSet is the two pieces that were last seen of all that belong there, the last one first.
type pieceSet [2]pieces.Key

const shortBits = 14 // of the number of sets

func newPieceCache() pieceCache {
	return pieceCache{
		short: make([]pieceSet, 1<<shortBits),
		long:  newPieceStore(),
	}
}

// warm writes to every page of a cache that is new, before a long text reads there: a page that is read first and then
// written is waited for twice (BenchmarkFirstCount, and the first passes of make bench-tokens).
func (c *pieceCache) warm() {
	for i := 0; i < len(c.short); i += word.PageBytes / 32 {
		c.short[i] = pieceSet{}
	}
}

func (c *pieceCache) clear() {
	clear(c.short)
	c.long.clear()
}

// setOf is where a piece belongs.
func setOf(k pieces.Key) uint64 {
	return (k.A ^ bits.RotateLeft64(k.B, 32)) * word.HashFactor >> (64 - shortBits)
}

// find answers the count of a piece, if it is remembered.
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

// add remembers a piece that is not remembered yet, if there is room for its count: what is not UTF-8 can have more
// tokens than bytes.
func (c *pieceCache) add(key pieces.Key, count int64) {
	if count >= 1<<pieces.CountBits {
		return
	}
	set := &c.short[setOf(key)]
	set[1] = set[0]
	set[0] = pieces.Key{A: key.A, B: key.B | uint64(count)<<pieces.CountAt}
}
