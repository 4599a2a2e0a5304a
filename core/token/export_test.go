// Copyright The ctx-lsp authors. MIT licence.

package token

import "unicode/utf8"

// MergedForTest counts the tokens of one piece, whatever its bytes are, without what is remembered of pieces.
func MergedForTest(t *Tokenizer, piece []byte) int {
	t.merger.cut(piece)
	return len(t.merger.symbols)
}

// LongForTest is MergedForTest by the way of long pieces: all at once.
func LongForTest(t *Tokenizer, piece []byte) int {
	t.merger.fill(t.v, pad(nil, piece))
	return t.merger.longForTest(piece)
}

func (m *merger) longForTest(piece []byte) int {
	m.padded = pad(m.padded, piece)
	if len(m.symbols) > 1 {
		m.cutByLevels()
	}
	return len(m.symbols)
}

// WindowedForTest is MergedForTest in windows of a few bytes.
func WindowedForTest(t *Tokenizer, piece []byte, window, guard int) (int, []int) {
	t.merger.window, t.merger.guard = window, guard
	defer func() { t.merger.window, t.merger.guard = windowBytes, windowGuard }()
	n, ends := t.merger.cutInWindows(piece, 0, nil, true)
	return int(n), ends
}

// BytesForTest is LongForTest from bytes, not from characters.
func BytesForTest(t *Tokenizer, piece []byte) int {
	t.merger.room(len(piece))
	t.merger.bytes(piece, 0)
	t.merger.end(len(piece))
	return t.merger.longForTest(piece)
}

// CharactersForTest lists the characters that can be taken apart before they are whole, and the others that are one token.
func CharactersForTest(t *Tokenizer) (fragile, others []rune) {
	for c := rune(0x80); c < 0x10000; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		switch atom := t.v.atom([]byte(string(c))); {
		case atom == noAtom:
		case atom&(fragileHead|fragileTail) != 0:
			fragile = append(fragile, c)
		default:
			others = append(others, c)
		}
	}
	return fragile, others
}

// A Hazard is the two sides of a merge that joins a part of one character to another, and which of them is the part.
type Hazard struct {
	Left, Right string
	Head, Tail  bool
}

// HazardsForTest lists the hazards of a vocabulary.
func HazardsForTest(t *Tokenizer) (hazards []Hazard) {
	v := t.v
	if v.parts == nil {
		v.makeParts()
	}
	for _, merge := range v.parts[v.first:] {
		head, tail := v.hazards.heads.has(merge.right), v.hazards.tails.has(merge.left)
		if right := v.spelled(merge.right); (head || tail) && right[0]&0xC0 != 0x80 {
			hazards = append(hazards, Hazard{v.spelled(merge.left), right, head, tail})
		}
	}
	return hazards
}

func (v *Vocabulary) spelled(symbol uint32) string {
	e := v.entries[symbol]
	if e.wide() {
		return v.spelled(e.split().left) + v.spelled(e.split().right)
	}
	text := pieceKey{a: uint64(e)}.bytes()
	return string(text[:e.size()])
}

// HashForTest is what the bytes of a token are looked up by, in the high bits.
func HashForTest(text string) uint64 { return pieceKeyOf([]byte(text), 0, len(text)).digest() }
