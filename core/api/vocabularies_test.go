// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

func withVocabularies(t testing.TB) *Core {
	t.Helper()
	c := New()
	for _, name := range []string{"o200k", "cl100k", "p50k", "r50k"} {
		bytes, ok := assets.Pack(name)
		if !ok {
			t.Fatalf("no pack %s", name)
		}
		if err := c.Load(name, bytes); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
