// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
)

// characterLevels are merges of characters in levels. All are looked up by their parts.
type characterLevels struct{ levels }

func readCharacterLevels(v *Merges, r *packed.Reader) *characterLevels {
	k := &characterLevels{}
	k.read(v, r, k)
	return k
}

func (k *characterLevels) begin(v *Merges) { v.merges = make([]entry, len(v.entries)) }

func (k *characterLevels) measure(v *Merges, s *newMerges) bool {
	for i, parts := range s.parts[:s.n] {
		size := v.entries[parts.left].size() + v.entries[parts.right].size()
		if size >= packed.MaxTokenSize {
			return false
		}
		id := s.id + uint32(i)
		v.entries[id] = pairEntry(size, parts.left, parts.right)
		v.merges[id], s.hashes[i] = keyOfPair(parts.left, parts.right)
	}
	return true
}

func (k *characterLevels) note(*Merges, *newMerges) {}

func (k *characterLevels) byText() bool { return false }

func (k *characterLevels) start(v *Merges, s *startSymbols, padded []byte) {
	s.characters(&v.letters, padded[:len(padded)-padding])
}

func (k *characterLevels) key(_ *Merges, left, right uint32) (entry, uint64) {
	return keyOfPair(left, right)
}
