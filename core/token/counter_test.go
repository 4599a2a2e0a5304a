// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

func TestCounterEqualsCountAfterEveryEdit(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, encoding := range published {
		counting := open(t, encoding)
		r := rand.New(rand.NewPCG(seed, 2))
		for round := range 12 {
			counter := counting.NewCounter()
			var text []byte
			for edit := range 150 {
				add := []byte(randomText(r, r.IntN(200)))
				if r.IntN(3) == 0 {
					add = add[:min(len(add), 1+r.IntN(3))] // also cuts inside characters
				}
				from, to := len(text), len(text)
				if r.IntN(2) == 0 && len(text) > 0 {
					from = r.IntN(len(text) + 1)
					to = min(len(text), from+r.IntN(1+r.IntN(3000)))
				}
				if round%4 == 0 { // streaming: only append
					from, to = len(text), len(text)
				}
				counter.Replace(from, to, add)
				text = slices.Concat(text[:from], add, text[to:])
				if counter.Len() != len(text) {
					t.Fatalf("length %d, want %d", counter.Len(), len(text))
				}
				if edit%3 == 0 {
					if got, want := counter.Tokens(), counting.Count(text); got != want {
						t.Fatalf("%s, round %d, edit %d: %d, want %d", encoding, round, edit, got, want)
					}
				}
			}
		}
	}
}

// A text is counted in blocks. If a character at the boundary of two blocks changes, they may have to be joined.
func TestCounterEqualsCountAfterAChangeAnywhere(t *testing.T) {
	text := bytes.Repeat([]byte("a word, and then\n"), 240)
	for _, encoding := range published[:1] {
		counting := open(t, encoding)
		counter := counting.NewCounter()
		counter.Append(text)
		for at := range text {
			for _, with := range []byte{'x', ' ', '\n', 0xE4, text[at]} {
				counter.Replace(at, at+1, []byte{with})
				changed := slices.Clone(text)
				changed[at] = with
				if got, want := counter.Tokens(), counting.Count(changed); got != want {
					t.Fatalf("%s, byte %d is %q: %d tokens, want %d", encoding, at, with, got, want)
				}
			}
		}
	}
}

// A block may begin with a space of several bytes, which is a space no longer if its second byte changes.
func TestCounterEqualsCountAfterACharacterIsBroken(t *testing.T) {
	counting := open(t, published[0])
	text := bytes.Repeat([]byte("слово\u3000и\u00a0потом\u3000"), 80)
	for at := range text {
		if utf8.RuneStart(text[at]) {
			continue
		}
		counter := counting.NewCounter()
		counter.Append(text)
		counter.Tokens()
		counter.Replace(at, at+1, []byte("x"))
		changed := slices.Clone(text)
		changed[at] = 'x'
		if got, want := counter.Tokens(), counting.Count(changed); got != want {
			t.Fatalf("after byte %d has changed there are %d tokens, want %d", at, got, want)
		}
	}
}

// A text without a place to cut is one block, and an edit in it is counted as well as in any other.
func TestCounterEqualsCountInATextThatCannotBeCut(t *testing.T) {
	counting := open(t, published[0])
	counter := counting.NewCounter()
	counter.Replace(0, 0, nil)
	if got := counter.Tokens(); got != 0 {
		t.Errorf("nothing has %d tokens", got)
	}
	var text []byte
	edit := func(from, to int, with string) {
		t.Helper()
		counter.Replace(from, to, []byte(with))
		text = slices.Concat(text[:from], []byte(with), text[to:])
		if got, want := counter.Tokens(), counting.Count(text); got != want || counter.Len() != len(text) {
			t.Fatalf("%d tokens in %d bytes, want %d in %d", got, counter.Len(), want, len(text))
		}
	}
	edit(0, 0, strings.Repeat("abcdefghij", 4000))
	edit(39_000, 39_000, " and ")           // far behind the beginning
	edit(39_001, 39_004, "xyz")             // between two blocks
	edit(len(text), len(text), " more")     // at the end
	edit(10, 11, " ")                       // near the beginning
	edit(38_990, 39_010, "")                // across two blocks
	edit(20_000, 20_000, "\n\n  \n")        // spaces, which join
	edit(20_002, 20_003, "x")               // inside them
	edit(0, len(text), "")                  // everything is removed
	edit(0, 0, strings.Repeat("word ", 30)) // and begun anew
	counter.Reset()
	text = nil
	edit(0, 0, "another text")
}

// TestOffsetsOutsideATextAreClamped checks edits that begin or end outside the text, or end before they begin.
func TestOffsetsOutsideATextAreClamped(t *testing.T) {
	counting := open(t, published[0])
	const text = "one two three"
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{-5, -2, "+one two three"}, {-5, 3, "+ two three"}, {8, 99, "one two +"}, {98, 99, "one two three+"}, {7, 3, "one two+ three"}, {3, 7, "one+ three"},
	} {
		counter := counting.NewCounter()
		counter.Append([]byte(text))
		counter.Replace(c.from, c.to, []byte("+"))
		if got, want := counter.Tokens(), counting.CountString(c.want); got != want || counter.Len() != len(c.want) {
			t.Errorf("from %d to %d: %d tokens in %d bytes, want %d in %d", c.from, c.to, got, counter.Len(), want, len(c.want))
		}
		if counter.Replace(0, counter.Len(), nil); counter.Tokens() != 0 || counter.Blocks() != 0 {
			t.Errorf("an empty text has %d tokens in %d blocks", counter.Tokens(), counter.Blocks())
		}
	}
}

