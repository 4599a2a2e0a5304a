// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readMoonshot adds Moonshot's cached tokens, which are at the top level of the usage and included in the prompt.
func readMoonshot(r *reader, u json.Value, c *counts) {
	c.cacheRead = first(c.cacheRead, r.nullable(u, "cached_tokens"))
}
