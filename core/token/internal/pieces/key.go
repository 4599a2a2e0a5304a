// Copyright The ctx-lsp authors. MIT licence.

// Package pieces represents short pieces of text as keys: up to 15 bytes and their length in two words.
package pieces

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// A Key contains the bytes of a short piece, its count and its length.
type Key struct{ A, B uint64 }

// The layout of a key: the bytes, then the length and the count in the highest bits of the last word.
const (
	MaxShort  = 15 // maximum number of bytes of a piece
	LengthAt  = 56 // lowest bit of the length
	CountAt   = 60 // lowest bit of the count
	CountBits = 4
)

// A cut contains the masks that select a piece of some length from two words, and the length as in its key.
type cut struct{ A, B, Length uint64 }

// MaxCut is greater than the length of any piece within a bitmap.
const MaxCut = 64

// Cuts contains the cut for each length of a piece. For pieces that are not short it gives a key that no piece has.
var Cuts = func() (table [MaxCut]cut) {
	for n := range table {
		switch {
		case n < 8:
			table[n] = cut{1<<(8*uint(n)) - 1, 0, uint64(n) << LengthAt}
		case n <= MaxShort:
			table[n] = cut{^uint64(0), 1<<(8*uint(n-8)) - 1, uint64(n) << LengthAt}
		default:
			table[n].Length = 1
		}
	}
	return
}()

// KeyOf returns the key of a short piece of text.
func KeyOf(text []byte, begin, end int) Key {
	cut := &Cuts[end-begin]
	return Key{word.Padded(text, begin) & cut.A, word.Padded(text, begin+8)&cut.B | cut.Length}
}

// Same reports whether two keys are for the same piece, whatever their counts.
func (k Key) Same(as Key) bool { return k.A == as.A && (k.B^as.B)<<CountBits == 0 }

// Size returns the length of the piece.
func (k Key) Size() int { return int(k.B >> LengthAt & 15) }

// Bytes returns the piece, followed by other bytes.
func (k Key) Bytes() (piece [16]byte) {
	word.Put(piece[:8], k.A)
	word.Put(piece[8:], k.B)
	return piece
}

// IsText reports whether the piece is valid UTF-8.
func (k Key) IsText() bool {
	if (k.A|k.B&(1<<LengthAt-1))&0x8080808080808080 == 0 {
		return true
	}
	piece := k.Bytes()
	return utf8.Valid(piece[:k.Size()])
}

// Digest returns a hash of the piece, well mixed in every bit.
func (k Key) Digest() uint64 { return (k.A*word.HashFactor ^ k.B) * word.HashFactor }

// Followed returns a text of n bytes with another text appended. Neither key has a length, nor has the result.
func (k Key) Followed(n uint, by Key) Key {
	if n < 8 {
		return Key{k.A | by.A<<(n*8&63), by.A>>1>>((63-n*8)&63) | by.B<<(n*8&63)}
	}
	return Key{k.A, k.B | by.A<<((n-8)*8&63)}
}
