// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// A batch collects short pieces that are not in the cache. They are looked up many at a time, so that the latency of
// main memory is paid once for all of them. The first passes of make bench-tokens show the gain.
type batch struct {
	keys [batchMax]pieces.Key
	n    int
}

const batchMax = 16

// countLater counts a piece that is not in the cache, at once or with a later batch: callers must call countBatch in
// the end.
func (t *Tokenizer) countLater(key pieces.Key) int64 {
	b := &t.batch
	b.keys[b.n%batchMax] = key
	if b.n++; b.n < batchMax {
		return 0
	}
	return t.countBatch()
}

// countBatch counts all pieces in the batch.
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
		if !seen { // otherwise the batch contains the same piece twice
			n = t.pieces.CountPrepared(i)
			t.cache.add(key, n)
		}
		total += n
	}
	return total
}
