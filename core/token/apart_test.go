// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// everyKind returns tokenizers of the published encodings and of the made-up vocabularies, with and without control
// strings, and one with a string that is always one token.
func everyKind(t *testing.T) map[string]*token.Tokenizer {
	t.Helper()
	all := madeUp(t)
	for _, encoding := range published {
		all[encoding] = open(t, encoding)
	}
	for _, kind := range []string{"o200k_base", "r50k_base"} {
		allowed := open(t, kind)
		allowed.AllowSpecial(true)
		all[kind+" with control strings"] = allowed
	}
	all["added"] = tokenizerOf(t, &vocabulary.Source{Name: "x", Scanner: "gpt2", Added: [][]byte{[]byte("a-b"), []byte("<think>")}})
	all["added with a space"] = tokenizerOf(t, &vocabulary.Source{Name: "x", Scanner: "gpt2", Added: [][]byte{[]byte("a b")}})
	all["added with a line break"] = tokenizerOf(t, &vocabulary.Source{Name: "x", Scanner: "gpt2", Added: [][]byte{[]byte("a\nb")}})
	return all
}

// TestTextsThatAreApartCountAsOne checks at every position of random texts that the parts have as many tokens as the
// whole if the tokenizer says that they can be counted separately.
func TestTextsThatAreApartCountAsOne(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	extra := []string{"a-b", "<think>", "a b", "<", "'s", "é", "e\u0301", "\u3000", "\u00a0", "\xe3\x80", "\xff", "\ufffd", "/\n", ".\n", "1 2", "a\n", "b'", "b\"x", "b/", "1.5", "À a", "中 a", "a\nb"}
	for kind, counting := range everyKind(t) {
		r := rand.New(rand.NewPCG(seed, 7))
		apart := 0
		for range 300 {
			var text []byte
			for range 1 + r.IntN(10) {
				if r.IntN(2) == 0 {
					text = append(text, extra[r.IntN(len(extra))]...)
				} else {
					text = append(text, alphabet[r.IntN(len(alphabet))]...)
				}
			}
			whole := counting.Count(text)
			for at := range text {
				if !counting.Apart(text[:at], text[at:]) {
					continue
				}
				if at > 0 {
					apart++
				}
				if got := counting.Count(text[:at]) + counting.Count(text[at:]); got != whole {
					t.Fatalf("%s of %q and %q: %d tokens, together %d", kind, text[:at], text[at:], got, whole)
				}
			}
		}
		if apart < 20 && !strings.HasPrefix(kind, "added with") && kind != "unsplit" && kind != "unsplit, underlined" {
			t.Errorf("%s: %d positions are too few to prove anything", kind, apart)
		}
	}
}

// TestAnEditRecountsLittle checks that a change recounts only text near it, whatever the text consists of.
func TestAnEditRecountsLittle(t *testing.T) {
	texts := map[string]string{
		"words": "some words ", "lines": "a\n", "numbered": "1\n", "signs after letters": "x=y;", "signs after digits": "1+2;",
		"tabs": "\tif\n", "accents": "où été ", "Han and spaces": "中文 ", "emoji and spaces": "😀 a ",
	}
	for _, encoding := range published {
		counting := open(t, encoding)
		for name, part := range texts {
			counter := counting.NewCounter()
			counter.Append([]byte(strings.Repeat(part, 40*token.BlockBytes/len(part))))
			counter.Tokens()
			if got := counter.Blocks(); got > 40 {
				t.Errorf("%s, %s: %d blocks", encoding, name, got)
			}
			for _, at := range []int{0, 1, 7 * token.BlockBytes, 19*token.BlockBytes + 3, counter.Len()} {
				counter.Replace(at, at, []byte("b"))
				if got := counter.Uncounted(); got == 0 || got > 4*token.BlockBytes {
					t.Errorf("%s, %s: an edit at %d recounts %d bytes", encoding, name, at, got)
				}
				counter.Tokens()
			}
		}
	}
}

// TestALongWordIsCutWhereItEnds checks that the text after a very long word is counted separately from it.
func TestALongWordIsCutWhereItEnds(t *testing.T) {
	counter := open(t, published[0]).NewCounter()
	counter.Append(bytes.Repeat([]byte("a"), 20*token.BlockBytes))
	counter.Tokens()
	counter.Append([]byte(" tail"))
	counter.Tokens()
	counter.Append([]byte("s"))
	if got := counter.Uncounted(); got > token.BlockBytes {
		t.Errorf("an edit after the word recounts %d bytes", got)
	}
}

