// Copyright The ctx-lsp authors. MIT licence.

// Package stringset finds byte strings without allocating.
package stringset

// A Set finds byte strings without allocating. A nil Set is empty.
type Set struct {
	slots   []uint32 // open addressing: index into texts, plus one
	texts   []string
	longest int
	crowded bool // too many strings have the same hash, so not all are in the set
}

// New returns a set of strings, or nil if there are none.
func New(texts []string) *Set {
	if len(texts) == 0 {
		return nil
	}
	size := 4
	for size < 2*len(texts) {
		size *= 2
	}
	s := &Set{slots: make([]uint32, size), texts: texts}
	for i, text := range texts {
		s.longest = max(s.longest, len(text))
		at := hashText(text)
		for last := at + MaxProbes; s.slots[at&uint32(size-1)] != 0; at++ {
			if at == last {
				s.crowded = true
				return s
			}
		}
		s.slots[at&uint32(size-1)] = uint32(i) + 1
	}
	return s
}

// MaxProbes is the maximum number of probes; only keys made to collide need more.
const MaxProbes = 1000

// TooAlike reports whether the set is incomplete because too many strings have the same hash.
func (s *Set) TooAlike() bool { return s != nil && s.crowded }

// Len returns the number of strings.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.texts)
}

// Has reports whether the set contains a string.
func (s *Set) Has(text []byte) bool {
	return s != nil && len(text) <= s.longest && s.HasHashed(text, hashText(text))
}

// HasHashed does the same as Has for a text with a known hash. The set must not be nil.
func (s *Set) HasHashed(text []byte, at uint32) bool {
	mask := uint32(len(s.slots) - 1)
	for ; s.slots[at&mask] != 0; at++ {
		if s.texts[s.slots[at&mask]-1] == string(text) {
			return true
		}
	}
	return false
}

func hashText[T string | []byte](text T) uint32 {
	h := EmptyHash
	for i := range len(text) {
		h = HashByte(h, text[i])
	}
	return h
}

// EmptyHash is the hash of an empty text.
const EmptyHash = uint32(2166136261)

// HashByte returns the hash of a text with another byte appended.
func HashByte(h uint32, b byte) uint32 { return (h ^ uint32(b)) * 16777619 }
