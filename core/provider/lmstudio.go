// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readLMStudio reads the stats of LM Studio's SDK.
func readLMStudio(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "promptTokensCount")
	c.output = r.may(u, "predictedTokensCount")
	c.total = r.may(u, "totalTokensCount")
}
