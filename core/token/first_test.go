// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// BenchmarkFirstCount measures everything that a new process does for its first count: unpacking, tables, a sentence.
func BenchmarkFirstCount(b *testing.B) {
	for _, name := range []string{"o200k_base", "cl100k_base", "r50k_base"} {
		b.Run(name, func(b *testing.B) {
			e, _ := token.Find(name)
			file, _ := assets.Pack(e.Vocabulary)
			b.ReportAllocs()
			for b.Loop() {
				v, err := token.Load(file)
				if err != nil {
					b.Fatal(err)
				}
				if token.New(e, v).CountString("The lighthouse keeper's daughter didn't believe in storms.") == 0 {
					b.Fatal("nothing counted")
				}
			}
		})
	}
}
