// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readACP reads the usage_update of the Agent Client Protocol: the current size of the context, including the last
// reply, and its limit.
func readACP(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "used")
	c.output, c.reasoning = 0, 0 // inside used
	if n := r.may(u, "size"); n > 0 {
		c.window = n
	}
	c.cache, c.thought = within, within
}

// readACPTurn reads the usage at the end of a prompt turn. It adds up all requests of the session, so it is not the
// size of the context.
func readACPTurn(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "inputTokens")
	c.output = r.may(u, "outputTokens")
	c.total = r.may(u, "totalTokens")
	c.reasoning = r.nullable(u, "thoughtTokens")
	c.cacheRead = r.nullable(u, "cachedReadTokens")
	c.cacheWrite = r.nullable(u, "cachedWriteTokens")
	c.cache, c.thought = separate, separate
	c.sum = true
}
