// Copyright The ctx-lsp authors. MIT licence.

package bpe_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/bpe"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Pieces can be cut in four ways: scanning all pairs, level by level, in windows, and from bytes instead of characters.
// All must give the same tokens.
func TestAllWaysOfCuttingAPieceAgree(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, encoding := range published {
		merger := open(t, encoding)
		r := rand.New(rand.NewPCG(seed, 5))
		check := func(piece []byte) {
			t.Helper()
			want := merger.CutFromBytes(piece)
			if got := merger.CutShort(piece); got != want {
				t.Fatalf("%s of %q: %d, want %d", encoding, piece, got, want)
			}
			if got := merger.CutLong(piece); got != want {
				t.Fatalf("%s of %q, level by level: %d, want %d", encoding, piece, got, want)
			}
			window, guard := 8+r.IntN(100), 1+r.IntN(4)
			got, ends := merger.CutWindowed(piece, window, guard)
			if got != want || len(ends) != want {
				t.Fatalf("%s of %q, in windows of %d and %d: %d, want %d", encoding, piece, window, guard, got, want)
			}
		}
		for range 500 {
			check([]byte(randomText(r, 1+r.IntN(200))))
			few := make([]byte, 1+r.IntN(400))
			letters := []byte("aab=  \n")[:1+r.IntN(7)]
			for i := range few {
				few[i] = letters[r.IntN(len(letters))]
			}
			check(few)
		}
		// Characters that merges can split, next to others and to each other.
		fragile, others := merger.FragileCharacters()
		t.Logf("%s: %d of %d characters can be taken apart", encoding, len(fragile), len(fragile)+len(others))
		neighbours := []rune{' ', 'a', '-', '\n', '。', '😀', 0xAD}
		for _, c := range fragile {
			for range 3 {
				n := neighbours[r.IntN(len(neighbours))]
				switch r.IntN(3) {
				case 0:
					n = fragile[r.IntN(len(fragile))]
				case 1:
					n = others[r.IntN(len(others))]
				}
				piece := utf8.AppendRune(utf8.AppendRune(nil, n), c)
				check(utf8.AppendRune(piece, others[r.IntN(len(others))]))
				check(append([]byte(string(c)), piece...))
			}
		}
		// Each merge that splits characters, with everything it can split.
		exceptions := merger.SplitExceptions()
		t.Logf("%s: %d merges take them apart", encoding, len(exceptions))
		for _, h := range exceptions {
			for _, c := range fragile {
				if char := string(c); h.Tail && strings.HasSuffix(char, h.Left) {
					check([]byte(char + h.Right))
				} else if h.Head && strings.HasPrefix(char, h.Right) {
					check([]byte(h.Left + char))
				}
			}
		}
	}
}

var alphabet = []string{
	"a", "b", "e", "s", "t", "l", "v", "r", "d", "m", "A", "B", "S", "LL", "T", "the", "The", "ing", "ER", "x", "Z", "ß", "é", "É", "ǅ", "ʰ", "ª",
	"中", "文", "的", "あ", "ア", "한", "ب", "ة", "я", "Я", "ж", "п", "р", "и", "в", "е", "т", "ї", "ค", "ि", "ा", "्", "\u0301", "\u0300", "\u20dd", "〆", "々",
	"0", "1", "23", "²", "½", "٣", "Ⅷ", "一", "〇", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\r", "\u00a0", "\u3000", "\u2028", "\u0085", "\ufeff", "\u200b", "\u200d",
	"'", "'s", "'S", "'re", "'LL", "’", "/", "//", "_", "-", "=", "==", ".", ",", "!", "\"", "(", ")", "{", "}", "[", "<", ">", "|", "#", "*", "`", "\\", "$", "€", "→", "😀", "👩", "🏽", "\x00", "\x7f", "\x1b",
	"<|endoftext|>", "hasOwnProperty", "__proto__", "https://", "\n \n", "   \n", "。\n", "，", "\U0001d400", "\U00020000", "\ue000",
}

// published lists the vocabularies of the public encodings.
var published = []string{"o200k", "cl100k", "p50k", "r50k"}

func open(t *testing.T, vocabulary string) *bpe.Merger {
	t.Helper()
	file, ok := assets.Pack(vocabulary)
	if !ok {
		t.Fatalf("there is no pack %s", vocabulary)
	}
	merger, err := bpe.OpenForTest(file)
	if err != nil {
		t.Fatal(err)
	}
	return merger
}

func randomText(r *rand.Rand, pieces int) string {
	var b bytes.Buffer
	few := 1 + r.IntN(len(alphabet))
	from := r.IntN(len(alphabet))
	for range pieces {
		b.WriteString(alphabet[(from+r.IntN(few))%len(alphabet)])
		if r.IntN(40) == 0 { // any code point
			b.WriteRune(rune(0x20 + r.IntN(0x3000)))
		}
	}
	return b.String()
}
