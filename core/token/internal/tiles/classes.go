// Copyright The ctx-lsp authors. MIT licence.

// Package tiles turns text into tokens by covering it with the fewest pieces. The text is first converted to a marked
// stream, in which words have a begin and an end mark, and capitals are replaced by marks; docs/tokens.md explains the
// terms.
package tiles

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// The classes of characters, numbered as in packs. Words of the stream consist of the classes from Small to Sharp.
const (
	Space      = iota // white space other than a blank
	Blank             // U+0020
	Small             // a small letter
	Capital           // a capital letter with a small one
	Fixed             // a capital letter without a small one
	Title             // neither capital nor small, but with a small letter
	Caseless          // a letter or a mark without case
	Stray             // a mark that needs a letter before it
	Neutral           // part of words, but neither letter nor mark
	Dotted            // U+0130, which is not converted to a small letter
	Sharp             // U+1E9E; a word with it is not converted
	Digit             // an ASCII digit
	OtherDigit        // a digit of a script whose digits join those of ASCII
	Punct             // punctuation
	Sign              // a character with the marks of punctuation
	Selector          // a variation selector
	Decimal           // a decimal digit of another script
	Number            // another number
	Alone             // a character that is always tiled alone
	classCount

	// Symbol is added to the class of a letter that is a symbol: no contraction follows it.
	Symbol = 0x20

	touched = 0x40 // form C may change the character or one next to it
	folded  = 0x80 // the character is dropped or replaced
	kindOf  = 0x1F
)

// ClassedRunes is the number of characters in the table of classes. All later ones are tiled alone.
const ClassedRunes = 0x10000

// Sets of classes.
const (
	setSpaces = 1<<Space | 1<<Blank
	setWord   = 1<<Small | 1<<Capital | 1<<Fixed | 1<<Title | 1<<Caseless | 1<<Stray | 1<<Neutral | 1<<Dotted | 1<<Sharp
	setDigits = 1<<Digit | 1<<OtherDigit
	setNumber = 1<<Decimal | 1<<Number
	setOther  = 1<<Punct | 1<<Sign | setNumber // classes that are tiled together with each other
	setAlone  = 1<<Alone | 1<<Selector
)

// readClasses reads runs of characters with the same class, and flags the characters that normalization changes.
func (v *Vocabulary) readClasses(r *packed.Reader) {
	v.class = make([]uint8, ClassedRunes)
	at := 0
	for at < ClassedRunes && r.Failed == "" {
		run, class := r.Count(ClassedRunes-at), r.Count(Symbol|classCount)
		if run == 0 || class&kindOf >= classCount {
			r.Fail("one of its classes of characters is none, or of no characters")
			return
		}
		for i := range run {
			v.class[at+i] = uint8(class)
		}
		at += run
	}
	if r.Failed != "" {
		return
	}
	for c := range v.class {
		char := rune(c)
		if v.drops(char) || v.folds(char) != char {
			v.class[c] |= folded
		}
	}
	v.composer.EachTouched(func(char rune) {
		if char < ClassedRunes {
			v.class[char] |= touched
		}
	})
	for b := range v.odd {
		if b < 0x80 {
			v.ascii[b] = groupOf(v.class[b])
		}
		v.odd[b] = b >= 0x80 || v.class[b]&folded != 0
	}
}

// readLetters reads the small letters of capitals.
func (v *Vocabulary) readLetters(r *packed.Reader) {
	n := r.Count(ClassedRunes)
	at := 0
	for range n {
		at += r.Count(ClassedRunes - 1 - at)
		small := r.Count(ClassedRunes - 1)
		if r.Failed != "" {
			return
		}
		v.capitals, v.smalls = append(v.capitals, uint16(at)), append(v.smalls, uint16(small))
	}
}

// small returns the small letter of a character, or the character itself.
func (v *Vocabulary) small(char rune) rune {
	low, high := 0, len(v.capitals)
	for low < high {
		middle := (low + high) / 2
		if rune(v.capitals[middle]) < char {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(v.capitals) && rune(v.capitals[low]) == char {
		return rune(v.smalls[low])
	}
	return char
}

// at returns the class of the character at i with its flags, and its length. The text must be valid UTF-8.
func (v *Vocabulary) at(text []byte, i int) (class uint8, size int) {
	if b := text[i]; b < 0x80 {
		return v.class[b], 1
	}
	char, size := split.DecodeRune(text, i)
	return v.classOf(char), size
}

func (v *Vocabulary) classOf(char rune) uint8 {
	if char >= ClassedRunes {
		return Alone
	}
	return v.class[char]
}

// in reports whether a class is in a set.
func in(class uint8, set uint32) bool { return set>>(class&kindOf)&1 != 0 }

// The groups of ASCII bytes, which have their own path.
const (
	ofWord = 1 + iota
	ofSpace
	ofDigits
	ofPunct
)

func groupOf(class uint8) uint8 {
	switch {
	case in(class, setWord):
		return ofWord
	case in(class, setSpaces):
		return ofSpace
	case class&kindOf == Digit:
		return ofDigits
	case class&kindOf == Punct:
		return ofPunct
	}
	return 0
}
