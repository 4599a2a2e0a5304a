// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readMistral adds what Mistral says in its own words: the cached tokens in
// one of three places, one of them misspelt by the API, and the tokens that
// the Conversations API's connectors fed back, beside the prompt.
func readMistral(r *reader, u json.Value, c *counts) {
	c.cacheRead = first(c.cacheRead, r.nullable(u, "num_cached_tokens"), r.inside(u, "prompt_token_details", "cached_tokens"))
	if n := r.nullable(u, "connector_tokens"); n != core.Unknown {
		c.tools = n
	}
}
