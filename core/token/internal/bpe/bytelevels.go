// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// byteLevels are merges of bytes in levels, the format of the public encodings. Among all pairs with the same bytes,
// only that of the merge ever occurs, so merges of up to pieces.MaxShort bytes are looked up by the bytes that they
// make (docs/tokens.md).
type byteLevels struct {
	levels
	exceptions *splitExceptions
	atoms      *[1 << 16]uint32 // results of atom by character, below U+10000; 0 if not computed yet
}

func readByteLevels(v *Merges, r *packed.Reader) *byteLevels {
	k := &byteLevels{}
	k.read(v, r, k)
	return k
}

func (k *byteLevels) begin(v *Merges) {
	v.merges = v.entries
	k.exceptions = newSplitExceptions(len(v.entries))
	k.atoms = new([1 << 16]uint32)
}

func (k *byteLevels) measure(v *Merges, s *newMerges) bool {
	entries := v.entries
	for i, parts := range s.parts[:s.n] {
		s.sides[i] = [2]entry{entries[parts.left], entries[parts.right]}
	}
	made := entries[s.id:][:s.n]
	for i := range made {
		i &= mergesAtOnce - 1
		parts := s.parts[i]
		left, right := s.sides[i][0], s.sides[i][1]
		n := left.size()
		size := n + right.size()
		if size >= packed.MaxTokenSize {
			return false
		}
		want := pairEntry(size, parts.left, parts.right)
		if size > pieces.MaxShort {
			made[i] = want
			s.hashes[i] = want.digest()
			continue
		}
		a, b := uint64(left&entryText), uint64(right&entryText)
		key := pieces.Key{A: a | b<<(n*8&63), B: b >> 1 >> ((63 - n*8) & 63)}
		if (left|right)&wideEntry != 0 {
			key = v.text(parts.left).Followed(uint(n), v.text(parts.right))
		}
		key.B |= uint64(size) << pieces.LengthAt
		if size <= shortEntryMax {
			want = entry(key.A | key.B)
		}
		made[i] = want
		s.hashes[i] = key.Digest()
	}
	return true
}

func (k *byteLevels) note(v *Merges, s *newMerges) {
	for i, parts := range s.parts[:s.n] {
		if k.exceptions.mayBe(parts) != 0 {
			k.exceptions.note(v, s.id+uint32(i), parts)
		}
	}
}

func (k *byteLevels) byText() bool { return true }

func (k *byteLevels) start(v *Merges, s *startSymbols, padded []byte) {
	k.startFromCharacters(v, s, padded)
	s.end(len(padded) - padding)
}

func (k *byteLevels) key(v *Merges, left, right uint32) (entry, uint64) {
	size := v.entries[left].size() + v.entries[right].size()
	want := pairEntry(size, left, right)
	if size > pieces.MaxShort {
		return want, want.digest()
	}
	key := v.text(left).Followed(uint(v.entries[left].size()), v.text(right))
	key.B |= uint64(size) << pieces.LengthAt
	if size <= shortEntryMax {
		want = entry(key.A | key.B)
	}
	return want, key.Digest()
}
