// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readPlain reads ctx-lsp's own usage, for callers that have converted the provider's. in includes the cache, and out
// includes the reasoning.
func readPlain(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "in")
	c.output = r.may(u, "out")
	c.reasoning = r.may(u, "reasoning")
	c.cacheRead = r.may(u, "cacheRead")
	c.cacheWrite = r.may(u, "cacheWrite")
	c.cache, c.thought = within, within
}
