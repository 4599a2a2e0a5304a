// Copyright The ctx-lsp authors. MIT licence.

package assets_test

import (
	"bytes"
	"testing"

	ranks "github.com/pkoukk/tiktoken-go-loader/assets"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

var published = []struct{ name, file, scanner string }{
	{"o200k", "o200k_base.tiktoken", "o200k"},
	{"cl100k", "cl100k_base.tiktoken", "cl100k"},
	{"p50k", "p50k_base.tiktoken", "gpt2"},
	{"r50k", "r50k_base.tiktoken", "gpt2"},
}

func source(t *testing.T, file, name, scanner string) *vocabulary.Source {
	t.Helper()
	text, err := ranks.Assets.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ranks, err := vocabulary.ParseRanks(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ranks.Source(name, scanner)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPacksKeepTheOrderOfAllMergesThatCompete checks two properties of the order of merges in a pack on which the proof
// in docs/tokens.md relies: parts come before wholes, and two merges that can compete for the token between them, (x,b)
// and (b,y), come in the order of their ranks. It checks every token and every pair of merges of the published
// vocabularies.
func TestPacksKeepTheOrderOfAllMergesThatCompete(t *testing.T) {
	for _, v := range published {
		ranked := source(t, v.file, v.name, v.scanner)
		if len(ranked.Whole) > 0 {
			t.Errorf("%s: %d tokens cannot be reached by merging", v.name, len(ranked.Whole))
		}
		labelled := source(t, v.file, v.name, v.scanner)
		if err := labelled.Level(); err != nil {
			t.Fatal(err)
		}
		// Both lists of merges make the same tokens from the same parts.
		rankText, labelText := texts(ranked), texts(labelled)
		label := make(map[string]int, len(labelText))
		for id, text := range labelText {
			if _, again := label[text]; again {
				t.Fatalf("%s: %q is made twice", v.name, text)
			}
			label[text] = id
		}
		newOf := make([]int, len(rankText)) // label by rank order
		for id, text := range rankText {
			at, ok := label[text]
			if !ok {
				t.Fatalf("%s: %q is not made", v.name, text)
			}
			newOf[id] = at
		}
		for i, m := range ranked.Merges {
			l := labelled.Merges[newOf[256+i]-256]
			if int(l.Left) != newOf[m.Left] || int(l.Right) != newOf[m.Right] {
				t.Fatalf("%s: %q is made of other parts", v.name, rankText[256+i])
			}
			if l.Left >= uint32(newOf[256+i]) || l.Right >= uint32(newOf[256+i]) {
				t.Fatalf("%s: %q comes before its parts", v.name, rankText[256+i])
			}
		}
		// For each middle b, walk the merges (x,b) and (b,y) by rank: none may have a smaller label than the largest
		// label of the other kind so far. That compares every pair of them.
		lastEnding, lastBeginning := make([]int, len(rankText)), make([]int, len(rankText))
		compared := 0
		for i, m := range ranked.Merges {
			at := newOf[256+i]
			if lastBeginning[m.Right] > at {
				t.Fatalf("%s: %q goes before a merge that begins with its right part and has a lower rank", v.name, rankText[256+i])
			}
			if lastEnding[m.Left] > at {
				t.Fatalf("%s: %q goes before a merge that ends with its left part and has a lower rank", v.name, rankText[256+i])
			}
			lastEnding[m.Right] = max(lastEnding[m.Right], at)
			lastBeginning[m.Left] = max(lastBeginning[m.Left], at)
			compared++
		}
		t.Logf("%s: %d merges keep their order", v.name, compared)
	}
}

func texts(s *vocabulary.Source) []string {
	all := make([]string, 0, 256+len(s.Merges))
	for b := range 256 {
		all = append(all, string([]byte{byte(b)}))
	}
	for _, m := range s.Merges {
		all = append(all, all[m.Left]+all[m.Right])
	}
	return all
}

func TestEmbeddedPacksMatchTheRankFiles(t *testing.T) {
	for _, v := range published {
		want, err := source(t, v.file, v.name, v.scanner).Pack()
		if err != nil {
			t.Fatal(err)
		}
		got, ok := assets.Pack(v.name)
		if !ok || !bytes.Equal(got, want) {
			t.Errorf("%s: the embedded pack is not the one that the generator makes: run go generate ./internal/assets", v.name)
		}
	}
	if _, ok := assets.Pack("none"); ok {
		t.Error("there is a pack that nobody made")
	}
}

func TestPackSizes(t *testing.T) {
	for name, most := range map[string]int{"o200k": 660_000, "cl100k": 330_000, "p50k": 165_000, "r50k": 165_000} {
		if file, _ := assets.Pack(name); len(file) > most {
			t.Errorf("%s has %d bytes, more than %d", name, len(file), most)
		}
	}
}
