// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Invalid UTF-8 counts as U+FFFD, whatever the tokenizer has seen before. Tokens that are parts of characters, and
// characters that look like the broken ones, are in the cache at the same time.
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
					if c < 0x800 { // encoded in more bytes than necessary
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

func TestTheClassOfALastCharacter(t *testing.T) {
	for text, first := range map[string]string{"ab": "b", "a1": "1", "aé": "é", "a漢": "漢", "a😀": "😀", "a\ufffd": "\ufffd", " ": " "} {
		if got, want := lastClass([]byte(text)), lastClass([]byte(first)); got != want || got == 0 {
			t.Errorf("%q: %x, and alone %x", text, got, want)
		}
	}
	if lastClass([]byte("a1")) == lastClass([]byte("1a")) {
		t.Error("a letter and a digit have one class")
	}
	for _, broken := range []string{"a\x80", "\x80", "\xe6\xbc", "a\xf0\x9f\x98", "é\xc3", "\xff", "\xed\xa0\x80", "\xf0\xbf\xbd"} {
		if got := lastClass([]byte(broken)); got != 0 {
			t.Errorf("%q: %x, and it is broken", broken, got)
		}
	}
}

// A Stream holds no more than streamBytes and the text that may still change.
func TestAStreamHoldsLittle(t *testing.T) {
	e, _ := Find("o200k_base")
	file, _ := assets.Pack(e.Vocabulary)
	v, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"words": "some words ", "lines": "a\n", "letters": "abcé", "digits": "12345", "signs": "=-=", "broken": "\x80\x80"} {
		stream := New(e, v).NewStream()
		for range 4 {
			stream.Write(bytes.Repeat([]byte(part), streamBytes/len(part)))
			if len(stream.buffer) > 2*streamBytes {
				t.Errorf("%s: %d bytes are held", name, len(stream.buffer))
			}
		}
	}
}