// TestCountingLeavesTheTextAlone checks that normalizing a text does not write to it.
func TestCountingLeavesTheTextAlone(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for kind, counting := range everyKind(t) {
		r := rand.New(rand.NewPCG(seed, 8))
		plain := []byte("the plain text that counts as it is, and stays")
		before := bytes.Clone(plain)
		for range 50 {
			want := counting.Count(plain)
			text := composable(r, 1+r.IntN(20))
			kept := bytes.Clone(text)
			counting.Count(text)
			if !bytes.Equal(text, kept) || !bytes.Equal(plain, before) {
				t.Fatalf("%s has changed %q or %q", kind, kept, before)
			}
			if got := counting.Count(plain); got != want {
				t.Fatalf("%s: %d tokens, and %d after %q", kind, want, got, text)
			}
		}
	}
}

// TestNormalizingAllocatesOnce checks that counting does not allocate for a text that must be changed first, except for
// the memory of the first such text.
func TestNormalizingAllocatesOnce(t *testing.T) {
	text := []byte(strings.Repeat("e\u0301 \u00a0the\u1112\u1161\u11ab, a\u0323b\xff\n", 100))
	for kind, counting := range everyKind(t) {
		counting.Count(text)
		if n := testing.AllocsPerRun(3, func() { counting.Count(text) }); n > 0 {
			t.Errorf("%s: %v allocations", kind, n)
		}
	}
}

// TestAnEmptyCounterIsReset checks that a counter that has never had a text can be reset, and counts afterwards.
func TestAnEmptyCounterIsReset(t *testing.T) {
	counting := open(t, published[0])
	counter := counting.NewCounter()
	counter.Reset()
	counter.Append([]byte("a few words"))
	if got, want := counter.Tokens(), counting.CountString("a few words"); got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
}

// TestMessagesAreCountedWithTheirFrame checks that a vocabulary that tiles text counts a message with its frame, and
// that the others do not offer to.
func TestMessagesAreCountedWithTheirFrame(t *testing.T) {
	for kind, counting := range everyKind(t) {
		if got := counting.Messages(); got != (kind == "tiles") {
			t.Errorf("%s: Messages is %t", kind, got)
		}
	}
	const overhead = 7 // message_overhead of the made-up vocabulary
	counting := madeUp(t)["tiles"]
	if got, want := counting.CountMessage([]byte("of the a")), counting.CountString("of the a")+overhead; got != want {
		t.Errorf("a message has %d tokens, want %d", got, want)
	}
}

// TestLongPiecesOfEveryKindAreCounted checks a word that is too long to be stored, and a run of line breaks that is
// longer than what a stream counts at once: an odd number of them must not become two odd numbers.
func TestLongPiecesOfEveryKindAreCounted(t *testing.T) {
	run := bytes.Repeat([]byte("\n"), 1<<20+300_001)
	for kind, counting := range everyKind(t) {
		word, longer := counting.CountString(strings.Repeat("ab", 500)), counting.CountString(strings.Repeat("ab", 900))
		if word <= 0 || longer <= word {
			t.Errorf("%s: a word of 1,000 letters has %d tokens, and one of 1,800 has %d", kind, word, longer)
		}
		stream := counting.NewStream()
		for rest := run; len(rest) > 0; {
			n := min(len(rest), 99_991)
			_, _ = stream.Write(rest[:n])
			rest = rest[n:]
		}
		if got, want := stream.Tokens(), counting.Count(run); got != want {
			t.Errorf("%s: %d tokens as a stream, %d at once", kind, got, want)
		}
	}
}

// TestAVocabularyListsItsTexts checks the bytes of each token, which a comparison with another tokenizer needs, and
// that a vocabulary that does not merge bytes lists none.
func TestAVocabularyListsItsTexts(t *testing.T) {
	pack, _ := assets.Pack("r50k")
	v, err := token.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	texts := v.Texts()
	if len(texts) != v.Tokens() || !slices.Contains(texts, " the") || !slices.Contains(texts, "\xff") {
		t.Errorf("%d texts of %d tokens", len(texts), v.Tokens())
	}
	text, err := os.ReadFile("../../testdata/vocabularies/pieces_v3.json")
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := vocabulary.ParseTiles(text)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = token.Load(tiles.Pack("tiles")); err != nil || v.Texts() != nil {
		t.Errorf("a vocabulary of pieces lists texts, or %v", err)
	}
}
