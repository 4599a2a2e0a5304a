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
	added    *specialSet // strings that are one token wherever they stand
	controls *specialSet // the same and the control strings, for texts that may hold them
	special  bool
	composed []byte // text in form C, where it was not
	whole    bool   // no place of a text is surely between two pieces
	free     bool   // no normalizer and no string of many pieces that is one token
	quick    bool   // the scanner has a quick path for ASCII
	split    bool   // which tells capitals from small letters
}

// New returns a tokenizer for an encoding. The vocabulary is the one that the encoding names.
func New(e Encoding, v *Vocabulary) *Tokenizer {
	t := &Tokenizer{
		encoding: e,
		v:        v,
		next:     v.findScanner(),
		merger:   newMerger(v),
		cache:    newPieceCache(),
		added:    newSpecialSet(v.added),
		quick:    v.scanner == "o200k" || v.scanner == "cl100k",
		split:    v.scanner == "o200k",
	}
	t.whole = v.scanner == unsplit && v.seams == nil
	for _, text := range v.added {
		for i := range len(text) {
			t.whole = t.whole || text[i] == ' ' || text[i] == '\n' && v.scanner != unsplit
		}
	}
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
		t.controls = newSpecialSet(append(texts, t.v.added...))
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

// plain counts text without control strings.
func (t *Tokenizer) plain(text []byte) int64 {
	if c := t.v.composer; c != nil && !c.isComposed(text) {
		t.composed = c.compose(t.composed[:0], text)
		text = t.composed
	}
	var total int64
	for i := 0; i < len(text); {
		if t.quick {
			var n int64
			i, n = t.ascii(text, i, t.split)
			total += n
			if i == len(text) {
				break
			}
		}
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
		return t.shortPiece(low(wordAt(text, begin), n)|uint64(n)<<shortLength, text, begin, end)
	case n <= mediumPieceMax:
		return t.mediumPiece(wordAt(text, begin), low(wordAt(text, begin+8), n-8)|uint64(n)<<mediumLength, text, begin, end)
	case n <= longPieceMax:
		return t.longPiece(text, begin, end)
	case n <= hugePieceMax:
		return t.hugePiece(text[begin:end])
	}
	return t.merger.count(text[begin:end])
}

func (t *Tokenizer) shortPiece(key uint64, text []byte, begin, end int) int64 {
	slot := &t.cache.short[hashShort(key)]
	if (*slot^key)&^countMask == 0 {
		return int64(*slot >> shortCount & 15)
	}
	return t.unseen(pieceText{key & entryText, key &^ entryText})
}

func (t *Tokenizer) mediumPiece(a, b uint64, text []byte, begin, end int) int64 {
	slot := &t.cache.medium[hashMedium(a, b)]
	if slot.a == a && (slot.b^b)&^countMask == 0 {
		return int64(slot.b >> mediumCount & 15)
	}
	return t.unseen(pieceText{a, b})
}

func (t *Tokenizer) longPiece(text []byte, begin, end int) int64 {
	key := newLongKey(text, begin, end-begin)
	slot := &t.cache.long[key.hash()]
	if slot.a == key.a && slot.b == key.b && slot.c == key.c && (slot.d^key.d)&^longCountMask == 0 {
		return int64(slot.d >> longCount & 255)
	}
	return t.merge(text[begin:end])
}

func (t *Tokenizer) hugePiece(piece []byte) int64 {
	slot := t.cache.slot(piece)
	if slot.is(piece) {
		return int64(slot.count)
	}
	return t.merge(piece)
}

// Forget empties the memory of pieces, as if nothing had been counted.
func (t *Tokenizer) Forget() { t.cache.clear() }
