// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// Every token's own bytes are one token again, on the path of short pieces, from characters or bytes.
func TestEveryTokenIsOneToken(t *testing.T) {
	for encoding, name := range map[string]string{"o200k_base": "o200k_base", "cl100k_base": "cl100k_base", "p50k_base": "p50k_base", "r50k_base": "r50k_base"} {
		file, err := assets.Assets.ReadFile(name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		ranks, err := vocabulary.ParseRanks(file)
		if err != nil {
			t.Fatal(err)
		}
		counting := open(t, encoding)
		for text := range ranks {
			if n := token.MergedForTest(counting, []byte(text)); n != 1 {
				t.Fatalf("%s: the token %q is %d tokens", encoding, text, n)
			}
		}
	}
}
