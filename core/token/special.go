// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/stringset"
)

// A specialSet finds control strings in text, the longest first if several begin at the same offset.
type specialSet struct {
	set     *stringset.Set
	lengths [256][]uint16 // sorted lengths of the strings, by first byte
}

func newSpecialSet(texts []string) *specialSet {
	if len(texts) == 0 {
		return nil
	}
	s := &specialSet{set: stringset.New(texts)}
	for _, text := range texts {
		s.lengths[text[0]] = append(s.lengths[text[0]], uint16(len(text)))
	}
	for i, lengths := range s.lengths {
		slices.Sort(lengths)
		s.lengths[i] = slices.Compact(lengths)
	}
	return s
}

// find returns the start and end of the first control string at or after i; both are the end of p if there is none.
func (s *specialSet) find(p []byte, i int) (begin, end int) {
	for ; i < len(p); i++ {
		hash, size, longest := stringset.EmptyHash, 0, 0
		for _, n := range s.lengths[p[i]] {
			if i+int(n) > len(p) {
				break
			}
			for ; size < int(n); size++ {
				hash = stringset.HashByte(hash, p[i+size])
			}
			if s.set.HasHashed(p[i:i+size], hash) {
				longest = size
			}
		}
		if longest > 0 {
			return i, i + longest
		}
	}
	return len(p), len(p)
}

// haveSpaces reports whether any of the strings contains a character where texts can be cut.
func (v *Vocabulary) haveSpaces(texts []string) bool {
	for _, text := range texts {
		for i := range len(text) {
			if text[i] == ' ' || text[i] == '\n' && v.crossings == nil {
				return true
			}
		}
	}
	return false
}
