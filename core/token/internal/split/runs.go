// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// In most texts outside ASCII, most characters have two or three bytes. These are read four bytes at a time, which
// gives their lengths and shows whether their bytes belong together. Only broken or longer characters, and those at the
// end of a text, are decoded byte by byte.

// IsTwo reports whether four bytes seem to begin with a character of two bytes.
func IsTwo(w uint32) bool { return w&0xC0E0 == 0x80C0 }

// IsThree reports whether four bytes seem to begin with a character of three bytes.
func IsThree(w uint32) bool { return w&0xC0C0F0 == 0x8080E0 }

// ClassOfTwo returns the class of a character of two bytes, 0 if it is not valid.
func ClassOfTwo(w uint32) uint32 { return uint32(classTwo[w&0x1F<<6|w>>8&0x3F]) }

// ClassOfThree returns the class of a character of three bytes, 0 if it is not valid.
func ClassOfThree(w uint32) uint32 {
	c := w&0x0F<<12 | w>>2&0xFC0 | w>>16&0x3F
	if c < 0x800 || c&^0x7FF == 0xD800 { // it fits into two bytes, or is a surrogate
		return 0
	}
	return ClassOf(rune(c))
}

// classTwo contains the classes of characters of two bytes. Characters that fit into one byte have none.
var classTwo = func() (table [0x800]uint16) {
	for c := 0x80; c < len(table); c++ {
		table[c] = uint16(ClassOf(rune(c)))
	}
	return
}()

// endOf returns the index after the run of characters at i whose classes are in set.
func endOf(p []byte, i int, set uint32) int {
	i, _ = runOf(p, i, set)
	return i
}

// runOf returns the same end as endOf, and the class of the character there, 0 at the end of the text.
func runOf(p []byte, i int, set uint32) (end int, class uint32) {
	for i < len(p) {
		if b := p[i]; b < 0x80 {
			if class := uint32(ClassASCII[b]); class&set == 0 {
				return i, class
			}
			i++
			continue
		}
		for i+4 <= len(p) {
			w := word.Four(p, i)
			if !IsThree(w) {
				break
			}
			class := ClassOfThree(w)
			if class == 0 {
				break
			}
			if class&set == 0 {
				return i, class
			}
			i += 3
		}
		for i+4 <= len(p) {
			w := word.Four(p, i)
			if !IsTwo(w) {
				break
			}
			class := ClassOfTwo(w)
			if class == 0 {
				break
			}
			if class&set == 0 {
				return i, class
			}
			i += 2
		}
		if i >= len(p) || p[i] < 0x80 {
			continue
		}
		class, size := Decode(p, i)
		if class&set == 0 {
			return i, class
		}
		i += size
	}
	return i, 0
}
