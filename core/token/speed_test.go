// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkCount counts the texts in the directory CTX_BENCH_TEXTS, which `make bench-texts` fills, with an empty
// cache.
func BenchmarkCount(b *testing.B) { benchmarkTexts(b, true) }

// BenchmarkCountAgain counts the same texts with a filled cache.
func BenchmarkCountAgain(b *testing.B) { benchmarkTexts(b, false) }

func benchmarkTexts(b *testing.B, forget bool) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("CTX_BENCH_TEXTS"), "*.txt"))
	if os.Getenv("CTX_BENCH_TEXTS") == "" || len(files) == 0 {
		b.Skip("set CTX_BENCH_TEXTS to a folder of texts, as make bench-texts makes it")
	}
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		t := open(b, encoding)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(encoding+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				t.Count(text)
				for b.Loop() {
					if forget {
						t.Forget()
					}
					t.Count(text)
				}
			})
		}
	}
}
