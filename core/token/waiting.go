package token

import "unicode/utf8"

// waiting are the pieces of up to keyedMax bytes that have not been seen before. They wait for each other: whether they are tokens
// is looked up for many of them at once, so that memory, which is larger than the near caches, is waited for once and not for each.
type waiting struct {
	keys   [waitingMax]pieceText
	hashes [waitingMax]uint64
	slots  [waitingMax]uint32
	n      int
	asked  uint64 // nothing but what was there while memory was asked for
	bytes  [16]byte
}

const waitingMax = 16

// unseen takes a piece of up to keyedMax bytes by its key. It answers for those that waited, if there are enough of them.
func (t *Tokenizer) unseen(key pieceText) int64 {
	w := &t.wait
	w.keys[w.n%waitingMax] = key
	if w.n++; w.n < waitingMax {
		return 0
	}
	return t.settle()
}

// settle answers for all that wait: those that are tokens, and the others, which it has merged. It is exact to look a piece up as a whole because
// merging makes of every token's bytes that token, which Load takes from the way a pack of levels is made: a token is
// nothing but the result of its merges.
func (t *Tokenizer) settle() int64 {
	w, v := &t.wait, t.v
	keys := w.keys[:w.n]
	w.n = 0
	total := int64(0)
	if v.results != nil || v.characters != nil {
		for _, key := range keys {
			total += t.merge(w.text(key))
		}
		return total
	}
	for i, key := range keys {
		hash := key.hash()
		w.hashes[i] = hash
		w.slots[i] = v.slots[v.bucket(hash)&uint64(len(v.slots)-1)]
	}
	for i := range keys {
		w.asked |= uint64(v.merges[w.slots[i]>>slotTag])
	}
	for i, key := range keys {
		text := w.text(key)
		switch {
		case (key.a|key.b&entryText)&highBits != 0 && !utf8.Valid(text),
			len(text) > 1 && (v.may(w.hashes[i]) == 0 || !v.isToken(key, w.hashes[i])):
			total += t.merge(text)
		default:
			t.remember(text, 1)
			total++
		}
	}
	return total
}

// text writes a key as the bytes that it was made of.
func (w *waiting) text(key pieceText) []byte {
	for i := range 8 {
		w.bytes[i] = byte(key.a >> (8 * i))
		w.bytes[i+8] = byte(key.b >> (8 * i))
	}
	return w.bytes[:key.b>>entryLength]
}

// merge counts a piece that is not known to be a token.
func (t *Tokenizer) merge(piece []byte) int64 {
	n := t.merger.count(piece)
	t.remember(piece, n)
	return n
}
