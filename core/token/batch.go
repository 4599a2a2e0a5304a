// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// A batch is the short pieces that have not been seen before and wait for each other: whether they are tokens is looked
// up for many of them at once, so that memory, which is larger than the near caches, is waited for once and not for
// each. The first passes of make bench-tokens show what that gains.
type batch struct {
	keys [batchMax]pieces.Key
	n    int
}

const batchMax = 16

// countLater counts a piece that is not remembered, at once or together with others: countBatch must be called in the
// end.
func (t *Tokenizer) countLater(key pieces.Key) int64 {
	b := &t.batch
	b.keys[b.n%batchMax] = key
	if b.n++; b.n < batchMax {
		return 0
	}
	return t.countBatch()
}

// countBatch counts all that wait.
func (t *Tokenizer) countBatch() int64 {
	keys := t.batch.keys[:t.batch.n]
	t.batch.n = 0
	if len(keys) == 0 {
		return 0
	}
	t.pieces.Prepare(keys)
	total := int64(0)
	for i, key := range keys {
		n, seen := t.cache.find(key)
		if !seen { // else the same piece has waited twice
			n = t.pieces.CountPrepared(i)
			t.cache.add(key, n)
		}
		total += n
	}
	return total
}
