// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Text that is not UTF-8 counts as the text with U+FFFD in its place, whatever the tokenizer has seen before: tokens
// that are parts of characters, and characters that look like the broken ones, are remembered beside them.
func TestBrokenTextCountsAsWhatItIsReadAs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, name := range []string{"o200k_base", "cl100k_base", "p50k_base"} {
		r := rand.New(rand.NewPCG(seed, 9))
		e, _ := Find(name)
		file, _ := assets.Pack(e.Vocabulary)
		v, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		counting := New(e, v)
		whole := []rune("aé я中あ한😀\u0301ⱥ\uFFFD\u0600")
		for range 20_000 {
			var text []byte
			for range 1 + r.IntN(12) {
				c := whole[r.IntN(len(whole))] + rune(r.IntN(3))
				char := []byte(string(c))
				switch r.IntN(6) {
				case 0:
					char = char[:1+r.IntN(len(char))]
				case 1:
					char = char[r.IntN(len(char)):]
				case 2:
					char[r.IntN(len(char))] ^= 1 << r.IntN(8)
				case 3:
					if c < 0x800 { // in more bytes than it needs
						char = []byte{0xE0, 0x80 | byte(c>>6), 0x80 | byte(c&0x3F)}
					}
				}
				text = append(text, char...)
			}
			read := append([]byte(nil), counting.pieces.Valid(text)...)
			if got, want := counting.Count(text), counting.Count(read); got != want {
				t.Fatalf("%s of % x: %d tokens, as U+FFFD %d", name, text, got, want)
			}
		}
	}
}
