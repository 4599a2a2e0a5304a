// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/tiles"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// ScannerMarked is the scanner of packs with tiles. Other packs cannot use it.
const ScannerMarked = split.Marked

// Numbers for the classes of characters and the marks of the stream, for programs that make packs.
const (
	MarkSpace      = tiles.Space
	MarkBlank      = tiles.Blank
	MarkSmall      = tiles.Small
	MarkCapital    = tiles.Capital
	MarkFixed      = tiles.Fixed
	MarkTitle      = tiles.Title
	MarkCaseless   = tiles.Caseless
	MarkStray      = tiles.Stray
	MarkNeutral    = tiles.Neutral
	MarkDotted     = tiles.Dotted
	MarkSharp      = tiles.Sharp
	MarkDigit      = tiles.Digit
	MarkOtherDigit = tiles.OtherDigit
	MarkPunct      = tiles.Punct
	MarkSign       = tiles.Sign
	MarkSelector   = tiles.Selector
	MarkDecimal    = tiles.Decimal
	MarkNumber     = tiles.Number
	MarkAlone      = tiles.Alone
	MarkSymbol     = tiles.Symbol
	MarkBegin      = tiles.Begin
	MarkEnd        = tiles.End
	MarkShift      = tiles.Shift
	MarkCaps       = tiles.Caps
)

// normal returns text as tiles expect it.
func (t *Tokenizer) normal(text []byte) []byte {
	normal := t.v.tiles.Normal(t.composed, text)
	if len(normal) > 0 && &normal[0] != &text[0] {
		t.composed = normal
	}
	return normal
}

// tiled counts normal text, beginning with a given state of the scan.
func (t *Tokenizer) tiled(text []byte, s tiles.Scan) (total int64) {
	for t.tiler.Next(&s, text) {
		n := s.End - s.Begin
		switch {
		case s.Marks == 0 && n <= pieces.MaxShort:
			total += t.shortPiece(keyOf(text, s.Begin, n))
		case n < pieces.MaxShort:
			total += t.shortPiece(tiles.Sealed(keyOf(text, s.Begin, n), n, s.Marks))
		default:
			piece := text[s.Begin:s.End]
			if s.Marks != 0 {
				t.sealed = tiles.Seal(append(t.sealed[:0], piece...), s.Marks)
				piece = t.sealed
			}
			if len(piece) <= storedPieceMax {
				total += t.longPiece(piece)
			} else {
				total += t.tiler.Count(piece)
			}
		}
	}
	return total + s.Between + t.countBatch()
}

// keyOf returns the same as pieces.KeyOf, but faster if enough text follows the piece.
func keyOf(text []byte, begin, n int) pieces.Key {
	if begin+16 > len(text) {
		return pieces.KeyOf(text, begin, begin+n)
	}
	cut, head := &pieces.Cuts[n&(pieces.MaxCut-1)], text[begin:begin+16:begin+16]
	return pieces.Key{A: word.At(head, 0) & cut.A, B: word.At(head, 8)&cut.B | cut.Length}
}

// Messages reports whether CountMessage is available, which includes the cost of a message besides its text.
func (t *Tokenizer) Messages() bool { return t.tiler != nil }

// CountMessage counts a text as a single user message including the frame around it, like a provider's own count.
func (t *Tokenizer) CountMessage(text []byte) int64 {
	inside, scan, frame := t.tiler.Frame(text, t.normal)
	return frame + t.tiled(inside, scan)
}
