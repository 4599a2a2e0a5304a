// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/tiles"
)

// A Tokenizer counts the tokens of texts in one encoding. It caches pieces of text, so only one goroutine may use it at
// a time. Several tokenizers may share a Vocabulary.
type Tokenizer struct {
	encoding           Encoding
	v                  *Vocabulary
	next               split.Scanner
	pieces             pieceCounter
	tiler              *tiles.Tiler // same as pieces if the vocabulary tiles text
	sealed             []byte       // a long piece with its marks
	cache              pieceCache
	batch              batch
	added              *specialSet // strings that are always one token
	controls           *specialSet // the same plus control strings, for texts that may contain these
	special            bool
	controlsHaveSpaces bool                  // some of controls contain characters where texts are otherwise cut
	composed           []byte                // text in form C, if it was not already
	unbroken           bool                  // texts can never be cut safely
	asIs               bool                  // no normalizer, and no strings of several pieces that are one token
	quick              *split.Rules          // nil if the scanner has no quick path
	tail               [split.ViewBytes]byte // the end of a text
}

// New returns a tokenizer for an encoding. v must be the vocabulary of the encoding.
func New(e Encoding, v *Vocabulary) *Tokenizer {
	t := &Tokenizer{
		encoding: e,
		v:        v,
		next:     v.next(),
		cache:    newPieceCache(),
		added:    newSpecialSet(v.added),
		quick:    split.FindRules(v.scanner),
	}
	if v.tiles != nil {
		t.tiler = tiles.NewTiler(v.tiles)
		t.pieces = t.tiler
	} else {
		t.pieces = v.pieces()
	}
	t.unbroken = v.crossings != nil && !v.crossings.Noted() || v.haveSpaces(v.added)
	t.asIs = v.crossings == nil && v.plain && t.added == nil
	return t
}

// Encoding returns the encoding that the tokenizer counts in.
func (t *Tokenizer) Encoding() Encoding { return t.encoding }

// AllowSpecial sets whether control strings such as <|endoftext|> are one token each. By default they are plain text,
// as in conversations.
func (t *Tokenizer) AllowSpecial(allow bool) {
	t.special = allow
	if allow && t.controls == nil {
		texts := append(strings.Fields(t.encoding.Specials), t.v.specials...)
		for n := t.encoding.reserved[0]; n < t.encoding.reserved[1]; n++ {
			texts = append(texts, "<|reserved_"+strconv.Itoa(n)+"|>")
		}
		texts = append(texts, t.v.added...)
		t.controls, t.controlsHaveSpaces = newSpecialSet(texts), t.v.haveSpaces(texts)
	}
}

// Count returns the number of tokens in the text. Invalid UTF-8 counts as U+FFFD, one for each longest part of a broken
// sequence.
func (t *Tokenizer) Count(text []byte) int64 {
	set := t.added
	if t.special {
		set = t.controls
	}
	if set == nil {
		return t.plain(text)
	}
	var total int64
	for i := 0; i < len(text); {
		begin, end := set.find(text, i)
		total += t.plain(text[i:begin])
		if end > begin {
			total++
		}
		i = end
	}
	return total
}

// CountString does the same as Count for a string.
func (t *Tokenizer) CountString(text string) int64 {
	return t.Count(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// plain counts text without control strings.
func (t *Tokenizer) plain(text []byte) int64 {
	if t.tiler != nil {
		return t.tiled(t.normal(text), tiles.Scan{})
	}
	if c := t.v.composer; c != nil && !c.IsComposed(text) {
		t.composed = c.Compose(t.composed[:0], text)
		text = t.composed
	}
	var total int64
	useless, rest := 0, 0 // the more often the quick path finds nothing, the longer it is skipped
	for i := 0; i < len(text); {
		if t.quick != nil && rest == 0 {
			end, n := t.countQuickly(text, i)
			total += n
			useless = min(useless+1, quickRest)
			if end > i {
				useless = 0
			}
			i, rest = end, 1<<useless
		}
		rest--
		end := t.next(text, i)
		total += t.piece(text, i, end)
		i = end
	}
	return total + t.countBatch()
}

// piece counts the piece of text between two boundaries.
func (t *Tokenizer) piece(text []byte, begin, end int) int64 {
	n := end - begin
	switch {
	case n <= pieces.MaxShort:
		return t.shortPiece(pieces.KeyOf(text, begin, end))
	case n <= storedPieceMax:
		return t.longPiece(text[begin:end])
	}
	return t.pieces.Count(text[begin:end])
}

func (t *Tokenizer) shortPiece(key pieces.Key) int64 {
	if n, ok := t.cache.find(key); ok {
		return n
	}
	return t.countLater(key)
}

func (t *Tokenizer) longPiece(piece []byte) int64 {
	if n := t.cache.long.find(piece); n >= 0 {
		return n
	}
	n := t.pieces.Count(piece)
	t.cache.long.keep(piece, n)
	return n
}

// Forget clears the cache of pieces, as if nothing had been counted.
func (t *Tokenizer) Forget() { t.cache.clear() }
