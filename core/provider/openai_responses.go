// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readResponses reads the usage of OpenAI's Responses API (also on Azure), of its Realtime API, of Copilot's Responses
// route and of Codex. input_tokens includes everything cached, and output_tokens includes all reasoning.
func readResponses(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "input_tokens")
	c.output = r.must(u, "output_tokens")
	c.total = r.may(u, "total_tokens")
	in, out := "input_tokens_details", "output_tokens_details"
	if has(u, "input_token_details", "output_token_details") {
		in, out = "input_token_details", "output_token_details"
	}
	c.cacheRead = first(r.inside(u, in, "cached_tokens"), r.may(u, "cached_input_tokens"), r.may(u, "cached_tokens"), r.may(u, "cache_read_tokens"),
		r.inside(u, "prompt_tokens_details", "cached_tokens")) // the last is DashScope's
	c.cacheWrite = first(r.inside(u, in, "cache_write_tokens"), r.may(u, "cache_write_input_tokens"), r.may(u, "cache_write_tokens"))
	c.reasoning = first(r.inside(u, out, "reasoning_tokens"), r.may(u, "reasoning_output_tokens"))
	c.modality.Text = r.inside(u, in, "text_tokens")
	c.modality.Image = r.inside(u, in, "image_tokens")
	c.modality.Audio = r.inside(u, in, "audio_tokens")

	// Some gateways report their own tokens, which may be included in the others or not; the total decides.
	c.extraIn = r.inside(u, in, "orchestration_input_tokens")
	c.extraOut = r.inside(u, out, "orchestration_output_tokens")
	c.cache, c.thought = within, within

	// An agent framework's usage of a whole run has the number of requests that it adds up, and may have the usage of
	// the last one.
	c.sum = r.may(u, "requests") > 1
	var last json.Value
	for e := u.Get("request_usage_entries").Elements(); e.Next(); {
		last = e.Value
	}
	if has(last, "input_tokens", "output_tokens") && !has(last, "request_usage_entries") {
		r.entry = true
		*c = newCounts(c.shape)
		readResponses(r, last, json.Value{}, c)
	}
}