func TestStreamEqualsCount(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	var mixed bytes.Buffer
	for mixed.Len() < 5<<19 {
		mixed.WriteString(randomText(r, 1+r.IntN(300)))
	}
	texts := map[string][]byte{
		"mixed":           mixed.Bytes(),
		"letters":         bytes.Repeat([]byte("a"), 5<<18),
		"capitals":        bytes.Repeat([]byte("AbA"), 1<<19),
		"spaces":          append(bytes.Repeat([]byte(" "), 5<<18), 'x'),
		"emoji cut short": bytes.Repeat([]byte("\xf0\x9f\x98"), 1<<20),
		"Han":             bytes.Repeat([]byte("\u3400\u4dbf\U00020010"), 300_000),
		"lines":           append(bytes.Repeat([]byte("\n \r\n"), 300_000), "   x"...),
		"equals":          append(bytes.Repeat([]byte("="), 5<<18), 'x'),
		"digits":          bytes.Repeat([]byte("12345"), 300_000),
		"han":             bytes.Repeat([]byte("中"), 1<<20),
		"broken":          bytes.Repeat([]byte("\xe4\xb8"), 1<<19),
	}
	encodings := published
	if testing.Short() {
		encodings = published[:1]
	}
	for _, encoding := range encodings {
		counting := open(t, encoding)
		for name, text := range texts {
			stream := counting.NewStream()
			for rest := text; len(rest) > 0; {
				n := min(len(rest), 1+r.IntN(200_000))
				stream.Write(rest[:n])
				rest = rest[n:]
			}
			if got, want := stream.Tokens(), counting.Count(text); got != want {
				t.Errorf("%s of %s: %d, want %d", encoding, name, got, want)
			}
		}
	}
}

func TestBoundariesAreAsManyAsTokens(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	for _, encoding := range published {
		counting := open(t, encoding)
		for range 500 {
			text := []byte(randomText(r, r.IntN(300)))
			if len(text) > 0 && r.IntN(2) == 0 {
				text = text[:r.IntN(len(text))]
			}
			ends := counting.Boundaries(text, nil)
			if int64(len(ends)) != counting.Count(text) {
				t.Fatalf("%s of %q: %d ends, %d tokens", encoding, text, len(ends), counting.Count(text))
			}
			if !slices.IsSorted(ends) || len(text) > 0 && ends[len(ends)-1] != len(text) {
				t.Fatalf("%s of %q: ends %v", encoding, text, ends)
			}
		}
	}
}

// A control string may contain characters where texts are otherwise cut.
func TestCountersAndStreamsKeepControlStringsWhole(t *testing.T) {
	s := &vocabulary.Source{Name: "x", Scanner: "gpt2", Specials: [][]byte{[]byte("<|a b|>")}}
	counting := tokenizerOf(t, s)
	counting.AllowSpecial(true)
	text := bytes.Repeat([]byte("<|a b|>"), 300_000)
	counter, stream := counting.NewCounter(), counting.NewStream()
	counter.Append(text[:7*600])
	if got := counter.Tokens(); got != 600 {
		t.Errorf("the counter counts %d, want 600", got)
	}
	if _, err := stream.Write(text); err != nil {
		t.Fatal(err)
	}
	if got := stream.Tokens(); got != 300_000 {
		t.Errorf("the stream counts %d, want 300000", got)
	}
}

func TestAPartOfAControlStringIsText(t *testing.T) {
	allowed, plain := open(t, published[0]), open(t, published[0])
	allowed.AllowSpecial(true)
	const control = "<|endoftext|>"
	for end := range control {
		for _, before := range []string{"", "a ", "<"} {
			text := []byte(before + control[:end])
			if got, want := allowed.Count(text), plain.Count(text); got != want {
				t.Errorf("%q has %d tokens, want %d", text, got, want)
			}
		}
	}
	if got, want := allowed.Count([]byte("a "+control+control)), plain.Count([]byte("a "))+2; got != want {
		t.Errorf("two control strings after a text have %d tokens, want %d", got, want)
	}
}

// TestAStreamHoldsLittle checks that a stream counts a large text while it is written, whether it comes in large or in
// small parts, and even if it is a single word.
func TestAStreamHoldsLittle(t *testing.T) {
	for name, text := range map[string][]byte{"words": bytes.Repeat([]byte("some words "), 300_000), "one word": bytes.Repeat([]byte("ab"), 1_400_000)} {
		for _, size := range []int{64 << 10, len(text)} {
			stream := open(t, "r50k_base").NewStream()
			for part := range slices.Chunk(text, size) {
				_, _ = stream.Write(part)
				if held := stream.Held(); held > 2<<20 {
					t.Fatalf("%s in parts of %d: the stream holds %d bytes", name, size, held)
				}
			}
		}
	}
}
