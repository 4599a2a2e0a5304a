package token

import "strings"

// A specialSet finds control strings in text.
type specialSet struct {
	texts []string // longest first
	first [256]bool
}

func newSpecialSet(texts []string) *specialSet {
	if len(texts) == 0 {
		return nil
	}
	s := &specialSet{texts: append([]string(nil), texts...)}
	for i := range s.texts { // few and once: insertion sort
		for j := i; j > 0 && len(s.texts[j]) > len(s.texts[j-1]); j-- {
			s.texts[j], s.texts[j-1] = s.texts[j-1], s.texts[j]
		}
	}
	for _, text := range s.texts {
		s.first[text[0]] = true
	}
	return s
}

// find returns where the first control string at or behind i begins and ends; both are the end of p when there is none.
func (s *specialSet) find(p []byte, i int) (begin, end int) {
	for ; i < len(p); i++ {
		if !s.first[p[i]] {
			continue
		}
		for _, text := range s.texts {
			if len(p)-i >= len(text) && string(p[i:i+len(text)]) == text {
				return i, i + len(text)
			}
		}
	}
	return len(p), len(p)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
