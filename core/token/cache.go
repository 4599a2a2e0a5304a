package token

import (
	"math/bits"
	"unicode/utf8"
)

// A pieceCache remembers how many tokens pieces have. A piece is its own key, so that a hit is never wrong; a new piece
// takes the place of the one that was where it belongs.
//
// A key of up to 15 bytes is two words. The byte that is left over at the end holds the piece's length and the count: a slot that
// is empty has the length 0, which no piece has. Longer pieces are in a store.
type pieceCache struct {
	short []pieceSet
	long  pieceStore
}

// A pieceKey is the bytes of a short piece, its count and its length.
type pieceKey struct{ a, b uint64 }

// A pieceSet is the two pieces that were last seen of all that belong there, the last one first.
type pieceSet [2]pieceKey

const (
	shortBits     = 14 // of the number of sets
	shortPieceMax = 15

	// Where the last word of a key holds the count, and where the length.
	shortCount  = 60
	shortLength = 56

	shortCountBits = 4

	hashFactor = 0x9E3779B97F4A7C15 // of all hashes here: 2^64 by the golden ratio
)

func newPieceCache() pieceCache {
	return pieceCache{
		short: make([]pieceSet, 1<<shortBits),
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

// word reads eight bytes of p; compilers make one load of it.
func word(p []byte, i int) uint64 {
	b := p[i : i+8 : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// putWord writes eight bytes; compilers make one store of it.
func putWord(p []byte, w uint64) {
	_ = p[7]
	p[0], p[1], p[2], p[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	p[4], p[5], p[6], p[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}

// wordAt reads eight bytes of p; those beyond its end are 0.
func wordAt(p []byte, i int) uint64 {
	if i+8 <= len(p) {
		return word(p, i)
	}
	var w uint64
	for j := min(i+8, len(p)) - 1; j >= i; j-- {
		w = w<<8 | uint64(p[j])
	}
	return w
}

// A cut is what of two words belongs to a piece of some length, and what its key says of that.
type cut struct{ a, b, length uint64 }

// cuts are by the length of a piece. For one that is not short they make a key that no piece has.
var cuts = func() (table [bitmapBytes]cut) {
	for n := range table {
		switch {
		case n < 8:
			table[n] = cut{1<<(8*uint(n)) - 1, 0, uint64(n) << shortLength}
		case n <= shortPieceMax:
			table[n] = cut{^uint64(0), 1<<(8*uint(n-8)) - 1, uint64(n) << shortLength}
		default:
			table[n].length = 1
		}
	}
	return
}()

// pieceKeyOf is the key of a short piece of text.
func pieceKeyOf(text []byte, begin, end int) pieceKey {
	cut := &cuts[end-begin]
	return pieceKey{wordAt(text, begin) & cut.a, wordAt(text, begin+8)&cut.b | cut.length}
}

// hash is where the piece belongs.
func (k pieceKey) hash() uint64 {
	return (k.a ^ bits.RotateLeft64(k.b, 32)) * hashFactor >> (64 - shortBits)
}

// same tells whether two keys are of one piece, whatever the counts.
func (k pieceKey) same(as pieceKey) bool { return k.a == as.a && (k.b^as.b)<<shortCountBits == 0 }

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

// size is the length of the piece.
func (k pieceKey) size() int { return int(k.b >> shortLength & 15) }

// bytes is the piece, with something behind it.
func (k pieceKey) bytes() (piece [16]byte) {
	putWord(piece[:8], k.a)
	putWord(piece[8:], k.b)
	return piece
}

// isText tells whether the piece is UTF-8.
func (k pieceKey) isText() bool {
	if (k.a|k.b&(1<<shortLength-1))&(0x80*everyByte) == 0 {
		return true
	}
	piece := k.bytes()
	return utf8.Valid(piece[:k.size()])
}
