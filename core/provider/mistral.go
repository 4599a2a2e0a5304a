// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readMistral adds Mistral's own fields: the cached tokens in one of three fields, one of them misspelled by the API,
// and the tokens from connectors of the Conversations API, which the prompt does not include.
func readMistral(r *reader, u json.Value, c *counts) {
	c.cacheRead = first(c.cacheRead, r.nullable(u, "num_cached_tokens"), r.inside(u, "prompt_token_details", "cached_tokens"))
	if n := r.nullable(u, "connector_tokens"); n != core.Unknown {
		c.tools = n
	}
}
