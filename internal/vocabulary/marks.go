// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"encoding/binary"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// The tables below classify the characters of the basic plane in a marked stream. The general rules follow Unicode's
// categories; the lists contain the characters that behave differently from their category, as measured by the
// publishers of the vocabularies.

func ranges(pairs ...rune) *unicode.RangeTable {
	table := &unicode.RangeTable{}
	for i := 0; i < len(pairs); i += 2 {
		table.R16 = append(table.R16, unicode.Range16{Lo: uint16(pairs[i]), Hi: uint16(pairs[i+1]), Stride: 1})
	}
	return table
}

var (
	// punctuationBeyondASCII lists the characters that are tiled like ASCII punctuation.
	punctuationBeyondASCII = []rune("—»«•°„–−£§€…√→（№†└│།·─═█")

	// symbolLetters lists the numbers and symbols that are treated as letters of words.
	symbolLetters = ranges(0x16EE, 0x16F0, 0x2160, 0x2188, 0x24B6, 0x24E9, 0xA6E6, 0xA6EF)

	// ideographicSigns lists symbols that are tiled separately.
	ideographicSigns = []rune("〄〒〓〠〶〷〾〿")

	// lettersAlone lists the letters and marks, other than ideographs and Hangul syllables, that are tiled separately.
	lettersAlone = ranges(0x06DD, 0x06E0, 0x06E9, 0x06EC, 0x3005, 0x3006, 0x3031, 0x3035, 0x303B, 0x303C,
		0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF)

	// separators end the word before them, like viramas: accents, tone marks, cantillation, nuktas.
	separators = ranges(0x0300, 0x0344, 0x0346, 0x0362, 0x0483, 0x0489, 0x0591, 0x05AF, 0x0658, 0x0658, 0x06DF, 0x06E0,
		0x06EA, 0x06EC, 0x0740, 0x074A, 0x07EB, 0x07F3, 0x07FD, 0x07FD, 0x0818, 0x0819, 0x082D, 0x082D, 0x0859, 0x085B,
		0x0898, 0x089F, 0x08CA, 0x08D3, 0x08E0, 0x08E1, 0x08EA, 0x08EF, 0x093C, 0x093C, 0x0951, 0x0954, 0x09BC, 0x09BC,
		0x09FE, 0x09FE, 0x0A3C, 0x0A3C, 0x0ABC, 0x0ABC, 0x0AFD, 0x0AFF, 0x0B3C, 0x0B3C, 0x0B55, 0x0B55, 0x0C3C, 0x0C3C,
		0x0CBC, 0x0CBC, 0x0E47, 0x0E4C, 0x0E4E, 0x0E4E, 0x0EC8, 0x0ECC, 0x0ECE, 0x0ECE, 0x0F18, 0x0F19, 0x0F35, 0x0F35,
		0x0F37, 0x0F37, 0x0F39, 0x0F39, 0x0F3E, 0x0F3F, 0x0F86, 0x0F87, 0x0FC6, 0x0FC6, 0x1037, 0x1037, 0x135D, 0x135F,
		0x17B4, 0x17B5, 0x17C9, 0x17D1, 0x17D3, 0x17D3, 0x17DD, 0x17DD, 0x180B, 0x180D, 0x180F, 0x180F, 0x1939, 0x193B,
		0x1A75, 0x1A7C, 0x1A7F, 0x1A7F, 0x1AB0, 0x1ABE, 0x1AC1, 0x1ACB, 0x1B34, 0x1B34, 0x1B6B, 0x1B73, 0x1BE6, 0x1BE6,
		0x1C37, 0x1C37, 0x1CD0, 0x1CE8, 0x1CED, 0x1CED, 0x1CF4, 0x1CF4, 0x1CF7, 0x1CF9, 0x1DC0, 0x1DD2, 0x1DF5, 0x1DFF,
		0x20D0, 0x20F0, 0x2CEF, 0x2CF1, 0x302A, 0x302F, 0x3099, 0x309A, 0xA66F, 0xA672, 0xA67C, 0xA67D, 0xA6F0, 0xA6F1,
		0xA8E0, 0xA8F1, 0xA92B, 0xA92D, 0xA9B3, 0xA9B3, 0xAABF, 0xAABF, 0xAAC1, 0xAAC1, 0xABEC, 0xABEC, 0xFE20, 0xFE2F)

	// contractions are the endings that an apostrophe attaches to the word before it.
	contractions = []string{"s", "t", "d", "m", "ll", "re", "ve"}

	// newCapitals maps capital letters of Unicode 16, which Go's tables do not contain yet, to their small letters.
	newCapitals = map[rune]rune{0x1C89: 0x1C8A, 0xA7CB: 0x0264}
)

