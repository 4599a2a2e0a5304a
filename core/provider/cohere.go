// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readCohere reads Cohere's usage. tokens is the model's actual input and output. The billed units leave out the
// template and the system's overhead, so they never replace it.
func readCohere(r *reader, u, _ json.Value, c *counts) {
	tokens := r.object(u, "tokens")
	if !tokens.Exists() {
		r.warn("tokens", phrase.FieldBilled.Text())
		return
	}
	if has(tokens, "inputTokens", "outputTokens") { // its TypeScript client's spelling
		c.input = r.must(tokens, "inputTokens")
		c.output = r.may(tokens, "outputTokens")
	} else {
		c.input = r.must(tokens, "input_tokens")
		c.output = r.may(tokens, "output_tokens")
	}
	c.cache, c.thought = within, within
}
