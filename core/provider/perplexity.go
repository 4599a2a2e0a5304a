// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readPerplexity reads Perplexity's reasoning and citation tokens, which completion_tokens does not include.
func readPerplexity(r *reader, u json.Value, c *counts) {
	if r.provider != "perplexity" && !has(u, "citation_tokens", "num_search_queries") {
		// Other providers also write reasoning_tokens at the top level; their totals decide.
		c.reasoning = first(c.reasoning, r.nullable(u, "reasoning_tokens"))
		return
	}
	c.reasoning = first(r.nullable(u, "reasoning_tokens"), c.reasoning)
	cited := r.nullable(u, "citation_tokens")
	c.thought = without
	if c.output != core.Unknown {
		c.output += orZero(cited)
	}
	c.total = core.Unknown // leaves these tokens out
}
