package token

import "unsafe"

// A Tokenizer counts the tokens of texts in one encoding. It remembers pieces of text that it has seen, so one
// goroutine at a time may use it; a Vocabulary may serve many tokenizers.
type Tokenizer struct {
	encoding Encoding
	v        *Vocabulary
	next     scanner
	merger   *merger
	specials *specialSet
	added    *specialSet
}

// New returns a tokenizer for an encoding. The vocabulary is the one the encoding names.
func New(e Encoding, v *Vocabulary) *Tokenizer {
	return &Tokenizer{encoding: e, v: v, next: findScanner(v.scanner), merger: newMerger(v)}
}

// Encoding returns the encoding that the tokenizer counts in.
func (t *Tokenizer) Encoding() Encoding { return t.encoding }

// Count returns how many tokens the text has. Control strings such as <|endoftext|> count as the text they are.
func (t *Tokenizer) Count(text []byte) int64 {
	var total int64
	for i := 0; i < len(text); {
		end := t.next(text, i)
		total += t.piece(text[i:end])
		i = end
	}
	return total
}

// CountString is Count for a string.
func (t *Tokenizer) CountString(text string) int64 {
	return t.Count(unsafe.Slice(unsafe.StringData(text), len(text)))
}

func (t *Tokenizer) piece(piece []byte) int64 {
	n, _ := t.merger.cutAll(piece, 0, nil, false)
	return n
}
