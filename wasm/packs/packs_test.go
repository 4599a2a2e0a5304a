// Copyright The ctx-lsp authors. MIT licence.

package packs_test

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/wasm/packs"
)

func TestAVocabularyIsLoadedIfItIsKnown(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"text":"Hello, world!","encoding":"o200k"}`, `"tokens":4`},
		{`{"text":"Hello, world!","encoding":"cl100k"}`, `"tokens":4`},
		{`{"text":"Hello, world!","model":"no-such-model","encoding":"no-such-encoding"}`, `"error"`},
	} {
		meter := api.New()
		if got := string(packs.Call(meter, "ctx/count", []byte(c.params))); !strings.Contains(got, c.want) {
			t.Errorf("%s gives %s, want %s", c.params, got, c.want)
		}
	}
}
