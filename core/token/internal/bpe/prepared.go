// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// prepared are short pieces of which the places in the index have been read ahead.
type prepared struct {
	keys    []pieces.Key
	digests [preparedMax]uint64
	slots   [preparedMax]uint32
	sink    entry // of reads whose only purpose is to bring their cache lines in early
	bytes   [16]byte
}

// preparedMax is how many keys Prepare looks up at once.
const preparedMax = 16

// Prepare reads the places in the index of some pieces, so that their memory comes side by side. CountPrepared must be
// called before the keys change. The first passes of make bench-tokens show what that gains.
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

// CountPrepared counts the i-th piece. It is exact to look a piece up as a whole because merging makes of every token's
// bytes that token, which follows from the way a pack of levels is made: a token is nothing but the result of its
// merges.
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
