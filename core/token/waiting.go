// Copyright The ctx-lsp authors. MIT licence.

package token

// waiting are the short pieces that have not been seen before. They wait for each other: whether they are tokens is looked up for many
// of them at once, so that memory, which is larger than the near caches, is waited for once and not for each.
type waiting struct {
	keys    [waitingMax]pieceKey
	digests [waitingMax]uint64
	slots   [waitingMax]uint32
	n       int
	asked   entry // a place for what is read only to have its memory come; nobody looks at it
	bytes   [16]byte
}

const waitingMax = 16

// unseen counts a piece that is not remembered. It may be counted later, together with others: settle must be called.
func (t *Tokenizer) unseen(key pieceKey) int64 {
	w := &t.wait
	w.keys[w.n%waitingMax] = key
	if w.n++; w.n < waitingMax {
		return 0
	}
	return t.settle()
}

// settle answers for all that wait: those that are tokens, and the others, which it has merged. It is exact to look a piece
// up as a whole because merging makes of every token's bytes that token, which Load takes from the way a pack of levels is
// made: a token is nothing but the result of its merges.
func (t *Tokenizer) settle() int64 {
	w, v := &t.wait, t.v
	keys := w.keys[:w.n]
	w.n = 0
	known := v.byText()
	if known {
		for i, key := range keys {
			digest := key.digest()
			w.digests[i] = digest
			w.slots[i] = v.slots[v.bucket(digest)&uint64(len(v.slots)-1)]
		}
		for i := range keys {
			w.asked |= v.merges[w.slots[i]>>slotTag]
		}
	}
	total := int64(0)
	for i, key := range keys {
		n, seen := t.cache.find(key)
		if !seen { // else the same piece has waited twice
			n = 1
			if isText := key.isText(); !known || !isText || key.size() > 1 && !v.isToken(key, w.digests[i]) {
				w.bytes = key.bytes()
				piece := w.bytes[:key.size()]
				if !isText {
					piece = t.merger.valid(piece)
				}
				n = t.merger.count(piece)
			}
			t.cache.add(key, n)
		}
		total += n
	}
	return total
}
