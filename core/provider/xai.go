// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readXAI adds xAI's older names. Reasoning is not included in completion_tokens of its chat API (unlike in its
// Responses API), unless the total says otherwise. If cached tokens exceed the prompt, it does not include them.
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
		c.thought = separate
	}
}
