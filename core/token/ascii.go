package token

import "math/bits"

// What a piece can begin with, as far as the quick path is concerned.
const (
	beginLetter  = iota // a word
	beginPrefix         // a word if a letter follows, else punctuation or a space
	beginDigit          // one to three digits
	beginNewline        // a run of spaces
	beginOther          // not ASCII: left to the scanner
)

// begins is by first byte; without split, a quotation mark may begin a contraction, which is left to the scanner.
var beginsSplit, beginsPlain = makeBegins(true), makeBegins(false)

func makeBegins(split bool) (table [256]uint8) {
	for b := range table {
		switch {
		case b >= 0x80 || b == '\'' && !split:
			table[b] = beginOther
		case classASCII[b]&setLetters != 0:
			table[b] = beginLetter
		case classASCII[b]&setNumbers != 0:
			table[b] = beginDigit
		case classASCII[b] == classNewline:
			table[b] = beginNewline
		default:
			table[b] = beginPrefix
		}
	}
	return
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

// letters marks the bytes of a word that are ASCII letters, by their highest bits.
func letters(w uint64) uint64 {
	x := (w | 0x20*everyByte) & (0x7F * everyByte)
	return (x + (0x80-'a')*everyByte) &^ (x + (0x7F-'z')*everyByte) &^ w & highBits
}

// ascii counts the pieces of text from i on, as nextO200k cuts them (split) or nextCl100k, eight bytes at a time. It stops
// before a piece that has, or may have, a character beyond ASCII, and near the end of the text.
func (t *Tokenizer) ascii(text []byte, i int, split bool) (int, int64) {
	var total int64
	begins := &beginsPlain
	if split {
		begins = &beginsSplit
	}
	short := (*[1 << shortBits]uint64)(t.cache.short)
	for i+24 <= len(text) {
		w := word(text, i)
		begin := begins[byte(w)]
		if begin <= beginPrefix {
			marks := letters(w) | uint64(begin)<<7 // the character before a word counts as one of its capitals
			n := 0
			if split {
				small := marks & (w << 2) &^ (uint64(begin) << 7)
				capitals := bits.TrailingZeros64(^(marks&^small)&highBits) &^ 7
				n = bits.TrailingZeros64(^small&highBits>>uint(capitals&63)<<uint(capitals&63)) >> 3
				if capitals == 64 {
					return i, total
				}
			} else {
				n = bits.TrailingZeros64(^marks&highBits) >> 3
			}
			if n < 8 {
				if n > int(begin) {
					if next := byte(w >> uint(n*8&63)); next >= 0x80 || next == '\'' {
						return i, total
					}
					key := w&(1<<uint(n*8&63)-1) | uint64(n)<<shortLength
					slot := short[hashShort(key)]
					if (slot^key)&^countMask == 0 {
						total += int64(slot >> shortCount & 15)
					} else {
						total += t.shortPiece(key, text, i, i+n)
					}
					i += n
					continue
				}
			} else {
				v := word(text, i+8)
				small := letters(v)
				if split {
					small &= v << 2
				}
				n = bits.TrailingZeros64(^small&highBits) >> 3
				if n == 8 {
					return i, total
				}
				if next := byte(v >> uint(n*8&63)); next >= 0x80 || next == '\'' {
					return i, total
				}
				total += t.mediumPiece(w, v&(1<<uint(n*8&63)-1)|uint64(n+8)<<mediumLength, text, i, i+8+n)
				i += 8 + n
				continue
			}
		}
		end := i + 1
		class := classOther
		switch begin {
		case beginOther:
			return i, total
		case beginDigit:
			for end < i+3 && begins[text[end]] == beginDigit {
				end++
			}
			if text[end] >= 0x80 && end < i+3 {
				return i, total
			}
			class = classNumber
		default:
			if text[end] >= 0x80 {
				return i, total
			}
			class = int(classASCII[text[i]])
			if text[i] == ' ' {
				class = int(classASCII[text[end]])
			}
		}
		switch {
		case class == classNumber && begin == beginDigit:
		case class&setOther != 0:
			for end < len(text) && text[end] < 0x80 && classASCII[text[end]]&setOther != 0 {
				end++
			}
			for end < len(text) && (text[end] == '\n' || text[end] == '\r' || text[end] == '/' && split) {
				end++
			}
			if end >= len(text) || text[end] >= 0x80 {
				return i, total
			}
		default:
			newline := 0
			if begin == beginNewline {
				newline = end
			}
			for end < len(text) && text[end] < 0x80 && classASCII[text[end]]&setSpaces != 0 {
				end++
				if classASCII[text[end-1]] == classNewline {
					newline = end
				}
			}
			if end >= len(text) || text[end] >= 0x80 {
				return i, total
			}
			switch {
			case newline > 0:
				end = newline
			case end > i+1:
				end--
			}
		}
		switch n := end - i; {
		case n == 1: // a byte is a token
			total++
		case n <= shortPieceMax:
			key := w&(1<<uint(n*8&63)-1) | uint64(n)<<shortLength
			slot := short[hashShort(key)]
			if (slot^key)&^countMask == 0 {
				total += int64(slot >> shortCount & 15)
			} else {
				total += t.shortPiece(key, text, i, end)
			}
		default:
			total += t.piece(text, i, end)
		}
		i = end
	}
	return i, total
}
