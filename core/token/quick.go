// Copyright The ctx-lsp authors. MIT licence.

package token

import "math/bits"

// viewBytes is how much of a text is looked at: two words can be read wherever in a bitmap a piece begins.
const viewBytes = bitmapBytes + 16

const quickRest = 5 // it never rests for more than 2^5 pieces

// quickly counts the pieces of text from i on, many at a time. It stops before a piece that has, or may have, a character
// that bitmaps do not know, before one that is very long, and before the last of the text.
//
// Pieces do not depend on what is before them. So a bitmap that begins where a piece does can be cut by itself, all but
// the last piece, with which the next bitmap begins.
func (t *Tokenizer) quickly(text []byte, i int) (int, int64) {
	var total int64
	var kinds bitmaps
	for i < len(text) {
		view, inside := t.view(text, i)
		kinds.of((*[bitmapBytes]byte)(view[:]))
		kinds.known &= inside
		begins := kinds.borders(view, t.quick)
		if begins == 0 {
			break
		}
		count, missed := t.cache.tally(view, begins)
		total += int64(count)
		for ; missed != 0; missed &= missed - 1 {
			begin, end := bits.Len64((begins|1)&(missed&-missed-1))-1, bits.TrailingZeros64(missed)
			if end-begin <= shortPieceMax {
				total += t.unseen(pieceKeyOf(text, i+begin, i+end))
			} else {
				total += t.longPiece(text[i+begin : i+end])
			}
		}
		i += bits.Len64(begins) - 1
	}
	return i, total
}

// view returns the text at i, with zeros behind it where it ends, and a bit for each byte of a bitmap that is inside of it.
func (t *Tokenizer) view(text []byte, i int) (view *[viewBytes]byte, inside uint64) {
	if i+viewBytes <= len(text) {
		return (*[viewBytes]byte)(text[i:]), ^uint64(0)
	}
	n := copy(t.tail[:], text[i:])
	clear(t.tail[n:])
	if n >= bitmapBytes {
		return &t.tail, ^uint64(0)
	}
	return &t.tail, 1<<uint(n) - 1
}

// tally counts the pieces of a view that are remembered, by where all but the first begin, and returns a bit for each of
// the others, at its end.
//
// This is where most of the time goes. What is rare is left to others, so that nothing has to be guessed but how many
// pieces there are.
func (c *pieceCache) tally(view *[viewBytes]byte, begins uint64) (total, missed uint64) {
	sets := (*[1 << shortBits]pieceSet)(c.short)
	for begin := 0; begins != 0; {
		end := bits.TrailingZeros64(begins)
		rest := begins & (begins - 1)
		at := begin & (bitmapBytes - 1)
		text := view[at : at+16 : at+16]
		cut := &cuts[(end-begin)&(bitmapBytes-1)]
		key := pieceKey{word(text, 0) & cut.a, word(text, 8)&cut.b | cut.length}
		set := &sets[key.hash()]
		if set[0].a^key.a|(set[0].b^key.b)<<shortCountBits == 0 { // as same, with one branch
			total += set[0].b >> shortCount
		} else if set[1].same(key) {
			total += set[1].b >> shortCount
			set[0], set[1] = set[1], set[0]
		} else {
			missed |= begins ^ rest
		}
		begin = end
		begins = rest
	}
	return total, missed
}
