// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"bytes"
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Bitmaps classify 64 bytes of a text: for each kind, a bit for each byte, the lowest for the first. All bytes of a
// character have its kind.
type Bitmaps struct {
	letters, capitals uint64
	digits            uint64
	spaces            uint64 // all kinds of spaces, including newlines
	newlines          uint64
	blanks            uint64 // only U+0020
	slashes           uint64
	quotes            uint64 // apostrophes
	caseless          uint64 // letters that are neither capital nor small
	inner             uint64 // all bytes but the first of characters that are neither letter nor digit nor space
	Known             uint64 // the bytes before the first character of any other kind
}

const (
	// BitmapBytes is the number of bytes that a bitmap describes.
	BitmapBytes = 64
	// ViewBytes is the number of bytes in a view: two words can be read wherever a piece begins in a bitmap.
	ViewBytes = BitmapBytes + 16

	// Scripts of East Asia without spaces between words: their pieces seldom end within a bitmap.
	firstUnspaced, lastUnspaced = 0x2E80, 0xABFF

	everyByte = 0x0101010101010101
)

// Fill sets the bitmaps for 64 bytes.
//
// It processes the bits of all 64 characters in parallel: eight words are transposed into eight planes, one for each
// bit of a character, and the kinds are computed from these by logical operations. Eight kinds exclude each other, so
// three planes can represent them; only these are brought into the order of the text.
func (m *Bitmaps) Fill(text *[BitmapBytes]byte) {
	x0, x1, x2, x3 := word.At(text[:], 0), word.At(text[:], 8), word.At(text[:], 16), word.At(text[:], 24)
	x4, x5, x6, x7 := word.At(text[:], 32), word.At(text[:], 40), word.At(text[:], 48), word.At(text[:], 56)

	x0, x1 = exchange(x0, x1, 1, 0x55*everyByte)
	x2, x3 = exchange(x2, x3, 1, 0x55*everyByte)
	x4, x5 = exchange(x4, x5, 1, 0x55*everyByte)
	x6, x7 = exchange(x6, x7, 1, 0x55*everyByte)
	x0, x2 = exchange(x0, x2, 2, 0x33*everyByte)
	x1, x3 = exchange(x1, x3, 2, 0x33*everyByte)
	x4, x6 = exchange(x4, x6, 2, 0x33*everyByte)
	x5, x7 = exchange(x5, x7, 2, 0x33*everyByte)
	x0, x4 = exchange(x0, x4, 4, 0x0F*everyByte)
	x1, x5 = exchange(x1, x5, 4, 0x0F*everyByte)
	x2, x6 = exchange(x2, x6, 4, 0x0F*everyByte)
	x3, x7 = exchange(x3, x7, 4, 0x0F*everyByte)

	// x0 to x7 are now the bits of the characters: bit j of byte k is for the character 8*j+k.
	any210 := x0 | x1 | x2
	letter := x6 & (x4 | x3 | any210) &^ (x4 & x3 & (x2 | x1&x0))
	high3 := x5 &^ x6 &^ x4 // 0x20 to 0x2F
	digit := x5 &^ x6 & x4 &^ (x3 & (x2 | x1))
	blank := high3 &^ (x3 | any210)
	slash := high3 & x3 & x2 & x1 & x0
	low := x3 &^ (x6 | x5 | x4)
	newline := low & (x1 ^ x2) & (x0 ^ x1) // 10 and 13
	control := low & (x2 ^ (x1 | x0&^x2))  // 9 to 13

	name2 := inOrder((letter | digit | slash) &^ x7)
	name1 := inOrder((digit | slash | blank | newline) &^ x7)
	name0 := inOrder((letter&^x5 | slash | control) &^ x7)

	m.quotes = 0
	if quote := high3 & x2 & x1 & x0 &^ (x3 | x7); quote != 0 {
		m.quotes = inOrder(quote)
	}
	m.letters = name2 &^ name1
	m.capitals = m.letters & name0
	m.digits = name2 & name1 &^ name0
	m.slashes = name2 & name1 & name0
	m.spaces = (name1 | name0) &^ name2
	m.newlines = name1 & name0 &^ name2
	m.blanks = name1 &^ (name2 | name0)
	m.Known, m.caseless, m.inner = ^uint64(0), 0, 0
	if x7 != 0 {
		m.Known = m.beyondASCII(text, inOrder(x7))
	}
}

// Kinds classifies 64 ASCII characters in the same way as Bitmaps. Letters include capitals, spaces include newlines,
// and every other character is punctuation or a symbol.
type Kinds struct{ Letters, Capitals, Digits, Spaces, Newlines uint64 }

// KindsOf returns the kinds of 64 bytes. plain is false if any of them is not ASCII, or is a control character other
// than a space or a line feed.
func KindsOf(text *[BitmapBytes]byte) (kinds Kinds, plain bool) {
	const highs = 0x80 * everyByte
	odd, printed := uint64(0), uint64(0)
	for i := 0; i < BitmapBytes; i += 8 {
		w := word.At(text[:], i)
		odd |= w | (w + everyByte) // 0x80 and above, and 0x7F
		printed += (w>>5 | w>>6) & everyByte
	}
	if odd&highs != 0 {
		return Kinds{}, false
	}
	var m Bitmaps
	m.Fill(text)
	unprinted := BitmapBytes - int(printed*everyByte>>56)
	if unprinted != bits.OnesCount64(m.spaces&^m.blanks) || m.newlines != 0 && bytes.IndexByte(text[:], '\r') >= 0 {
		return Kinds{}, false
	}
	return Kinds{m.letters, m.capitals, m.digits, m.spaces, m.newlines}, true
}

// beyondASCII sets the bits of characters outside ASCII, one by one, and returns the bytes before the first unsupported
// one.
func (m *Bitmaps) beyondASCII(text *[BitmapBytes]byte, high uint64) (known uint64) {
	for high != 0 {
		first := high & -high
		at := bits.TrailingZeros64(high) & 63
		class, size := uint32(0), 2
		if w := uint32(text[at]) | uint32(text[(at+1)&63])<<8; IsTwo(w) && at != 63 {
			class = ClassOfTwo(w)
		}
		if class == 0 {
			var c rune
			c, size = DecodeRune(text[:], at)
			if size == 1 || c == Replacement || firstUnspaced <= c && c <= lastUnspaced {
				return first - 1
			}
			class = ClassOf(c)
		}
		bytes := first<<uint(size&7) - first
		switch class {
		case ClassUpper:
			m.capitals |= bytes
			m.letters |= bytes
		case ClassLower:
			m.letters |= bytes
		case classCaseless:
			m.caseless |= bytes
			m.letters |= bytes
		case classOther, ClassBare:
			m.inner |= bytes &^ first
		default:
			return first - 1
		}
		high &^= bytes
	}
	return ^uint64(0)
}

// exchange swaps the bits of b in mask with the bits of a that are n positions higher.
func exchange(a, b uint64, n uint, mask uint64) (uint64, uint64) {
	t := (a>>n ^ b) & mask
	return a ^ t<<n, b ^ t
}

// inOrder moves bit j of byte k to bit 8*j+k.
func inOrder(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}
