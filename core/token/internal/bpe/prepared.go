// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// prepared contains short pieces whose index entries have been prefetched.
type prepared struct {
	keys    []pieces.Key
	digests [preparedMax]uint64
	slots   [preparedMax]uint32
	sink    entry // result of reads that only prefetch cache lines
	bytes   [16]byte
}

// preparedMax is the maximum number of keys for Prepare.
const preparedMax = 16

// Prepare prefetches the index entries of some pieces in parallel. CountPrepared must be called before the keys change.
// The first passes of make bench-tokens show the gain.
func (m *Merger) Prepare(keys []pieces.Key) {
	p, v := &m.prepared, m.v
	p.keys = keys
	if !m.short.byText {
		return
	}
	for i, key := range keys {
		digest := key.Digest()
		p.digests[i%preparedMax] = digest
		p.slots[i%preparedMax] = v.slots[v.bucket(digest)&uint64(len(v.slots)-1)]
	}
	for i := range keys {
		p.sink |= v.merges[p.slots[i%preparedMax]>>slotTag]
	}
}

// CountPrepared counts the i-th piece. Looking up a piece as a whole is exact because merging the bytes of any token
// gives that token. That follows from the format of levels: every token is the result of its merges.
func (m *Merger) CountPrepared(i int) int64 {
	p := &m.prepared
	key := p.keys[i]
	isText := key.IsText()
	if isText && m.short.byText && (key.Size() == 1 || m.v.isToken(key, p.digests[i%preparedMax])) {
		return 1
	}
	p.bytes = key.Bytes()
	piece := p.bytes[:key.Size()]
	if !isText {
		piece = m.Valid(piece)
	}
	return m.Count(piece)
}
