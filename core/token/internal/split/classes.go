// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

//go:generate sh -c "cd ../../../../tools/gen/unicode && npm ci --silent && node classes.mjs ../../../core/token/internal/split/classes_data.go"

// The layout of classTable, in classes_data.go: the class of every code point of Unicode 16.0, in blocks of 128 after
// an index of blocks.
const (
	classBlocks    = 0x110000 / 128 // entries of the index
	classBlockSize = 64
)

// The classes that pre-tokenizers distinguish. Each is a bit, so that a set of classes is a mask.
const (
	classOther     = 1 << iota // punctuation and symbols
	ClassUpper                 // Lu, Lt
	ClassLower                 // Ll
	classCaseless              // Lm, Lo
	classMark                  // M
	classNumber                // N
	ClassSpace                 // White_Space except CR and LF
	ClassNewline               // CR, LF
	classHanLetter             // Lm, Lo of the Han script
	classHanNumber
	classHanOther
	classHanMark
	ClassBare // neither letter, mark, number, punctuation, symbol nor space: controls, format characters, unassigned

	SetLetters = ClassUpper | ClassLower | classCaseless | classHanLetter
	SetMarks   = classMark | classHanMark
	SetNumbers = classNumber | classHanNumber
	SetSpaces  = ClassSpace | ClassNewline
	SetSymbols = classOther | classHanOther // P and S
	SetHan     = classHanLetter | classHanNumber | classHanOther | classHanMark
	setOther   = SetSymbols | SetMarks | ClassBare // everything but letters, numbers and spaces
)

// ClassOf returns the class of a character.
func ClassOf(c rune) uint32 {
	block := uint32(classTable[uint32(c)>>7])
	two := classTable[classBlocks+block*classBlockSize+(uint32(c)&127)>>1]
	return 1 << (two >> (4 * (uint32(c) & 1)) & 15)
}

// ClassASCII contains the classes of the first 128 code points, for the most common paths.
var ClassASCII = func() (table [128]uint16) {
	for c := range table {
		table[c] = uint16(ClassOf(rune(c)))
	}
	return
}()

// Decode returns the class and the length in bytes of the character of p at i. Invalid UTF-8 is handled like in the
// Encoding Standard of the Web: the longest valid part of a broken sequence is read as one U+FFFD.
func Decode(p []byte, i int) (class uint32, size int) {
	if b := p[i]; b < 0x80 {
		return uint32(ClassASCII[b]), 1
	}
	if i+4 <= len(p) {
		w := word.Four(p, i)
		if IsThree(w) {
			if class := ClassOfThree(w); class != 0 {
				return class, 3
			}
		} else if IsTwo(w) {
			if class := ClassOfTwo(w); class != 0 {
				return class, 2
			}
		}
	}
	c, size := DecodeRune(p, i)
	return ClassOf(c), size
}

// Replacement is the character for invalid UTF-8.
const Replacement = 0xFFFD

// DecodeRune does the same as Decode, but returns the character itself.
func DecodeRune(p []byte, i int) (c rune, size int) {
	b0 := p[i]
	rest := p[i+1:]
	switch {
	case b0 < 0x80:
		return rune(b0), 1
	case b0 < 0xC2:
		return Replacement, 1
	case b0 < 0xE0:
		if len(rest) < 1 || rest[0]&0xC0 != 0x80 {
			return Replacement, 1
		}
		return rune(b0&0x1F)<<6 | rune(rest[0]&0x3F), 2
	case b0 < 0xF0:
		if len(rest) < 1 || rest[0]&0xC0 != 0x80 || b0 == 0xE0 && rest[0] < 0xA0 || b0 == 0xED && rest[0] > 0x9F {
			return Replacement, 1
		}
		if len(rest) < 2 || rest[1]&0xC0 != 0x80 {
			return Replacement, 2
		}
		return rune(b0&0x0F)<<12 | rune(rest[0]&0x3F)<<6 | rune(rest[1]&0x3F), 3
	case b0 < 0xF5:
		if len(rest) < 1 || rest[0]&0xC0 != 0x80 || b0 == 0xF0 && rest[0] < 0x90 || b0 == 0xF4 && rest[0] > 0x8F {
			return Replacement, 1
		}
		if len(rest) < 2 || rest[1]&0xC0 != 0x80 {
			return Replacement, 2
		}
		if len(rest) < 3 || rest[2]&0xC0 != 0x80 {
			return Replacement, 3
		}
		return rune(b0&0x07)<<18 | rune(rest[0]&0x3F)<<12 | rune(rest[1]&0x3F)<<6 | rune(rest[2]&0x3F), 4
	}
	return Replacement, 1
}

// RuneLength returns the number of bytes of a character in UTF-8.
func RuneLength(c rune) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0x800:
		return 2
	case c < 0x10000:
		return 3
	}
	return 4
}
