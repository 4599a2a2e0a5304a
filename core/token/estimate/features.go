// Copyright The ctx-lsp authors. MIT licence.

// Package estimate estimates tokens for models without a public tokenizer: with weights for the o200k count and for the
// features of a text, and with the published formulas for images, pages, audio and video. It needs no vocabulary.
package estimate

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// Features are counts of the kinds of characters and words in a text. They distinguish texts that o200k and a private
// tokenizer count differently: much punctuation, many capitals, many words, other scripts.
type Features struct {
	Chars       int64 // Unicode characters
	Letters     int64
	Upper       int64 // capital letters
	Words       int64 // runs of letters
	LowerWords  int64 // runs of small letters of two or more
	LongTail    int64 // letters after the eighth in a word
	Digits      int64
	SplitDigits int64 // digits that o200k joins to another: a run of n minus its groups of three
	Punctuation int64 // punctuation and symbols
	Newlines    int64
	Indent      int64 // spaces and tabs at the beginning of a line
	Han         int64 // Chinese characters
	Kana        int64
	Hangul      int64 // syllables
	Cyrillic    int64
	Abjad       int64 // Arabic and Hebrew letters
	Indic       int64 // letters and marks of the scripts from Devanagari to Khmer, including Thai
	Accented    int64 // Latin letters outside ASCII
}

// Add adds the counts of another text.
func (f *Features) Add(g Features) {
	f.Chars += g.Chars
	f.Letters += g.Letters
	f.Upper += g.Upper
	f.Words += g.Words
	f.LowerWords += g.LowerWords
	f.LongTail += g.LongTail
	f.Digits += g.Digits
	f.SplitDigits += g.SplitDigits
	f.Punctuation += g.Punctuation
	f.Newlines += g.Newlines
	f.Indent += g.Indent
	f.Han += g.Han
	f.Kana += g.Kana
	f.Hangul += g.Hangul
	f.Cyrillic += g.Cyrillic
	f.Abjad += g.Abjad
	f.Indic += g.Indic
	f.Accented += g.Accented
}

// Measure counts the features of a text in one pass.
func Measure(text []byte) Features {
	m := measuring{indent: true}
	for i := 0; i < len(text); {
		if rest := text[i:]; len(rest) >= split.BitmapBytes && m.block((*[split.BitmapBytes]byte)(rest)) {
			i += split.BitmapBytes
			continue
		}
		i = m.characters(text, i, min(i+split.BitmapBytes, len(text)))
	}
	m.endWord()
	return m.Features
}

// measuring is the state before the next character.
type measuring struct {
	Features
	letters, lower int  // characters of the unfinished word
	digits         int  // digits of the unfinished number
	indent         bool // the line has only spaces so far
}

func (m *measuring) endWord() {
	if m.letters > 0 {
		m.addWord(m.letters, m.lower)
		m.letters, m.lower = 0, 0
	}
}

// characters measures the characters that begin before to, one by one, and returns the end of the last one.
func (m *measuring) characters(text []byte, i, to int) int {
	for i < to {
		var class uint32
		size := 1
		b := text[i]
		if b < 0x80 {
			class = uint32(split.ClassASCII[b])
		} else {
			var c rune
			c, size = split.DecodeRune(text, i)
			class = split.ClassOf(c)
			m.script(c, class)
		}
		i += size
		m.Chars++
		if class&split.SetNumbers != 0 {
			m.Digits++
			if m.digits%3 != 0 {
				m.SplitDigits++
			}
			m.digits++
		} else {
			m.digits = 0
		}
		if class&split.SetLetters != 0 {
			m.Letters++
			m.letters++
			switch class {
			case split.ClassLower:
				m.lower++
			case split.ClassUpper:
				m.Upper++
			}
			m.indent = false
			continue
		}
		if class&split.SetMarks != 0 && m.letters > 0 {
			continue
		}
		m.endWord()
		switch {
		case class == split.ClassNewline:
			if b == '\n' {
				m.Newlines++
			}
			m.indent = true
			continue
		case class == split.ClassSpace:
			if m.indent {
				m.Indent++
			}
			continue
		case class&split.SetSymbols != 0:
			m.Punctuation++
		}
		m.indent = false
	}
	return i
}

