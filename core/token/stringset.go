// Copyright The ctx-lsp authors. MIT licence.

package token

// A stringSet finds byte strings without allocating.
type stringSet struct {
	slots   []uint32 // open addressing: index into texts, plus one
	texts   []string
	longest int
	crowded bool // too many of the strings have the same hash: not all are in it
}

func newStringSet(texts []string) *stringSet {
	if len(texts) == 0 {
		return nil
	}
	size := 4
	for size < 2*len(texts) {
		size *= 2
	}
	s := &stringSet{slots: make([]uint32, size), texts: texts}
	for i, text := range texts {
		s.longest = max(s.longest, len(text))
		at := hashText(text)
		for last := at + probesMax; s.slots[at&uint32(size-1)] != 0; at++ {
			if at == last {
				s.crowded = true
				return s
			}
		}
		s.slots[at&uint32(size-1)] = uint32(i) + 1
	}
	return s
}

// probesMax is how far from where it belongs something may be in a table. It is not by chance that it is further.
const probesMax = 1000

func (s *stringSet) len() int {
	if s == nil {
		return 0
	}
	return len(s.texts)
}

func (s *stringSet) has(text []byte) bool {
	return s != nil && len(text) <= s.longest && s.hasHashed(text, hashText(text))
}

// hasHashed is has for a text of which the hash is known.
func (s *stringSet) hasHashed(text []byte, at uint32) bool {
	mask := uint32(len(s.slots) - 1)
	for ; s.slots[at&mask] != 0; at++ {
		if s.texts[s.slots[at&mask]-1] == string(text) {
			return true
		}
	}
	return false
}

func hashText[T string | []byte](text T) uint32 {
	h := emptyHash
	for i := range len(text) {
		h = hashByte(h, text[i])
	}
	return h
}

const emptyHash = uint32(2166136261)

func hashByte(h uint32, b byte) uint32 { return (h ^ uint32(b)) * 16777619 }
