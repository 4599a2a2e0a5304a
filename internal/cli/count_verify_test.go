// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"math/rand/v2"
	"testing"
	"time"

	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// TestTheOracleHasTheTokensOfTheRankFiles checks that a pack gives tiktoken-go the same tokens as the published file.
func TestTheOracleHasTheTokensOfTheRankFiles(t *testing.T) {
	for _, name := range []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"} {
		want, err := loader.NewOfflineLoader().LoadTiktokenBpe("https://example.org/" + name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		got, err := packRanks{}.LoadTiktokenBpe("https://example.org/" + name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d tokens, want %d", name, len(got), len(want))
		}
		for text := range want {
			if _, ok := got[text]; !ok {
				t.Fatalf("%s: the token %q is missing", name, text)
			}
		}
	}
	if _, err := (packRanks{}).LoadTiktokenBpe("https://example.org/other_base.tiktoken"); err == nil {
		t.Error("a vocabulary that does not exist was loaded")
	}
}

// TestTheOracleCountsRandomText compares both tokenizers on texts whose pieces are long enough to compete for merges.
func TestTheOracleCountsRandomText(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	alphabets := []string{"abcdefghijklmnopqrstuvwxyz", "etaoinshr", "aA ", "{}()[];=+-*/<>.,\n\t ", "0123456789 .", "äöüßéèê", "日本語中文字", "абвгдежз"}
	for _, name := range []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"} {
		count, err := oracle(name)
		if err != nil {
			t.Fatal(err)
		}
		encoding, _ := token.Find(name)
		bytes, _ := assets.Pack(encoding.Vocabulary)
		vocabulary, err := token.Load(bytes)
		if err != nil {
			t.Fatal(err)
		}
		ours := token.New(encoding, vocabulary)
		for range 2000 {
			letters := []rune(alphabets[random.IntN(len(alphabets))])
			text := make([]rune, 1+random.IntN(60))
			for i := range text {
				text[i] = letters[random.IntN(len(letters))]
			}
			if got, want := count([]byte(string(text))), ours.Count([]byte(string(text))); got != want {
				t.Fatalf("seed %d, %s: tiktoken-go counts %d, and ctx-lsp %d: %q", seed, name, got, want, string(text))
			}
		}
	}
}