// block measures 64 bytes at once. It returns false and measures nothing if they are not all ASCII, or contain a
// carriage return or another control character. Most text that agents read consists of such blocks. Words and numbers
// that extend beyond the block are measured by their lengths, all others by the bits of their letters and digits.
func (m *measuring) block(text *[split.BitmapBytes]byte) bool {
	kinds, plain := split.KindsOf(text)
	if !plain {
		return false
	}
	m.Chars += split.BitmapBytes
	m.Letters += ones(kinds.Letters)
	m.Upper += ones(kinds.Capitals)
	m.Digits += ones(kinds.Digits)
	m.Newlines += ones(kinds.Newlines)
	m.Punctuation += ones(^(kinds.Letters | kinds.Digits | kinds.Spaces))

	letters, capitals := kinds.Letters, kinds.Capitals
	if n := bits.TrailingZeros64(^letters); m.letters > 0 {
		m.letters += n
		m.lower += n - int(ones(capitals&(1<<n-1)))
		if n == split.BitmapBytes {
			letters = 0
		} else {
			m.endWord()
			letters &^= 1<<n - 1
		}
	}
	if n := bits.LeadingZeros64(^letters); n > 0 {
		end := letters >> (split.BitmapBytes - n) << (split.BitmapBytes - n)
		m.letters, m.lower = n, n-int(ones(capitals&end))
		letters &^= end
	}
	capitals &= letters
	ends := letters << 1 &^ letters                            // the bits after words
	mixed := (letters + capitals) &^ letters                   // the same for words with a capital, by their carry
	single := letters &^ (letters << 1) &^ (letters >> 1) << 1 // the same for words of one letter
	m.Words += ones(ends)
	m.LowerWords += ones(ends &^ mixed &^ single)
	tail := letters & (letters << 1)
	tail &= tail << 2
	tail &= tail << 4
	m.LongTail += ones(tail << 1 & letters) // letters with at least longWord others before them

	digits := kinds.Digits
	if n := bits.TrailingZeros64(^digits); m.digits > 0 {
		m.SplitDigits += int64(n - (m.digits+n+2)/3 + (m.digits+2)/3)
		m.digits += n
		if n == split.BitmapBytes {
			digits = 0
		} else {
			m.digits = 0
			digits &^= 1<<n - 1
		}
	}
	first := digits &^ (digits << 1) // each number's first digit, then every third one after it
	three := digits & (digits << 1) & (digits << 2) & (digits << 3)
	m.SplitDigits += ones(digits)
	for ; first != 0; first = first << 3 & three {
		m.SplitDigits -= ones(first)
	}
	if n := bits.LeadingZeros64(^digits); n > 0 {
		m.digits = n
	}

	spaces := kinds.Spaces &^ kinds.Newlines
	if m.indent {
		m.Indent += int64(bits.TrailingZeros64(^spaces))
	}
	for rest := kinds.Newlines; rest != 0; rest &= rest - 1 {
		m.Indent += int64(bits.TrailingZeros64(^(spaces >> bits.TrailingZeros64(rest) >> 1)))
	}
	if last := ^spaces; last != 0 {
		m.indent = kinds.Newlines>>(bits.Len64(last)-1)&1 == 1
	}
	return true
}

func ones(bitmap uint64) int64 { return int64(bits.OnesCount64(bitmap)) }

// addWord counts a run of letters, with the number of small letters among them.
func (f *Features) addWord(letters, lower int) {
	f.Words++
	if lower == letters && letters > 1 {
		f.LowerWords++
	}
	if letters > longWord {
		f.LongTail += int64(letters - longWord)
	}
}

// longWord is the length up to which words tend to be single tokens.
const longWord = 8

func (f *Features) script(c rune, class uint32) {
	switch {
	case class&split.SetHan != 0:
		f.Han++
	case class&(split.SetLetters|split.SetMarks) == 0:
	case c < 0x0250 || c >= 0x1E00 && c < 0x1F00:
		f.Accented++
	case c >= 0x0400 && c < 0x0530:
		f.Cyrillic++
	case c >= 0x0590 && c < 0x0780 || c >= 0x08A0 && c < 0x0900:
		f.Abjad++
	case c >= 0x0900 && c < 0x1000 || c >= 0x1780 && c < 0x1800:
		f.Indic++
	case c >= 0x3040 && c < 0x3100 || c >= 0xFF66 && c < 0xFFA0:
		f.Kana++
	case c >= 0xAC00 && c < 0xD7B0:
		f.Hangul++
	}
}
