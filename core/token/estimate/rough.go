// Copyright The ctx-lsp authors. MIT licence.

package estimate

// The weights of Rough, in twelfths of a token. They are o200k's averages for running text, rounded to a value for a
// whole group of scripts; docs/tokens.md has the figures.
const (
	roughLatin    = 3 // a token for four characters: Latin and Cyrillic letters, digits, punctuation
	roughHebrew   = 5
	roughLetters  = 4  // Greek, Arabic, the scripts of India, Thai and their neighbours
	roughSyllable = 8  // Chinese characters, kana and Hangul
	roughSymbol   = 18 // emoji, and the rare characters outside the first plane
	roughToken    = 12
)

// Rough is the simplest estimate, for use without a vocabulary: one token for four characters, more in scripts with
// costlier characters, rounded up. It derives the script from the first byte of each character.
func Rough(text []byte) int64 {
	var sum int64
	for _, b := range text {
		switch {
		case b&0xC0 == 0x80: // inside a character
		case b < 0xCD:
			sum += roughLatin
		case b <= 0xCF: // Greek
			sum += roughLetters
		case b < 0xD6: // Cyrillic, Armenian
			sum += roughLatin
		case b < 0xD8:
			sum += roughHebrew
		case b <= 0xE1: // Arabic to Thai and Khmer
			sum += roughLetters
		case b == 0xE2: // punctuation, arrows, lines
			sum += roughLatin
		case b <= 0xEF:
			sum += roughSyllable
		case b <= 0xF4:
			sum += roughSymbol
		default: // never the first byte of a character
			sum += roughLatin
		}
	}
	return (sum + roughToken - 1) / roughToken
}
