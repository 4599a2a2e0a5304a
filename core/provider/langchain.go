// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readLangChain reads LangChain's usage_metadata: for every provider, input_tokens is the sum of all kinds of input
// including the cache. The chunks of a stream are added up.
func readLangChain(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "input_tokens")
	c.output = r.must(u, "output_tokens")
	c.total = r.may(u, "total_tokens")
	const in, out = "input_token_details", "output_token_details"
	c.cacheRead = r.inside(u, in, "cache_read")
	c.cacheWrite = r.inside(u, in, "cache_creation")
	c.reasoning = r.inside(u, out, "reasoning")
	c.modality.Text = r.inside(u, in, "text")
	c.modality.Image = r.inside(u, in, "image")
	c.modality.Audio = r.inside(u, in, "audio")
	c.modality.Video = r.inside(u, in, "video")
	c.modality.Document = r.inside(u, in, "document")
	c.cache, c.thought = within, within
}
