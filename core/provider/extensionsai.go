// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readExtensions reads the UsageDetails of Microsoft.Extensions.AI: the input includes cached tokens, and the output
// includes reasoning. Function invocation adds usages up, but that is not visible in the object.
func readExtensions(r *reader, u, _ json.Value, c *counts) {
	pick := func(camel, pascal string) int64 {
		if has(u, pascal) {
			return r.nullable(u, pascal)
		}
		return r.nullable(u, camel)
	}
	if has(u, "LastInputTokenCount", "lastInputTokenCount") {
		c.input = pick("lastInputTokenCount", "LastInputTokenCount")
		c.output = pick("lastOutputTokenCount", "LastOutputTokenCount")
		c.cache, c.thought = within, within
		return
	}
	if !has(u, "inputTokenCount", "InputTokenCount") || u.Get("inputTokenCount").IsNull() && u.Get("InputTokenCount").IsNull() {
		r.warn("InputTokenCount", phrase.FieldAbsent.Text())
	}
	c.input = pick("inputTokenCount", "InputTokenCount")
	c.output = pick("outputTokenCount", "OutputTokenCount")
	c.total = pick("totalTokenCount", "TotalTokenCount")
	c.cacheRead = pick("cachedInputTokenCount", "CachedInputTokenCount")
	c.reasoning = pick("reasoningTokenCount", "ReasoningTokenCount")
	c.modality.Text = pick("inputTextTokenCount", "InputTextTokenCount")
	c.modality.Audio = pick("inputAudioTokenCount", "InputAudioTokenCount")
	c.cache, c.thought = within, within
}
