// Copyright The ctx-lsp authors. MIT licence.

package estimate

import (
	"math/rand/v2"
	"testing"
)

// TestBlocksAreMeasuredAsTheirCharacters compares both ways on random texts with characters of all kinds.
func TestBlocksAreMeasuredAsTheirCharacters(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	pieces := []string{
		"a", "word", "Word", "WORD", "camelCase", "internationalization", " ", "    ", "\t", "\n", "\v", "1", "12", "2048", "123456789012345678", "-", "->", "();", "[", "@", "`", "{", "~",
		"  x", "\n\n\t", "verylongwordwithoutanyspaceinitthatreachesbeyondawholeblockofsixtyfourbytesofthetext", "1111111111222222222233333333334444444444555555555566666666667777777777",
		"\r\n", "１２", "é", "e\u0301", "\u0301", "ß", "Straße", "漢字", "かな", "한국", "Привет", "עברית", "हिन्दी", "🎉", "\u00a0", "\u2028", "\x00", "\x7f", "\xff", "\xe6\xbc",
	}
	blocks := 0
	for range 20_000 {
		var text []byte
		kinds := pieces[r.IntN(len(pieces)/2):]
		kinds = kinds[:1+r.IntN(len(kinds))] // mostly ASCII, so that there are whole blocks of it
		for range r.IntN(150) {
			text = append(text, kinds[r.IntN(len(kinds))]...)
		}
		want := measuring{indent: true}
		want.characters(text, 0, len(text))
		want.endWord()
		if got := Measure(text); got != want.Features {
			t.Fatalf("%q: %+v, want %+v", text, got, want.Features)
		}
		if len(text) >= 64 && (&measuring{}).block((*[64]byte)(text)) {
			blocks++
		}
	}
	if blocks < 1000 {
		t.Errorf("only %d texts begin with a block", blocks)
	}
}

func BenchmarkMeasure(b *testing.B) {
	var text []byte
	for len(text) < 1<<16 {
		text = append(text, "-rw-r--r-- 1 ada ada 4812 Mar  2 09:14 checkout/total.go\n    func (s *Session) walk(c *codec.Codec) { // one pass\n"...)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Measure(text)
	}
}
