// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// rules are the rules that a text may need: those with a word that it contains. Most texts need few of the hundred.
type rules struct {
	framed   []frame
	flags    []*flagged
	settings []string
	spoken   []int // indexes in spokenWords
	near     []int // indexes in near
}

// A word is a text that a rule needs: the rule's list, and its place there.
type word struct {
	text string
	list byte
	at   int16
}

// The lists of rules.
const (
	inFramed = iota
	inFlags
	inSettings
	inSpoken
	inNear
)

// wordsByPair are the words of all rules by a hash of their first two bytes, so that a text is searched once for all of
// them (BenchmarkText, BenchmarkShortText).
var wordsByPair = sync.OnceValue(func() *[pairsKept][]word {
	all := new([pairsKept][]word)
	add := func(text string, list byte, at int) {
		k := pairOf(text[0], text[1])
		all[k] = append(all[k], word{text, list, int16(at)})
	}
	for i := range framed {
		add(framed[i].with, inFramed, i)
	}
	for i := range flags {
		for _, text := range flags[i].with {
			add(text, inFlags, i)
		}
	}
	for i, text := range settingWords {
		add(text, inSettings, i)
	}
	for i, text := range spokenWords {
		add(text, inSpoken, i)
	}
	for i := range near {
		add(near[i].word, inNear, i)
	}
	return all
})

const pairsKept = 1 << 12

func pairOf(a, b byte) int { return (int(a)<<6 ^ int(b)) & (pairsKept - 1) }

// rulesFor returns the rules for a text in lower case.
func rulesFor(small string) (r rules) {
	var seen [5][8]uint64
	byPair := wordsByPair()
	for i := 1; i < len(small); i++ {
		for _, w := range byPair[pairOf(small[i-1], small[i])] {
			if bit := uint64(1) << (w.at % 64); seen[w.list][w.at/64]&bit == 0 && strings.HasPrefix(small[i-1:], w.text) {
				seen[w.list][w.at/64] |= bit
			}
		}
	}
	for list := range seen {
		for i, set := range seen[list] {
			for ; set != 0; set &= set - 1 {
				r.add(byte(list), i*64+bits.TrailingZeros64(set))
			}
		}
	}
	return r
}

// add adds the rule at a place of a list.
func (r *rules) add(list byte, at int) {
	switch list {
	case inFramed:
		r.framed = append(r.framed, framed[at])
	case inFlags:
		r.flags = append(r.flags, &flags[at])
	case inSettings:
		r.settings = append(r.settings, settingWords[at])
	case inSpoken:
		r.spoken = append(r.spoken, at)
	case inNear:
		r.near = append(r.near, at)
	}
}

// lowered returns a text in lower case. It keeps the length: the few letters that have another length stay.
func lowered(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; upper(c) || c >= 0xc3 && c <= 0xd5 {
			return lower8(text, i)
		}
	}
	return text
}

// lower8 is lowered for a text whose first i bytes are in lower case.
func lower8(text string, i int) string {
	out := []byte(text)
	for i < len(out) {
		c := out[i]
		switch {
		case c < 0x80:
			if upper(c) {
				out[i] += 'a' - 'A'
			}
			i++
		case c < 0xc3 || c > 0xd5:
			i++
		default:
			letter, size := utf8.DecodeRune(out[i:])
			if small := unicode.ToLower(letter); small != letter && utf8.RuneLen(small) == size {
				utf8.EncodeRune(out[i:], small)
			}
			i += size
		}
	}
	return string(out)
}
