// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

// Command oracle counts texts of every kind and prints them with their counts, which check.mjs compares with the
// reference tokenizer: the files in a directory, every code point, and random texts. If packs are named after the
// directory, it counts with these.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/rangetable"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

type line struct {
	Name   string           `json:"name"`
	Text   string           `json:"text"`
	Counts map[string]int64 `json:"counts"`
}

var encodings = []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"}

// openPacks opens packs instead of the public encodings. Their control strings are tokens, as in Hugging Face.
func openPacks(paths []string) map[string]*token.Tokenizer {
	counters := map[string]*token.Tokenizer{}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		v, err := token.Load(file)
		if err != nil {
			log.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".ctxv")
		counters[name] = token.New(token.Encoding{Name: name, Vocabulary: name}, v)
		counters[name].AllowSpecial(true)
	}
	return counters
}

func openPublic() map[string]*token.Tokenizer {
	counters := map[string]*token.Tokenizer{}
	for _, name := range encodings {
		e, _ := token.Find(name)
		file, _ := assets.Pack(e.Vocabulary)
		v, err := token.Load(file)
		if err != nil {
			log.Fatal(err)
		}
		counters[name] = token.New(e, v)
	}
	return counters
}

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random texts")
	random := flag.Int("random", 5000, "how many random texts")
	only := flag.Bool("files", false, "nothing but the files")
	every := flag.Int("every", 1, "of the code points, every so manyth block of 64")
	flag.Parse()
	packs := flag.NArg() > 1
	var opened map[string]*token.Tokenizer
	if packs {
		opened = openPacks(flag.Args()[1:])
	} else {
		opened = openPublic()
	}
	buffered := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer buffered.Flush()
	out := json.NewEncoder(buffered)
	print := func(name, text string) {
		counts := map[string]int64{}
		for encoding, counter := range opened {
			counts[encoding] = counter.CountString(text)
		}
		if err := out.Encode(line{name, text, counts}); err != nil {
			log.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(flag.Arg(0), "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatalf("there are no texts in %q", flag.Arg(0))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		print(filepath.Base(file), string(text))
	}
	if *only {
		return
	}
	var b strings.Builder
	for c := rune(0); c < 0x110000; c++ {
		if int(c>>6)%*every == 0 && (c < 0xD800 || c >= 0xE000) && (!packs || settled(c)) {
			fmt.Fprintf(&b, "a%c %cB%c%c\n%c\n\n%cp %ci-%c.\n", c, c, c, c, c, c, c, c)
		}
		if c%64 == 63 && b.Len() > 0 {
			print("", b.String())
			b.Reset()
		}
	}
	fmt.Fprintln(os.Stderr, "seed", *seed)
	r := rand.New(rand.NewPCG(*seed, 0))
	for range *random {
		if text := randomText(r); !packs || strings.IndexFunc(text, unsettled) < 0 {
			print("", text)
		}
	}
}

// known are the characters of Unicode 15: tokenizers treat later ones differently.
var known = rangetable.Assigned("15.0.0")

func settled(c rune) bool { return unicode.Is(known, c) }

func unsettled(c rune) bool { return !settled(c) }

// randomText returns a random sequence of characters from one or a few ranges of Unicode, mixed with strings that are
// difficult for scanners.
func randomText(r *rand.Rand) string {
	touchy := []string{" ", "  ", "\n", "\r\n", "\n \n", "\t", "'", "'s", "'LL", "'ſ", "/", "//\n", ".", "=", "a", "B", "the", "12", "\u0301", "\u00a0", "\u3000", "\u0085", "\ufeff", "中", "я", "😀", "\u200d", "<|endoftext|>"}
	var b strings.Builder
	base := rune(0x20 + r.IntN(0x3000))
	switch r.IntN(4) {
	case 0:
		base = rune(0x4E00 + r.IntN(0x5200))
	case 1:
		base = rune(0xA000 + r.IntN(0x3700))
	case 2:
		base = rune(0x10000 + r.IntN(0x10000))
	}
	for range 1 + r.IntN(80) {
		switch r.IntN(3) {
		case 0:
			b.WriteString(touchy[r.IntN(len(touchy))])
		case 1:
			b.WriteRune(base + rune(r.IntN(64)))
		default:
			b.WriteString(strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(3)))
		}
	}
	return b.String()
}
