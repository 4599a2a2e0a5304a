// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// madeUp returns tokenizers for small vocabularies of the kinds that no embedded pack has, by kind.
func madeUp(t *testing.T) map[string]*token.Tokenizer {
	t.Helper()
	all := map[string]*token.Tokenizer{}
	add := func(kind string, pack []byte) {
		v, err := token.Load(pack)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		all[kind] = token.New(token.Encoding{Name: kind, Vocabulary: kind}, v)
	}
	for kind, s := range map[string]*vocabulary.Source{
		"composed":            {Scanner: "qwen2", Normalizer: "nfc"},
		"unsplit":             {Scanner: "none"},
		"unsplit, underlined": {Scanner: "none", Normalizer: "underline", Characters: []rune("abehint▁")},
		"unsplit, loose":      {Scanner: "none", Normalizer: "underline", Characters: []rune("abehintÀ▁"), Loose: []vocabulary.Loose{}},
	} {
		s.Name = kind
		id := map[string]uint32{}
		for b := range 256 {
			id[string([]byte{byte(b)})] = uint32(b)
		}
		for i, c := range s.Characters {
			id[string(c)] = 256 + uint32(i)
		}
		for _, m := range [][2]string{
			{"t", "h"}, {"th", "e"}, {"i", "n"}, {"\xc3", "\xa9"}, {"\xcc", "\x81"}, {"e", "\xcc\x81"}, {"a", "b"}, {" ", " "}, {"\xc3\xa9", "\xc3\xa9"}, {"1", "2"}, {"\n", "\n"}, {"À", "▁"},
		} {
			if _, known := id[m[0]]; !known {
				continue
			}
			result := 256 + uint32(len(s.Characters)+len(s.Merges)+len(s.Loose))
			if id[m[0]+m[1]] = result; s.Loose != nil {
				s.Loose = append(s.Loose, vocabulary.Loose{Left: id[m[0]], Right: id[m[1]], Result: result})
				s.Products++
			} else {
				s.Merges = append(s.Merges, vocabulary.Merge{Left: id[m[0]], Right: id[m[1]]})
			}
		}
		pack, err := s.Pack()
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		add(kind, pack)
	}
	text, err := os.ReadFile("../../testdata/vocabularies/pieces_v3.json")
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := vocabulary.ParseTiles(text)
	if err != nil {
		t.Fatal(err)
	}
	add("tiles", tiles.Pack("tiles"))
	return all
}

// composable returns a random text with characters that are composed from several.
func composable(r *rand.Rand, n int) []byte {
	parts := []string{"e\u0301", "é", "e", "\u0301", "\u0323", "the ", "in", "  ", "12", "\n\n", "한", "\u1112\u1161\u11ab", "か\u3099", "ab", ".", "\xff", "A\u030a", "中"}
	var text []byte
	for range n {
		text = append(text, parts[r.IntN(len(parts))]...)
	}
	return text
}

// TestVocabulariesOfEveryKindAgreeWithThemselves checks for each kind of vocabulary that boundaries, streams and edited
// counters count a text as Count does, and that a composing vocabulary counts the composed text.
func TestVocabulariesOfEveryKindAgreeWithThemselves(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for kind, counting := range madeUp(t) {
		for range 400 {
			text := composable(r, r.IntN(40))
			want := counting.Count(text)
			ends := counting.Boundaries(text, nil)
			if int64(len(ends)) != want || !slices.IsSorted(ends) || len(text) > 0 && ends[len(ends)-1] != len(text) {
				t.Fatalf("%s of %q: ends %v, %d tokens", kind, text, ends, want)
			}
			if before := counting.Boundaries(text, []int{7}); !slices.Equal(before[1:], ends) || before[0] != 7 {
				t.Fatalf("%s of %q: behind another end %v, alone %v", kind, text, before, ends)
			}
			stream := counting.NewStream()
			for rest := text; len(rest) > 0; {
				n := 1 + r.IntN(len(rest))
				_, _ = stream.Write(rest[:n])
				rest = rest[n:]
			}
			if got := stream.Tokens(); got != want {
				t.Fatalf("%s of %q: %d as a stream, %d at once", kind, text, got, want)
			}
			if kind == "composed" {
				if got := counting.Count(norm.NFC.Bytes(text)); got != want {
					t.Fatalf("%q: %d tokens, and %d composed", text, want, got)
				}
			}
		}
		counter := counting.NewCounter()
		for range 3 {
			var text []byte
			for edit := range 120 {
				add := composable(r, r.IntN(120))
				from := r.IntN(len(text) + 1)
				to := min(len(text), from+r.IntN(400))
				counter.Replace(from, to, add)
				text = slices.Concat(text[:from], add, text[to:])
				if got, want := counter.Tokens(), counting.Count(text); got != want || counter.Len() != len(text) {
					t.Fatalf("%s, edit %d: %d tokens in %d bytes, want %d in %d", kind, edit, got, counter.Len(), want, len(text))
				}
			}
			counter.Reset()
			if counter.Len() != 0 || counter.Tokens() != 0 {
				t.Fatalf("%s: %d tokens after a reset", kind, counter.Tokens())
			}
		}
	}
}

// TestATextWithoutAScannerIsMergedAsAWhole checks merges of spaces, and across spaces that are written as underlines.
func TestATextWithoutAScannerIsMergedAsAWhole(t *testing.T) {
	all := madeUp(t)
	for kind, counts := range map[string]map[string]int64{
		"unsplit":             {"the  in": 3, "À a": 4, "éé": 1, "ab in": 3},
		"unsplit, underlined": {"the  in": 4, "À a": 4, "ab in": 3},
		"unsplit, loose":      {"the  in": 4, "À a": 2, "À À ": 2, "ab in": 3},
	} {
		for text, want := range counts {
			if got := all[kind].CountString(text); got != want {
				t.Errorf("%s: %q has %d tokens, want %d", kind, text, got, want)
			}
		}
	}
}

// TestATokenEndsWhereItsCharactersDo checks the ends of tokens in a text that is composed before it is counted.
func TestATokenEndsWhereItsCharactersDo(t *testing.T) {
	counting := madeUp(t)["composed"]
	for text, want := range map[string][]int{
		"the":            {3},
		"e\u0301":        {3},
		"ae\u0301b":      {1, 4, 5},
		"the e\u0301":    {3, 4, 7},
		"é":              {2},
		"e\u0301the":     {3, 6},
		"\u0301":         {2},
		"e\u0301e\u0301": {6},
		"e\u0301中":       {3, 4, 5, 6}, // three tokens of a byte
		"中e\u0301":       {1, 2, 3, 6},
	} {
		if got := counting.Boundaries([]byte(text), nil); !slices.Equal(got, want) {
			t.Errorf("%q: the ends are %v, not %v", text, got, want)
		}
	}
}
