// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readQwen adds the tokens that DashScope writes to its cache. The prompt includes both reads and writes.
func readQwen(r *reader, u json.Value, c *counts) {
	c.cacheWrite = first(c.cacheWrite, r.inside(u, "prompt_tokens_details", "cache_creation_input_tokens"))
}