const (
	virama        = 9      // the combining class
	phinthu       = 0x0E3A // a virama that separates nothing
	capitalTheta  = 0x03F4 // has no case in these vocabularies
	kannadaMark   = 0x0CF3 // missing in some tables
	alephAbove    = 0x0711 // among the vowels of Syriac, but a letter if no letter precedes it
	classedEndsAt = 0x10000
)

// markClass returns the class of a character in the stream.
func markClass(c rune) int {
	ccc := norm.NFC.PropertiesString(string(c)).CCC()
	is := func(tables ...*unicode.RangeTable) bool { return unicode.In(c, tables...) }
	switch {
	case ccc == virama && c != phinthu, is(separators):
		return token.MarkSign
	case isNewCased(c):
		return wordClass(c, ccc)
	case c == ' ':
		return token.MarkBlank
	case is(unicode.Z), c >= '\t' && c <= '\r':
		return token.MarkSpace
	case is(symbolLetters):
		if is(unicode.S) {
			return wordClass(c, ccc) | token.MarkSymbol
		}
		return wordClass(c, ccc)
	case c >= '0' && c <= '9':
		return token.MarkDigit
	case c >= 0x0660 && c <= 0x0669, c >= 0x06F0 && c <= 0x06F9:
		return token.MarkOtherDigit
	case c < 0x80 && is(unicode.P, unicode.S), has(punctuationBeyondASCII, c):
		return token.MarkPunct
	case c >= 0xFE00 && c <= 0xFE0F:
		return token.MarkSelector
	case c == kannadaMark, is(unicode.L, unicode.M) && !is(lettersAlone):
		return wordClass(c, ccc)
	case c > 0x3000 && c < 0x3040 && (is(unicode.P) || has(ideographicSigns, c)):
		return token.MarkAlone
	case is(unicode.P, unicode.S, unicode.Cf) || !assigned(c):
		return token.MarkSign
	case is(unicode.Nd):
		return token.MarkDecimal
	case is(unicode.No):
		return token.MarkNumber
	}
	return token.MarkAlone
}

func assigned(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

func has(list []rune, c rune) bool {
	for _, one := range list {
		if one == c {
			return true
		}
	}
	return false
}

func isNewCased(c rune) bool {
	for capital, small := range newCapitals {
		if c == capital || c == small {
			return true
		}
	}
	return false
}

// wordClass returns the class of a letter in a word, which depends on its case.
func wordClass(c rune, ccc uint8) int {
	small, upper := smallLetter(c), unicode.In(c, unicode.Lu, unicode.Other_Uppercase)
	switch {
	case ccc != 0 && c != alephAbove && (c < 0x0730 || c > 0x073F):
		return token.MarkStray
	case c == 0x0130:
		return token.MarkDotted
	case c == 0x1E9E:
		return token.MarkSharp
	case c == capitalTheta:
		return token.MarkCaseless
	case newCapitals[c] != 0, upper && small != c:
		return token.MarkCapital
	case upper:
		return token.MarkFixed
	case isNewCased(c), unicode.In(c, unicode.Ll, unicode.Other_Lowercase):
		return token.MarkSmall
	case small != c:
		return token.MarkTitle
	case unicode.In(c, unicode.L, unicode.M) || c == kannadaMark:
		return token.MarkCaseless
	}
	return token.MarkNeutral
}

func smallLetter(c rune) rune {
	if small, ok := newCapitals[c]; ok {
		return small
	}
	if c == capitalTheta {
		return c
	}
	return unicode.ToLower(c)
}

// appendMarks appends the classes of characters and the small letters of capitals.
func appendMarks(out []byte) []byte {
	class := make([]int, classedEndsAt)
	for c := range class {
		class[c] = markClass(rune(c))
	}
	for at := 0; at < len(class); {
		end := at
		for end < len(class) && class[end] == class[at] {
			end++
		}
		out = binary.AppendUvarint(out, uint64(end-at))
		out = binary.AppendUvarint(out, uint64(class[at]))
		at = end
	}
	var pairs []byte
	n, last := uint64(0), rune(0)
	for c := range rune(classedEndsAt) {
		small := smallLetter(c)
		if small == c || c < 0x80 || c == 0x0130 || small >= classedEndsAt {
			continue
		}
		pairs = binary.AppendUvarint(pairs, uint64(c-last))
		pairs = binary.AppendUvarint(pairs, uint64(small))
		last = c
		n++
	}
	return append(binary.AppendUvarint(out, n), pairs...)
}
