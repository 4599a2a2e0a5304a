// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"math/rand/v2"
	"testing"
	"unicode/utf16"
)

// TestUnitsAreThoseOfJavaScript compares with the UTF-16 of random texts.
func TestUnitsAreThoseOfJavaScript(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	characters := []rune("abc \n\x00\x7fßé\u07ff\u0800漢字\uffee🎉𐀀\U0010ffff")
	for range 5000 {
		text := make([]rune, r.IntN(40))
		for i := range text {
			text[i] = characters[r.IntN(1+r.IntN(len(characters)))]
		}
		if got, want := units([]byte(string(text))), int64(len(utf16.Encode(text))); got != want {
			t.Fatalf("%q has %d units, want %d", string(text), got, want)
		}
	}
}
