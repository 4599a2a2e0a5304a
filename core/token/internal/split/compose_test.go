// Copyright The ctx-lsp authors. MIT licence.

package split

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestARememberedSegmentIsComposedAsAnewOne checks that remembered segments give the same result as composing them
// again, whatever came before. The segments are short and few, so that most are found, but more than fit, so that they
// replace each other.
func TestARememberedSegmentIsComposedAsAnewOne(t *testing.T) {
	remembering, plain := vietnamese(), vietnamese()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	characters := []string{"a", "e", "\u00ea", "\u0302", "\u0301", "\u0323", "\uac00", "\u11a8", "\u1161", "\u1100", "\xff", "\x01", "\U0001f600"}
	for range 200_000 {
		var segment []byte
		for range 1 + random.IntN(4) {
			segment = append(segment, characters[random.IntN(len(characters))]...)
		}
		got, want := remembering.ComposeSegment([]byte("x"), segment), plain.composeSegment([]byte("x"), segment)
		if !bytes.Equal(got, want) {
			t.Fatalf("%q becomes %q, and %q without the memory", segment, got, want)
		}
	}
}

// vietnamese returns a Composer for some vowels.
func vietnamese() *Composer {
	c := &Composer{class: map[rune]uint8{}, parts: map[rune][3]rune{}, whole: map[[2]rune]rune{}, second: map[rune]struct{}{}, quick: map[rune]struct{}{}}
	for char, class := range map[rune]uint8{0x301: 230, 0x302: 230, 0x323: 220} {
		c.class[char] = class
		c.quick[char], c.second[char] = struct{}{}, struct{}{}
	}
	for char, parts := range map[rune][3]rune{0xEA: {'e', 0x302}, 0x1EBF: {0xEA, 0x301}, 0x1EB9: {'e', 0x323}, 0x1EC7: {0x1EB9, 0x302}} {
		c.parts[char] = parts
		c.whole[[2]rune{parts[0], parts[1]}] = char
	}
	c.mark()
	return c
}
