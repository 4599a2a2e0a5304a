// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// The texts of quickText use one of these alphabets at a time, with all its characters equally likely.
var quickAlphabets = [][]rune{
	[]rune("abcstmdrvel'"), []rune("aB'sSlLvVeE"), []rune("aaaaaaaaaaaaaaaaB "), []rune("aB  \t\n\r"), []rune("    \n\n\n\t\v\f\r;"),
	[]rune(");\n\r/// \t{}*a"), []rune("0123456789aB. -:"), []rune("a B1.\n"), []rune("''\"\"-- sS"), []rune("\x00\x1b\x1c\x1f\x7f a'"), []rune("a \n"),
	[]rune(" \t"), []rune("/\n;/"), []rune("éÉaB 'sS"), []rune("жяЖ аБ'."), []rune("ªaBcʰÉ 'sS"), []rune("한글 aB.'m"), []rune("“”’—…'sta B"), []rune("’ aé\n/;"),
	[]rune("中文。 aB"), []rune("aé\u0301 .\u00a0"), []rune("بةaB ٣."), []rune("😀’a €\n/"), []rune("ſ's'S é"), []rune("ǅaÉ "),
}

var quickStrings = []string{
	"é", "É", "中", "\u0301", "\ufffd", "\u00a0", "\u2028", "\u3000", "٣", "’", "'ſ", "ſ", "“", "—", "ǅ", "ʰ", "ж", "Ж", "😀", "\xc3", "\xe4\xb8", "\xff", "à la", "ß", "。", "\u200b",
	"'re", "'VE", "'ll", "'Ld", "'s's", "n't", "   \n  \n  x", "\r\n\r\n", "\n//", "hello", " World", "HTMLParser", "x1234567y", "0000000000000000000000000",
}

// quickText returns a text that tests every rule of the quick path, at every position in a bitmap.
func quickText(r *rand.Rand) []byte {
	var text []byte
	size := 1 + r.IntN(40)
	if r.IntN(2) == 0 {
		size = 1 + r.IntN(400)
	}
	alphabet := quickAlphabets[r.IntN(len(quickAlphabets))]
	strange := []int{0, 3, 20, 100, 400}[r.IntN(5)] // per thousand
	for len(text) < size {
		switch n := r.IntN(1000); {
		case n < strange:
			text = append(text, quickStrings[r.IntN(len(quickStrings))]...)
		case n < 960:
			text = utf8.AppendRune(text, alphabet[r.IntN(len(alphabet))])
		case n < 970:
			text = append(text, byte(r.IntN(128)))
		case n < 975: // a long run
			c := alphabet[r.IntN(len(alphabet))]
			for range r.IntN(150) {
				text = utf8.AppendRune(text, c)
			}
		case n < 977: // any character of the first planes
			text = utf8.AppendRune(text, rune(r.IntN([]int{0x800, 0x3000, 0x20000}[r.IntN(3)])))
		default:
			alphabet = quickAlphabets[r.IntN(len(quickAlphabets))]
		}
	}
	return text
}

// The quick path must find the same borders as the scanner, wherever a bitmap begins.
func TestQuickPathCutsAsTheScannerDoes(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	var c Tokenizer
	var kinds split.Bitmaps
	found, texts := 0, 60_000
	if testing.Short() {
		texts /= 10
	}
	for range texts {
		text := quickText(r)
		for _, scanner := range []string{"o200k", "cl100k", "qwen2", "kimi"} {
			next, rules := split.Find(scanner), split.FindRules(scanner)
			for i := 0; i < len(text); i = next(text, i) {
				view, inside := c.view(text, i)
				kinds.Fill((*[split.BitmapBytes]byte)(view[:]))
				kinds.Known &= inside
				end := i
				for begins := kinds.Borders(view, rules); begins != 0; begins &= begins - 1 {
					if end = next(text, end); begins&-begins != 1<<uint(end-i) {
						t.Fatalf("%s: of %q from %d (%q): %b has no border at %d or another before", scanner, text, i, text[i:], begins, end-i)
					}
					found++
				}
			}
		}
	}
	if found < 17*texts {
		t.Errorf("%d borders were found: too few for a test", found)
	}
}

// Counts must be the same with and without the quick path.
func TestQuickPathCountsAsTheScannerDoes(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		e, _ := Find(name)
		file, _ := assets.Pack(e.Vocabulary)
		v, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		quick, plain := New(e, v), New(e, v)
		if quick.quick == nil {
			t.Fatalf("%s has no quick path", name)
		}
		plain.quick = nil
		texts := 20_000
		if testing.Short() {
			texts /= 10
		}
		for range texts {
			text := quickText(r)
			if got, want := quick.Count(text), plain.Count(text); got != want {
				t.Fatalf("%s of %q: %d, want %d", name, text, got, want)
			}
		}
	}
}

// The quick path must cut nearly all of a text that it knows, and leave a text that it does not know to the scanner.
func TestQuickPathIsUsedWhereItHelps(t *testing.T) {
	e, _ := Find("o200k_base")
	file, _ := assets.Pack(e.Vocabulary)
	v, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text        string
		least, most int // percent of the pieces that the scanner cuts
	}{
		"prose":              {"The keeper's daughter did not believe in storms, and she said so.\n", 0, 10},
		"prose after Han":    {strings.Repeat("中\u0301文，", 40) + strings.Repeat("and then some English words follow. ", 60), 0, 60},
		"only Han and marks": {"中\u0301文\u0301，", 90, 100},
	} {
		counting := New(e, v)
		next, scanned := counting.next, 0
		counting.next = func(text []byte, i int) int {
			scanned++
			return next(text, i)
		}
		text := []byte(strings.Repeat(c.text, 1+100_000/len(c.text)))
		counting.Count(text)
		cut := 0
		for i := 0; i < len(text); i = next(text, i) {
			cut++
		}
		if percent := 100 * scanned / cut; percent < c.least || percent > c.most {
			t.Errorf("%s: the scanner cuts %d of %d pieces", name, scanned, cut)
		}
	}
}
