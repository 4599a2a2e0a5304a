// Copyright The ctx-lsp authors. MIT licence.

package tiles

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

const (
	saraAM       = 0x0E33 // replaces Thai NIKHAHIT followed by SARA AA
	nikhahit     = 0x0E4D
	saraAA       = 0x0E32
	firstPrivate = 0xE000
	lastPrivate  = 0xF8FF
)

// drops reports whether normalization removes a character: controls except tab, line feed and NUL, and characters of
// private use.
func (v *Vocabulary) drops(char rune) bool {
	return char < 0x20 && char > 0 && char != '\t' && char != '\n' || char >= 0x7F && char <= 0x9F ||
		char >= firstPrivate && char <= lastPrivate
}

// folds returns the replacement for a character: blanks for unusual spaces and, for some families, straight quotes for
// curly ones. It returns other characters unchanged.
func (v *Vocabulary) folds(char rune) rune {
	switch char {
	case 0, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F:
		return ' '
	case 0x2018, 0x2019, 0x201C, 0x201D:
		if v.flags&FoldQuotes == 0 {
			return char
		}
		if char < 0x201C {
			return '\''
		}
		return '"'
	}
	if char >= 0x2000 && char <= 0x200A {
		return ' '
	}
	return char
}

// Normal returns the text to be split: in form C, with characters dropped and folded. If nothing changes it returns
// text itself, otherwise a text in dst.
func (v *Vocabulary) Normal(dst, text []byte) []byte {
	dst = dst[:0]
	composed, fold := 0, false // end of the text already copied to dst
	for i := 0; ; {
		begin, at, odd := v.unsettled(text, i)
		fold = fold || odd
		if at == len(text) {
			break
		}
		// The part that form C changes begins at the last character that it never touches.
		dst = append(dst, text[composed:begin]...)
		end := v.composer.Segment(text, begin)
		for end <= at {
			dst = v.composer.ComposeSegment(dst, text[begin:end])
			begin, end = end, v.composer.Segment(text, end)
		}
		dst = v.composer.ComposeSegment(dst, text[begin:end])
		composed, i = end, end
		if i == len(text) {
			break
		}
	}
	if composed == 0 && !fold {
		return text
	}
	// A text changed by form C is always folded: form C turns U+2000 into another space, which was not checked.
	return v.fold(append(dst, text[composed:]...))
}

// unsettled returns the first offset from i on where form C may change the text, and the start of the last character
// before it that form C never touches. odd reports whether any character before that is dropped or folded.
func (v *Vocabulary) unsettled(text []byte, i int) (begin, at int, odd bool) {
	var before rune
	begin = i
	for i < len(text) {
		b := text[i]
		if !v.odd[b] {
			i++
			for i+8 <= len(text) && printable(word.At(text, i)) {
				i += 8
			}
			continue
		}
		if b < 0x80 {
			odd = true
			i++
			continue
		}
		if i > 0 && text[i-1] < 0x80 {
			before, begin = rune(text[i-1]), i-1
		}
		char, size := split.DecodeRune(text, i)
		class := v.classOf(char)
		switch {
		case char == split.Replacement && (size != 3 || b != 0xEF || text[i+1] != 0xBF || text[i+2] != 0xBD):
			return i, i, true
		case class&folded != 0, char == saraAA && before == nikhahit:
			odd = true
		}
		if class&touched != 0 || char >= ClassedRunes {
			if v.changes(before, char) {
				return begin, i, odd
			}
		} else {
			begin = i
		}
		before = char
		i += size
	}
	return i, i, odd
}

// printable reports whether eight bytes are all printable ASCII, which is never dropped or folded. It may return false
// for some that are.
func printable(eight uint64) bool {
	const ones = 0x0101010101010101
	return (eight|(eight-ones*' ')|(eight+ones))&(ones*0x80) == 0
}

// changes returns the composer's result for two neighboring characters, which is remembered.
func (v *Vocabulary) changes(before, char rune) bool {
	key := uint64(before)<<32 | uint64(char)<<1
	place := &v.settled[key*word.HashFactor>>(64-9)]
	if *place>>1 != key>>1 {
		*place = key
		if v.composer.Changes(before, char) {
			*place |= 1
		}
	}
	return *place&1 != 0
}

// fold drops and folds characters in place.
func (v *Vocabulary) fold(text []byte) []byte {
	out := text[:0]
	nasal := false // the last character kept is NIKHAHIT
	for i := 0; i < len(text); {
		b := text[i]
		if b < 0x80 {
			i++
			switch {
			case b == 0:
				b = ' '
			case v.class[b]&folded != 0:
				continue
			}
			out, nasal = append(out, b), false
			continue
		}
		char, size := split.DecodeRune(text, i)
		i += size
		switch {
		case v.drops(char):
			if char >= firstPrivate { // dropped only after NIKHAHIT and SARA AA have been joined
				nasal = false
			}
			continue
		case nasal && char == saraAA:
			out = out[:len(out)-3]
			char = saraAM
		}
		nasal = char == nikhahit
		out = utf8.AppendRune(out, v.folds(char))
	}
	return out
}
