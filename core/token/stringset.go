package token

// A stringSet finds byte strings without allocating.
type stringSet struct {
	slots   []uint32 // open addressing: index into texts, plus one
	texts   []string
	longest int
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
		at := hashText(text) & uint32(size-1)
		for s.slots[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		s.slots[at] = uint32(i) + 1
	}
	return s
}

func (s *stringSet) len() int {
	if s == nil {
		return 0
	}
	return len(s.texts)
}

func (s *stringSet) has(text []byte) bool {
	if s == nil || len(text) > s.longest {
		return false
	}
	at := hashText(text) & uint32(len(s.slots)-1)
	for s.slots[at] != 0 {
		if s.texts[s.slots[at]-1] == string(text) {
			return true
		}
		at = (at + 1) & uint32(len(s.slots)-1)
	}
	return false
}

func hashText[T string | []byte](text T) uint32 {
	h := uint32(2166136261)
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h
}
