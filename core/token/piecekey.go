// Copyright The ctx-lsp authors. MIT licence.

package token

import "unicode/utf8"

// A pieceKey is the bytes of a short piece, its count and its length.
type pieceKey struct{ a, b uint64 }

const (
	shortPieceMax = 15

	// Where the last word of a key holds the count, and where the length.
	shortCount  = 60
	shortLength = 56

	shortCountBits = 4
)

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

// same tells whether two keys are of one piece, whatever the counts.
func (k pieceKey) same(as pieceKey) bool { return k.a == as.a && (k.b^as.b)<<shortCountBits == 0 }

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
