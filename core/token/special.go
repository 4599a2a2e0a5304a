package token

// A specialSet finds control strings in text, the longest of those that begin at the same place.
type specialSet struct {
	set     *stringSet
	lengths [256][]uint16 // by first byte: how long the strings are, the longest first
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

// insertLength keeps lengths falling, each there once.
func insertLength(lengths []uint16, n uint16) []uint16 {
	at := 0
	for at < len(lengths) && lengths[at] > n {
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
		for _, n := range s.lengths[p[i]] {
			if end := i + int(n); end <= len(p) && s.set.has(p[i:end]) {
				return i, end
			}
		}
	}
	return len(p), len(p)
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
