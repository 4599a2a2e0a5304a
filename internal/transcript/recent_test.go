// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTheLastMarkIsFoundAtAnyPosition compares the search from the end with the library's, including marks that
// cross two steps, overlap themselves or are longer than the text.
func TestTheLastMarkIsFoundAtAnyPosition(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, mark := range []string{"a", "ab", "aab", "abab", strings.Repeat("a", 20)} {
		for range 300 {
			text := make([]byte, random.IntN(40_000))
			for i := range text {
				text[i] = "ab-----"[random.IntN(7)]
			}
			if at := random.IntN(len(text) + 1); at+len(mark) <= len(text) && random.IntN(2) == 0 {
				for i := range text {
					text[i] = '-'
				}
				copy(text[at:], mark)
			}
			if got, want := lastIndex(text, []byte(mark)), bytes.LastIndex(text, []byte(mark)); got != want {
				t.Fatalf("%q in %d bytes: at %d, not at %d", mark, len(text), got, want)
			}
		}
	}
}
