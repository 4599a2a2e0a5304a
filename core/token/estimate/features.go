// Copyright The ctx-lsp authors. MIT licence.

// Package estimate estimates tokens where no tokenizer is public: by weights on the o200k count and on what a text is
// made of, and by the published formulas for images, pages, sound and film. It needs no vocabulary.
package estimate

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// Features are counts of what a text is made of. They tell apart the texts on which a tokenizer that is not public and
// o200k disagree: much punctuation, many capitals, many words, other scripts.
type Features struct {
	Chars       int64 // Unicode characters
	Letters     int64
	Upper       int64 // capital letters
	Words       int64 // runs of letters
	LowerWords  int64 // runs of small letters of two or more
	LongTail    int64 // letters beyond the eighth of a word
	Digits      int64
	SplitDigits int64 // digits that o200k joins to another: a run of n less its groups of three
	Punctuation int64 // punctuation and symbols
	Newlines    int64
	Indent      int64 // spaces and tabs that begin a line
	Han         int64 // Chinese characters
	Kana        int64
	Hangul      int64 // syllables
	Cyrillic    int64
	Abjad       int64 // Arabic and Hebrew letters
	Indic       int64 // letters and marks of the scripts from Devanagari to Khmer, Thai among them
	Accented    int64 // Latin letters beyond ASCII
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

// Measure counts a text's features in one pass.
func Measure(text []byte) Features {
	var f Features
	word, lower := 0, 0 // letters of the run at hand, and how many of them are small
	indent := true
	run := 0 // digits of the run at hand
	for i := 0; i < len(text); {
		var class uint32
		size := 1
		b := text[i]
		if b < 0x80 {
			class = uint32(split.ClassASCII[b])
		} else {
			var c rune
			c, size = split.DecodeRune(text, i)
			class = split.ClassOf(c)
			f.script(c, class)
		}
		i += size
		f.Chars++
		if class&split.SetNumbers != 0 {
			f.Digits++
			if run%3 != 0 {
				f.SplitDigits++
			}
			run++
		} else {
			run = 0
		}
		if class&split.SetLetters != 0 {
			f.Letters++
			word++
			switch class {
			case split.ClassLower:
				lower++
			case split.ClassUpper:
				f.Upper++
			}
			indent = false
			continue
		}
		if class&split.SetMarks != 0 && word > 0 {
			continue
		}
		if word > 0 {
			f.word(word, lower)
			word, lower = 0, 0
		}
		switch {
		case class == split.ClassNewline:
			if b == '\n' {
				f.Newlines++
			}
			indent = true
			continue
		case class == split.ClassSpace:
			if indent {
				f.Indent++
			}
			continue
		case class&split.SetSymbols != 0:
			f.Punctuation++
		}
		indent = false
	}
	if word > 0 {
		f.word(word, lower)
	}
	return f
}

// word counts a run of letters of which so many are small.
func (f *Features) word(letters, lower int) {
	f.Words++
	if lower == letters && letters > 1 {
		f.LowerWords++
	}
	if letters > longWord {
		f.LongTail += int64(letters - longWord)
	}
}

// longWord is the length up to which words tend to be whole tokens.
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
