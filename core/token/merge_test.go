// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Pieces can be cut in four ways: looking through all pairs, level by level, in windows, and from bytes instead of
// characters. They agree on everything.
func TestAllWaysOfCuttingAPieceAgree(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, encoding := range published {
		counting := open(t, encoding)
		r := rand.New(rand.NewPCG(seed, 5))
		check := func(piece []byte) {
			t.Helper()
			want := token.BytesForTest(counting, piece)
			if got := token.MergedForTest(counting, piece); got != want {
				t.Fatalf("%s of %q: %d, want %d", encoding, piece, got, want)
			}
			if got := token.LongForTest(counting, piece); got != want {
				t.Fatalf("%s of %q, level by level: %d, want %d", encoding, piece, got, want)
			}
			window, guard := 8+r.IntN(100), 1+r.IntN(4)
			got, ends := token.WindowedForTest(counting, piece, window, guard)
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
		// Characters that merges can take apart, between others and each other.
		fragile, others := token.CharactersForTest(counting)
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
		// Each merge that takes characters apart, at all that it can take apart.
		hazards := token.HazardsForTest(counting)
		t.Logf("%s: %d merges take them apart", encoding, len(hazards))
		for _, h := range hazards {
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

// What is written in too many bytes is broken, and not the character that it would be, even when that has been met.
func TestOverlongCharactersAreBroken(t *testing.T) {
	for _, encoding := range published {
		counting := open(t, encoding)
		counting.CountString("qzxéxkqqzé")
		for n := range 10 {
			broken := strings.Repeat("\xE0\x83\xA9", n) // é in three bytes
			if got, want := counting.CountString(broken), counting.CountString(strings.Repeat("\ufffd", 3*n)); got != want {
				t.Errorf("%s of %q: %d, want %d", encoding, broken, got, want)
			}
		}
	}
}

// Some merges join the last byte of a character with what is behind it, in ASCII.
func TestCharactersAreTakenApartBeforeASCII(t *testing.T) {
	if got := open(t, "o200k_base").CountString("⭕\n\n"); got != 3 {
		t.Errorf("%d tokens, want 3", got)
	}
}
