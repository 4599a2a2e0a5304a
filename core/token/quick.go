// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

const quickRest = 5 // the quick path is skipped for at most 2^5 pieces

// countQuickly counts the pieces of text from i on, many at a time. It stops before a piece that contains, or may
// contain, a character that bitmaps do not support, before a very long piece, and before the last piece of the text.
//
// Pieces do not depend on the text before them. A bitmap that starts with a piece can therefore be cut on its own,
// except for its last piece; the next bitmap starts with that.
func (t *Tokenizer) countQuickly(text []byte, i int) (int, int64) {
	var total int64
	var kinds split.Bitmaps
	for i < len(text) {
		view, inside := t.view(text, i)
		kinds.Fill((*[split.BitmapBytes]byte)(view[:]))
		kinds.Known &= inside
		begins := kinds.Borders(view, t.quick)
		if begins == 0 {
			break
		}
		count, missed := t.cache.countPieces(view, begins)
		total += int64(count)
		for ; missed != 0; missed &= missed - 1 {
			begin, end := bits.Len64((begins|1)&(missed&-missed-1))-1, bits.TrailingZeros64(missed)
			if end-begin <= pieces.MaxShort {
				total += t.countLater(pieces.KeyOf(text, i+begin, i+end))
			} else {
				total += t.longPiece(text[i+begin : i+end])
			}
		}
		i += bits.Len64(begins) - 1
	}
	return i, total
}

// view returns the text at i, padded with zeros at the end of the text, and a bit for each byte of a bitmap that is
// inside the text.
func (t *Tokenizer) view(text []byte, i int) (view *[split.ViewBytes]byte, inside uint64) {
	if i+split.ViewBytes <= len(text) {
		return (*[split.ViewBytes]byte)(text[i:]), ^uint64(0)
	}
	n := copy(t.tail[:], text[i:])
	clear(t.tail[n:])
	if n >= split.BitmapBytes {
		return &t.tail, ^uint64(0)
	}
	return &t.tail, 1<<uint(n) - 1
}

// countPieces counts the cached pieces of a view, given the starts of all but the first. For each of the others it
// returns a bit at the end of the piece.
//
// Most of the time is spent here (second passes of make bench-tokens). Rare cases are left to the caller, so that the
// only unpredictable branch is the number of pieces.
func (c *pieceCache) countPieces(view *[split.ViewBytes]byte, begins uint64) (total, missed uint64) {
	sets := (*[1 << shortBits]pieceSet)(c.short)
	for begin := 0; begins != 0; {
		end := bits.TrailingZeros64(begins)
		rest := begins & (begins - 1)
		at := begin & (split.BitmapBytes - 1)
		text := view[at : at+16 : at+16]
		cut := &pieces.Cuts[(end-begin)&(split.BitmapBytes-1)]
		key := pieces.Key{A: word.At(text, 0) & cut.A, B: word.At(text, 8)&cut.B | cut.Length}
		set := &sets[setOf(key)]
		if set[0].A^key.A|(set[0].B^key.B)<<pieces.CountBits == 0 { // same as Same, with one branch
			total += set[0].B >> pieces.CountAt
		} else if set[1].Same(key) {
			total += set[1].B >> pieces.CountAt
			set[0], set[1] = set[1], set[0]
		} else {
			missed |= begins ^ rest
		}
		begin = end
		begins = rest
	}
	return total, missed
}
