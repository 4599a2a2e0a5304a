// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"golang.org/x/text/unicode/rangetable"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

func open(t testing.TB, encoding string) *token.Tokenizer {
	t.Helper()
	e, ok := token.Find(encoding)
	if !ok {
		t.Fatalf("no encoding %s", encoding)
	}
	file, ok := assets.Pack(e.Vocabulary)
	if !ok {
		t.Fatalf("no pack %s", e.Vocabulary)
	}
	v, err := token.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return token.New(e, v)
}

func oracle(t testing.TB, encoding string) func(string) int64 {
	t.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	o, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int64 { return int64(len(o.EncodeOrdinary(text))) }
}

var published = []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"}

// The reference's own counts are in counts.json, which `make token-counts` writes.
func TestCountsEqualTheReferenceOnEveryKindOfText(t *testing.T) {
	file, err := os.ReadFile("../../testdata/tokens/counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]map[string]int64
	if err := json.Unmarshal(file, &golden); err != nil {
		t.Fatal(err)
	}
	for _, encoding := range published {
		if len(golden[encoding]) < 15 {
			t.Fatalf("%s: %d kinds of text", encoding, len(golden[encoding]))
		}
		ours := open(t, encoding)
		for file, want := range golden[encoding] {
			text, err := os.ReadFile(filepath.Join("../../testdata/tokens", file))
			if err != nil {
				t.Fatal(err)
			}
			if got := ours.Count(text); got != want {
				t.Errorf("%s of %s: %d, want %d", encoding, file, got, want)
			}
		}
	}
}

// tiktoken-go splits text with Go's regular expressions, which differ from the reference's in these files.
var tiktokenGoDiffers = map[string]string{
	"contractions.txt": "U+017F after a quotation mark is a contraction to the reference, and not to it",
}

func TestCountsEqualTiktokenGoOnEveryKindOfText(t *testing.T) {
	files, err := filepath.Glob("../../testdata/tokens/*.txt")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d kinds of text: %v", len(files), err)
	}
	for _, encoding := range published {
		ours, theirs := open(t, encoding), oracle(t, encoding)
		for _, file := range files {
			if tiktokenGoDiffers[filepath.Base(file)] != "" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := ours.Count(text), theirs(string(text)); got != want {
				t.Errorf("%s of %s: %d, want %d", encoding, filepath.Base(file), got, want)
			}
		}
	}
}

// alphabet contains characters that pre-tokenizers treat differently, so that random texts test every rule and every
// boundary between rules.
var alphabet = []string{
	"a", "b", "e", "s", "t", "l", "v", "r", "d", "m", "A", "B", "S", "LL", "T", "the", "The", "ing", "ER", "x", "Z", "ß", "é", "É", "ǅ", "ʰ", "ª",
	"中", "文", "的", "あ", "ア", "한", "ب", "ة", "я", "Я", "ж", "п", "р", "и", "в", "е", "т", "ї", "ค", "ि", "ा", "्", "\u0301", "\u0300", "\u20dd", "〆", "々",
	"0", "1", "23", "²", "½", "٣", "Ⅷ", "一", "〇", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\r", "\u00a0", "\u3000", "\u2028", "\u0085", "\ufeff", "\u200b", "\u200d",
	"'", "'s", "'S", "'re", "'LL", "’", "/", "//", "_", "-", "=", "==", ".", ",", "!", "\"", "(", ")", "{", "}", "[", "<", ">", "|", "#", "*", "`", "\\", "$", "€", "→", "😀", "👩", "🏽", "\x00", "\x7f", "\x1b",
	"<|endoftext|>", "hasOwnProperty", "__proto__", "https://", "\n \n", "   \n", "。\n", "，", "\U0001d400", "\U00020000", "\ue000",
}

// These are the other characters in random texts.
const (
	firstRandom      = 0x20
	randomCharacters = 0x3000
)

var unicode15 = rangetable.Assigned("15.0.0")

// inBoth drops characters that Unicode 15 does not assign. Those assigned later have another class in Go's tables,
// which tiktoken-go uses, than in ours, which are from Unicode 16.
func inBoth(c rune) rune {
	if unicode.Is(unicode15, c) {
		return c
	}
	return -1
}

func randomText(r *rand.Rand, pieces int) string {
	var b bytes.Buffer
	few := 1 + r.IntN(len(alphabet))
	from := r.IntN(len(alphabet))
	for range pieces {
		b.WriteString(alphabet[(from+r.IntN(few))%len(alphabet)])
		if r.IntN(40) == 0 { // any code point
			b.WriteRune(rune(firstRandom + r.IntN(randomCharacters)))
		}
	}
	return b.String()
}

func TestCountsEqualTheReferenceOnRandomText(t *testing.T) {
	seeds := []uint64{
		1795540005064593328, // draws U+1C8A, a letter since Unicode 16, on 386
		uint64(time.Now().UnixNano()),
	}
	for _, seed := range seeds {
		t.Logf("seed %d", seed)
		for _, encoding := range published {
			ours, theirs := open(t, encoding), oracle(t, encoding)
			r := rand.New(rand.NewPCG(seed, 1))
			for range 3000 {
				text := strings.Map(inBoth, randomText(r, 1+r.IntN(60)))
				if got, want := ours.CountString(text), theirs(text); got != want {
					t.Fatalf("%s of %q: %d, want %d", encoding, text, got, want)
				}
			}
		}
	}
}

// Go's tables and ours must agree on the characters of the random texts that are compared.
func TestBothTokenizersKnowTheCharactersOfRandomText(t *testing.T) {
	ours, theirs := open(t, "o200k_base"), oracle(t, "o200k_base")
	tried := 0
	for c := rune(firstRandom); c < firstRandom+randomCharacters; c++ {
		if inBoth(c) < 0 {
			continue
		}
		tried++
		for _, text := range []string{"a" + string(c) + "b", "A" + string(c) + "B " + string(c) + "1", "." + string(c) + "\n"} {
			if got, want := ours.CountString(text), theirs(text); got != want {
				t.Errorf("%q: %d, want %d", text, got, want)
			}
		}
	}
	if tried < 10000 {
		t.Errorf("only %d characters", tried)
	}
	for _, piece := range alphabet {
		if strings.Map(inBoth, piece) != piece {
			t.Errorf("%q of the alphabet is never compared", piece)
		}
	}
}
