// Copyright The ctx-lsp authors. MIT licence.

package bpe_test

import (
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// The bytes of every token must be one token again, on the path for short pieces, from characters or bytes.
func TestEveryTokenIsOneToken(t *testing.T) {
	for _, encoding := range published {
		file, err := assets.Assets.ReadFile(encoding + "_base.tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		ranks, err := vocabulary.ParseRanks(file)
		if err != nil {
			t.Fatal(err)
		}
		merger := open(t, encoding)
		for text := range ranks {
			if n := merger.CutShort([]byte(text)); n != 1 {
				t.Fatalf("%s: the token %q is %d tokens", encoding, text, n)
			}
		}
	}
}
