// Copyright The ctx-lsp authors. MIT licence.

package promptfile_test

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

type exact struct{ t *token.Tokenizer }

func (e exact) Weigh(text []byte) promptfile.Weight {
	return promptfile.Weight{Tokens: e.t.Count(text)}
}
func (e exact) Tokens(w promptfile.Weight) int64 { return w.Tokens }
func (e exact) Exact() bool                      { return true }

func tokenizer(t testing.TB, name string) *token.Tokenizer {
	t.Helper()
	e, ok := token.Find(name)
	if !ok {
		t.Fatalf("no encoding %s", name)
	}
	p, ok := assets.Pack(e.Vocabulary)
	if !ok {
		t.Skipf("the vocabulary %s is not carried", e.Vocabulary)
	}
	v, err := token.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return token.New(e, v)
}

// The tokens of a document's pieces must add up to those of the whole text, or a lens would show a number that no
// provider ever reports.
func TestPiecesAddUpToTheWhole(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	parts := []string{"word", " word", "\n", "\n\n", "  ", "\t", "...", "/path", "# Heading\n", "12345", "漢字", "é", "'s", "-- \n", "\r\n", "```", "*", "!\n/", " \n \n", "😀"}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		k := tokenizer(t, name)
		for range 40 {
			var b strings.Builder
			for b.Len() < 12_000 {
				b.WriteString(parts[r.Intn(len(parts))])
			}
			d, err := promptfile.Open("x", "CLAUDE.md", "", []byte(b.String()), exact{k})
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				from := r.Intn(len(d.Text) + 1)
				for from > 0 && from < len(d.Text) && d.Text[from]&0xC0 == 0x80 {
					from--
				}
				if err := d.Change(from, from, []byte(parts[r.Intn(len(parts))])); err != nil {
					t.Fatal(err)
				}
			}
			var s promptfile.Set
			s.Put(d)
			if got, want := s.View(d, promptfile.Budget{}, nil, false).Tokens, k.Count(d.Text); got != want {
				t.Fatalf("%s: pieces add up to %d, the whole is %d", name, got, want)
			}
		}
	}
}

func BenchmarkKeystrokeIn1MB(b *testing.B) {
	k := tokenizer(b, "o200k_base")
	section := "## Section\n\n" + strings.Repeat("A line of ordinary prose, of no great length, with some `code` in it.\n", 40) + "\n"
	text := strings.Repeat(section, 1<<20/len(section))
	d, err := promptfile.Open("x", "CLAUDE.md", "", []byte(text), exact{k})
	if err != nil {
		b.Fatal(err)
	}
	var s promptfile.Set
	s.Put(d)
	for i := 0; b.Loop(); i++ {
		d.Change(len(text)/2+i%100, len(text)/2+i%100, []byte("x"))
		s.View(d, promptfile.Budget{}, nil, false)
	}
}
