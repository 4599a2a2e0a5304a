// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLastMarkIsFoundWhereverItStands holds the quick search from the end to the one of the library, also where a
// mark lies across two of its steps, overlaps itself, or is longer than the text.
func TestTheLastMarkIsFoundWhereverItStands(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, mark := range []string{"a", "ab", "aab", "abab", strings.Repeat("a", 20)} {
		for range 300 {
			text := make([]byte, random.IntN(40_000))
			for i := range text {
				text[i] = "ab-----"[random.IntN(7)]
			}
			if at := random.IntN(len(text) + 1); at+len(mark) <= len(text) && random.IntN(2) == 0 {
				for i := range text {
					text[i] = '-'
				}
				copy(text[at:], mark)
			}
			if got, want := lastIndex(text, []byte(mark)), bytes.LastIndex(text, []byte(mark)); got != want {
				t.Fatalf("%q in %d bytes: at %d, not at %d", mark, len(text), got, want)
			}
		}
	}
}

// BenchmarkGlimpse finds the part of a session that a glimpse reads: the last requests of a long transcript whose
// records are long too.
func BenchmarkGlimpse(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	var text bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&text, "{\"type\":\"user\",\"n\":%d,\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":%q}]}}\n", i, strings.Repeat("A line of a file.\n", 1000))
		fmt.Fprintf(&text, "{\"type\":\"assistant\",\"n\":%d,\"message\":{\"usage\":{\"input_tokens\":1}}}\n", i)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	call := func(context.Context, string, []byte) ([]byte, error) { return nil, nil }
	b.ReportAllocs()
	for b.Loop() {
		if feed, length := NewGlimpse(Session{Path: path, Size: int64(text.Len())}, call); feed == nil || length == 0 {
			b.Fatal("there is no glimpse")
		}
	}
}
