// Copyright The ctx-lsp authors. MIT licence.

package token

// A specialSet finds control strings in text, the longest of those that begin at the same place.
type specialSet struct {
	set     *stringSet
	lengths [256][]uint16 // by first byte: how long the strings are, rising
}

func newSpecialSet(texts []string) *specialSet {
	if len(texts) == 0 {
		return nil
	}
	s := &specialSet{set: newStringSet(texts)}
	for _, text := range texts {
		s.lengths[text[0]] = insertLength(s.lengths[text[0]], uint16(len(text)))
	}
	return s
}

// insertLength keeps lengths rising, each there once.
func insertLength(lengths []uint16, n uint16) []uint16 {
	at := 0
	for at < len(lengths) && lengths[at] < n {
		at++
	}
	if at < len(lengths) && lengths[at] == n {
		return lengths
	}
	lengths = append(lengths, 0)
	copy(lengths[at+1:], lengths[at:])
	lengths[at] = n
	return lengths
}

// find returns where the first control string at or behind i begins and ends; both are the end of p when there is none.
func (s *specialSet) find(p []byte, i int) (begin, end int) {
	for ; i < len(p); i++ {
		hash, size, longest := emptyHash, 0, 0
		for _, n := range s.lengths[p[i]] {
			if i+int(n) > len(p) {
				break
			}
			for ; size < int(n); size++ {
				hash = hashByte(hash, p[i+size])
			}
			if s.set.hasHashed(p[i:i+size], hash) {
				longest = size
			}
		}
		if longest > 0 {
			return i, i + longest
		}
	}
	return len(p), len(p)
}

// spaced tells whether some strings have in them what texts come apart at.
func (v *Vocabulary) spaced(texts []string) bool {
	for _, text := range texts {
		for i := range len(text) {
			if text[i] == ' ' || text[i] == '\n' && v.scanner != unsplit {
				return true
			}
		}
	}
	return false
}

// splitLines lists the lines of a text.
func splitLines(text string) []string {
	var lines []string
	begin := 0
	for i := range len(text) + 1 {
		if i == len(text) || text[i] == '\n' {
			if i > begin {
				lines = append(lines, text[begin:i])
			}
			begin = i + 1
		}
	}
	return lines
}
