// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readXAI adds xAI's older names. In its chat API reasoning stands beside
// completion_tokens (in its Responses API inside), unless the total says
// otherwise; cached tokens that exceed the prompt stand beside it.
func readXAI(r *reader, u json.Value, c *counts) {
	c.cacheRead = first(c.cacheRead, r.nullable(u, "cached_prompt_text_tokens"))
	if n := r.nullable(u, "prompt_text_tokens"); n != core.Unknown {
		c.modality.Text = first(c.modality.Text, n)
	}
	if n := r.nullable(u, "prompt_image_tokens"); n != core.Unknown {
		c.modality.Image = first(c.modality.Image, n)
	}
	if r.provider == "xai" {
		c.reasoning = first(c.reasoning, r.nullable(u, "reasoning_tokens"))
		c.thought = beside
	}
}
