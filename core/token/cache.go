// Copyright The ctx-lsp authors. MIT licence.

package token

import "math/bits"

// A pieceCache remembers how many tokens pieces have. A piece is its own key, so that a hit is never wrong; a new piece
// takes the place of the one that was where it belongs.
//
// A key of up to 15 bytes is two words. The byte that is left over at the end holds the piece's length and the count: a slot that
// is empty has the length 0, which no piece has. Longer pieces are in a store.
type pieceCache struct {
	short []pieceSet
	long  pieceStore
}

// A pieceSet is the two pieces that were last seen of all that belong there, the last one first.
type pieceSet [2]pieceKey

const (
	shortBits  = 14                 // of the number of sets
	hashFactor = 0x9E3779B97F4A7C15 // of all hashes here: 2^64 by the golden ratio
)

func newPieceCache() pieceCache {
	return pieceCache{
		short: make([]pieceSet, 1<<shortBits),
		long:  newPieceStore(),
	}
}

// pageBytes is how much memory a system gives at a time.
const pageBytes = 4096

// own writes to every page of a cache that is new, before a long text reads there: a page that is read first and then written is
// waited for twice.
func (c *pieceCache) own() {
	for i := 0; i < len(c.short); i += pageBytes / 32 {
		c.short[i] = pieceSet{}
	}
}

func (c *pieceCache) clear() {
	clear(c.short)
	c.long.clear()
}

// hash is where the piece belongs.
func (k pieceKey) hash() uint64 {
	return (k.a ^ bits.RotateLeft64(k.b, 32)) * hashFactor >> (64 - shortBits)
}

// find answers the count of a piece, if it is remembered.
func (c *pieceCache) find(key pieceKey) (count int64, ok bool) {
	set := &c.short[key.hash()]
	switch {
	case set[0].same(key):
	case set[1].same(key):
		set[0], set[1] = set[1], set[0]
	default:
		return 0, false
	}
	return int64(set[0].b >> shortCount), true
}

// add remembers a piece that is not remembered yet, if there is room for its count: what is not UTF-8 can have more tokens than bytes.
func (c *pieceCache) add(key pieceKey, count int64) {
	if count >= 1<<shortCountBits {
		return
	}
	set := &c.short[key.hash()]
	set[1] = set[0]
	set[0] = pieceKey{key.a, key.b | uint64(count)<<shortCount}
}
