// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"strconv"
	"unsafe"
)

// A Tokenizer counts the tokens of texts in one encoding. It remembers pieces of text that it has seen, so one
// goroutine at a time may use it; a Vocabulary may serve many tokenizers.
type Tokenizer struct {
	encoding Encoding
	v        *Vocabulary
	next     scanner
	merger   *merger
	cache    pieceCache
	wait     waiting
	fresh    bool        // nothing has been counted
	added    *specialSet // strings that are one token wherever they stand
	controls *specialSet // the same and the control strings, for texts that may hold them
	special  bool
	spaced   bool            // some of controls go across what else would come apart
	composed []byte          // text in form C, where it was not
	whole    bool            // no place of a text is surely between two pieces
	free     bool            // no normalizer and no string of many pieces that is one token
	quick    *quickRules     // nil if there is no quick path
	tail     [viewBytes]byte // the end of a text
}

// New returns a tokenizer for an encoding. The vocabulary is the one that the encoding names.
func New(e Encoding, v *Vocabulary) *Tokenizer {
	t := &Tokenizer{
		encoding: e,
		v:        v,
		next:     v.findScanner(),
		merger:   newMerger(v),
		cache:    newPieceCache(),
		fresh:    true,
		added:    newSpecialSet(v.added),
		quick:    v.quickRules(),
	}
	t.whole = v.scanner == unsplit && v.seams == nil
	t.whole = t.whole || v.spaced(v.added)
	t.free = v.scanner != unsplit && v.normalizer == "" && t.added == nil
	return t
}

// Encoding returns the encoding that the tokenizer counts in.
func (t *Tokenizer) Encoding() Encoding { return t.encoding }

// AllowSpecial sets whether control strings such as <|endoftext|> are one token each. At first they are not: in the
// text of a conversation they are text.
func (t *Tokenizer) AllowSpecial(allow bool) {
	t.special = allow
	if allow && t.controls == nil {
		texts := append(splitLines(t.encoding.Specials), t.v.specials...)
		for n := t.encoding.reserved[0]; n < t.encoding.reserved[1]; n++ {
			texts = append(texts, "<|reserved_"+strconv.Itoa(n)+"|>")
		}
		texts = append(texts, t.v.added...)
		t.controls, t.spaced = newSpecialSet(texts), t.v.spaced(texts)
	}
}

// Count returns how many tokens the text has. What is not UTF-8 counts as U+FFFD, a character for each longest piece
// of a broken sequence.
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

// CountString is Count for a string.
func (t *Tokenizer) CountString(text string) int64 {
	return t.Count(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// longText is how many bytes have pieces enough to fill a cache.
const longText = 1 << 15

// plain counts text without control strings.
func (t *Tokenizer) plain(text []byte) int64 {
	if c := t.v.composer; c != nil && !c.isComposed(text) {
		t.composed = c.compose(t.composed[:0], text)
		text = t.composed
	}
	if t.fresh && len(text) >= longText {
		t.cache.own()
		t.merger.short.pairs.own()
	}
	t.fresh = false
	var total int64
	useless, rest := 0, 0 // the more often the quick path has found nothing, the longer it rests
	for i := 0; i < len(text); {
		if t.quick != nil && rest == 0 {
			end, n := t.quickly(text, i)
			total += n
			if end == len(text) {
				break
			}
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
	return total + t.settle()
}

// piece counts the piece of text between two borders.
func (t *Tokenizer) piece(text []byte, begin, end int) int64 {
	n := end - begin
	switch {
	case n <= shortPieceMax:
		return t.shortPiece(pieceKeyOf(text, begin, end))
	case n <= storedPieceMax:
		return t.longPiece(text[begin:end])
	}
	return t.merger.count(text[begin:end])
}

func (t *Tokenizer) shortPiece(key pieceKey) int64 {
	if n, ok := t.cache.find(key); ok {
		return n
	}
	return t.unseen(key)
}

func (t *Tokenizer) longPiece(piece []byte) int64 {
	if n := t.cache.long.find(piece); n >= 0 {
		return n
	}
	n := t.merger.count(piece)
	t.cache.long.keep(piece, n)
	return n
}

// Forget empties the memory of pieces, as if nothing had been counted.
func (t *Tokenizer) Forget() { t.cache.clear() }
