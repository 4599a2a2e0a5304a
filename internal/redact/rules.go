// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

// rules are the rules that a text may need: those with a word that it contains. Most texts need few of the hundred.
type rules struct {
	framed   []frame
	flags    []*flagged
	settings []string
	spoken   []int // indexes in spokenWords
}

// rulesFor returns the rules for a text in lower case.
func rulesFor(small string) (r rules) {
	pairs := pairsOf(small)
	contains := func(word string) bool { return pairs.mayContain(word) && strings.Contains(small, word) }
	for _, each := range framed {
		if contains(each.with) {
			r.framed = append(r.framed, each)
		}
	}
	for i := range flags {
		for _, word := range flags[i].with {
			if contains(word) {
				r.flags = append(r.flags, &flags[i])
				break
			}
		}
	}
	for _, word := range settingWords {
		if contains(word) {
			r.settings = append(r.settings, word)
		}
	}
	for i, word := range spokenWords {
		if contains(word) {
			r.spoken = append(r.spoken, i)
		}
	}
	return r
}

// pairs is the set of the pairs of bytes in a text. It excludes nearly all words that a short text does not contain,
// without a search for each (BenchmarkText, BenchmarkShortText).
type pairs [1 << 16 / 64]uint64

func pairsOf(text string) *pairs {
	p := new(pairs)
	for i := 1; i < len(text); i++ {
		n := uint(text[i-1])<<8 | uint(text[i])
		p[n/64] |= 1 << (n % 64)
	}
	return p
}

// mayContain reports whether a text with these pairs may contain a word.
func (p *pairs) mayContain(word string) bool {
	for i := 1; i < len(word); i++ {
		n := uint(word[i-1])<<8 | uint(word[i])
		if p[n/64]>>(n%64)&1 == 0 {
			return false
		}
	}
	return true
}

// lowered returns a text with the capital letters of ASCII in lower case. It keeps the length.
func lowered(text string) string {
	for i := 0; i < len(text); i++ {
		if upper(text[i]) {
			out := []byte(text)
			for ; i < len(out); i++ {
				if upper(out[i]) {
					out[i] += 'a' - 'A'
				}
			}
			return string(out)
		}
	}
	return text
}
