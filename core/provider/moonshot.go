// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readMoonshot adds Moonshot's cached tokens, which stand at the top of the
// usage and are inside the prompt.
func readMoonshot(r *reader, u json.Value, c *counts) {
	c.cacheRead = first(c.cacheRead, r.nullable(u, "cached_tokens"))
}
