// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Outside ASCII, merging by bytes spends most of its time on combining bytes into characters. An atom is the token that
// merging makes of one character. Starting from atoms gives the same tokens as starting from bytes, unless a merge
// joins parts of two characters before these are complete. There are few such merges, and it is known which characters
// they can split: for these, and only if the bytes on both sides fit such a merge, merging starts from bytes. All other
// merges across the border of two characters join whole ones. They come after the merges that make the characters,
// because parts come before wholes (docs/tokens.md), so nothing changes if the characters are whole from the beginning.

const (
	noAtom      = 1<<32 - 1
	fragileHead = 1 << 30 // a merge can use the character's first bytes before it is complete
	fragileTail = 1 << 31 // a merge can use its last bytes before it is complete
	atomMask    = 1<<30 - 1
)

// atom computes the atom of a character of two or three bytes, with its flags, or noAtom, and stores it in atoms.
func (k *byteLevels) atom(v *Merges, char []byte) uint32 {
	atom := k.findAtom(v, char)
	k.atoms[codeOf(char)] = atom
	return atom
}

// codeOf returns the code point of a character of two or three bytes.
func codeOf(char []byte) uint16 {
	if len(char) == 2 {
		return uint16(char[0]&0x1F)<<6 | uint16(char[1]&0x3F)
	}
	return uint16(char[0])<<12 | uint16(char[1]&0x3F)<<6 | uint16(char[2]&0x3F)
}

// findAtom computes an atom without storing it.
func (k *byteLevels) findAtom(v *Merges, char []byte) uint32 {
	id := v.symbolOf(char)
	if id == noMerge {
		return noAtom
	}
	x := k.exceptions
	head, tail := uint32(char[0]), uint32(char[len(char)-1])
	left, right := head, tail // the two parts joined by the last merge
	if len(char) == 3 {
		first, second := v.symbolOf(char[:2]), v.symbolOf(char[1:])
		if first < second {
			left = first
		} else {
			right = second
		}
	}
	// The parts that exist before later merges use them are these two, and the byte at either end.
	atom := id
	if x.heads.before(left, id) || left != head && x.heads.before(head, left) {
		atom |= fragileHead
	}
	if x.tails.before(right, id) || right != tail && x.tails.before(tail, right) {
		atom |= fragileTail
	}
	return atom
}

// symbolOf returns the token with these two or three bytes, or noMerge.
func (v *Merges) symbolOf(text []byte) uint32 {
	key := pieces.Key{B: uint64(len(text)) << pieces.LengthAt}
	for i, b := range text {
		key.A |= uint64(b) << (8 * i)
	}
	hash := key.Digest()
	if v.mayMerge(hash) == 0 {
		return noMerge
	}
	return v.find(entry(key.A|key.B), hash)
}

// startFromCharacters adds the start symbols of a padded piece: atoms if possible. Invalid UTF-8 is added byte by byte,
// as is an incomplete character at the start or end of a window.
func (k *byteLevels) startFromCharacters(v *Merges, s *startSymbols, padded []byte) {
	known := k.atoms
	symbols, places, n := s.symbols, s.places, s.n
	previous := uint32(0) // the previous atom with its flags
	for i := 0; i < len(padded)-padding; {
		w := word.Four(padded, i)
		size, atom := 1, uint32(noAtom)
		switch {
		case w&0x80 == 0:
			atom = w & 0x7F
		case split.IsThree(w):
			code := w&0x0F<<12 | w>>2&0xFC0 | w>>16&0x3F
			if atom = known[code]; atom == 0 && split.ClassOfThree(w) != 0 {
				atom = k.atom(v, padded[i:i+3])
			} else if code < 0x800 { // overlong: the atom belongs to a character of two bytes
				atom = 0
			}
			size = 3
		case split.IsTwo(w):
			if atom = known[w&0x1F<<6|w>>8&0x3F]; atom == 0 && split.ClassOfTwo(w) != 0 {
				atom = k.atom(v, padded[i:i+2])
			}
			size = 2
		default:
			if _, size = split.DecodeRune(padded, i); size < 4 {
				s.broken, size = true, 1
			}
		}
		if atom == 0 && size > 1 { // it only looks like a character
			s.broken, size, atom = true, 1, noAtom
		}
		apart := atom == noAtom
		if (atom&fragileHead|previous&fragileTail) != 0 && i > 0 && k.exceptions.at(padded[i-1], byte(w)) {
			apart = true
			if previous&fragileTail != 0 && previous&atomMask != 0 {
				s.n = n
				s.takeApart(padded[:i])
				n = s.n
			}
		}
		if apart {
			s.n = n
			s.bytes(padded[i:i+size], i)
			n = s.n
			previous = fragileTail
		} else {
			symbols[n], places[n] = atom&atomMask, int32(i)
			n++
			previous = atom
		}
		i += size
	}
	s.n = n
}

// takeApart replaces the atom of the last character of a text with its bytes.
func (s *startSymbols) takeApart(text []byte) {
	begin := len(text) - 1
	for text[begin]&0xC0 == 0x80 {
		begin--
	}
	s.n--
	s.bytes(text[begin:], begin)
}
