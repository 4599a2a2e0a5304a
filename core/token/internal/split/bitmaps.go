// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"bytes"
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Bitmaps say of 64 bytes of a text which are of a kind: a bit for each, the lowest for the first. All bytes of a
// character have its kind.
type Bitmaps struct {
	letters, capitals uint64
	digits            uint64
	spaces            uint64 // every kind of space, newlines among them
	newlines          uint64
	blanks            uint64 // U+0020 alone
	slashes           uint64
	quotes            uint64 // apostrophes
	caseless          uint64 // letters that are neither capital nor small
	inner             uint64 // of characters that are neither letter nor digit nor space, all bytes but the first
	Known             uint64 // the bytes before the first character that is none of all these
}

const (
	// BitmapBytes are the bytes of a text that a bitmap is of.
	BitmapBytes = 64
	// ViewBytes is how much of a text is looked at: two words can be read wherever in a bitmap a piece begins.
	ViewBytes = BitmapBytes + 16

	// Scripts of East Asia that have no spaces between words: pieces of these seldom end within a bitmap.
	firstUnspaced, lastUnspaced = 0x2E80, 0xABFF

	everyByte = 0x0101010101010101
)

// Fill fills the bitmaps for 64 bytes.
//
// It goes by the bits of the characters, for all 64 at once: eight words are turned into eight planes, one for each bit
// of a character, and kinds are found by the logic of these. Eight kinds exclude each other, so three planes can name
// them; only these are brought into the order of the text.
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

	// x0 to x7 are the bits of the characters now, bit j of byte k for the character 8*j+k.
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

// Kinds say which of 64 characters of ASCII are of a kind, as Bitmaps do. Capitals are among the letters, newlines
// among the spaces, and every other character is punctuation or a symbol.
type Kinds struct{ Letters, Capitals, Digits, Spaces, Newlines uint64 }

// KindsOf returns the kinds of 64 bytes. plain is false if one of them is not ASCII or is a control character, except
// spaces and line feeds.
func KindsOf(text *[BitmapBytes]byte) (kinds Kinds, plain bool) {
	const highs = 0x80 * everyByte
	odd, printed := uint64(0), uint64(0)
	for i := 0; i < BitmapBytes; i += 8 {
		w := word.At(text[:], i)
		odd |= w | (w + everyByte) // 0x80 and more, and 0x7F
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

// beyondASCII does for characters that are not ASCII what of does for the others, one by one, and returns which are
// known.
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

// exchange swaps the bits of b that mask names with those of a that are n places higher.
func exchange(a, b uint64, n uint, mask uint64) (uint64, uint64) {
	t := (a>>n ^ b) & mask
	return a ^ t<<n, b ^ t
}

// inOrder makes bit 8*j+k of bit j of byte k.
func inOrder(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}
