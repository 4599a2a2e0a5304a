// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// readChat reads the usage of OpenAI's Chat Completions and of every API that follows it: Azure, DeepSeek, Groq,
// Moonshot, Z.AI, Qwen, OpenRouter, Mistral, vLLM, llama.cpp, LM Studio, and Copilot's chat route. prompt_tokens
// includes cached tokens, and completion_tokens includes reasoning. Dialects that differ have their own files; their
// readers run last.
func readChat(r *reader, u, whole json.Value, c *counts) {
	c.input = r.must(u, "prompt_tokens")
	c.output = r.must(u, "completion_tokens")
	c.total = r.may(u, "total_tokens")
	const prompt, completion = "prompt_tokens_details", "completion_tokens_details"
	c.cacheRead = r.inside(u, prompt, "cached_tokens")
	c.cacheWrite = first(r.inside(u, prompt, "cache_write_tokens"), r.inside(u, prompt, "cache_creation_tokens"))
	c.reasoning = r.inside(u, completion, "reasoning_tokens")
	c.modality.Text = r.inside(u, prompt, "text_tokens")
	c.modality.Image = r.inside(u, prompt, "image_tokens")
	c.modality.Audio = r.inside(u, prompt, "audio_tokens")
	c.modality.Video = r.inside(u, prompt, "video_tokens")
	r.inside(u, completion, "audio_tokens")
	r.inside(u, completion, "accepted_prediction_tokens")
	r.inside(u, completion, "rejected_prediction_tokens") // already in completion_tokens

	// Proxies may add Anthropic's names; LiteLLM includes their tokens in the prompt.
	c.cacheRead = first(c.cacheRead, r.nullable(u, "cache_read_input_tokens"))
	c.cacheWrite = first(c.cacheWrite, r.nullable(u, "cache_creation_input_tokens"))

	if positive(u.Get("successful_requests")) > 1 {
		c.sum = true // the usage of an agent framework's whole run
	}
	c.cacheRead = first(c.cacheRead, r.nullable(u, "cached_prompt_tokens"))

	readDeepSeek(r, u, c)
	readMoonshot(r, u, c)
	readQwen(r, u, c)
	readMistral(r, u, c)
	readXAI(r, u, c)
	readPerplexity(r, u, c)
	readOpenRouter(r, u, c)
	if whole.Get("timings").Kind() == json.Object {
		readTimings(r, whole.Get("timings"), c)
	}
}
