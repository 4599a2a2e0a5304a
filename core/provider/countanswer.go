// Copyright The ctx-lsp authors. MIT licence.

package provider

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// isCountAnswer reports whether u is the response of a provider's count API, which measures a prompt without running
// it.
func isCountAnswer(u json.Value) bool {
	switch {
	case has(u, "count") && has(u, "max_model_len"): // vLLM
		return true
	case u.Get("object").Is("response.input_tokens"): // OpenAI
		return true
	case has(u, "input_tokens") && has(u.Get("context_management"), "original_input_tokens"): // Anthropic
		return true
	case has(u, "totalTokens"): // Gemini
		return only(u, "totalTokens", "totalBillableCharacters", "cachedContentTokenCount", "promptTokensDetails", "cacheTokensDetails", "sdkHttpResponse")
	case has(u, "input_tokens"): // Anthropic, without context management
		return only(u, "input_tokens", "context_management")
	case has(u, "inputTokens"): // Bedrock
		return only(u, "inputTokens")
	}
	return false
}

// only reports whether an object has no keys other than these.
func only(u json.Value, keys ...string) bool {
	for f := u.Fields(); f.Next(); {
		known := false
		for _, k := range keys {
			known = known || f.KeyIs(k)
		}
		if !known {
			return false
		}
	}
	return true
}

// readCountAnswer reads the prompt's size, and the window if vLLM includes it.
func readCountAnswer(r *reader, u, _ json.Value, c *counts) {
	switch {
	case has(u, "count"):
		c.input = r.must(u, "count")
		if n := r.may(u, "max_model_len"); n > 0 {
			c.window = n
		}
	case has(u, "totalTokens"):
		c.input = r.must(u, "totalTokens")
		c.cacheRead = r.may(u, "cachedContentTokenCount")
		readModalities(r, u.Get("promptTokensDetails"), "promptTokensDetails", "modality", "tokenCount", "token_count", c)
	case has(u, "inputTokens"):
		c.input = r.must(u, "inputTokens")
	default:
		c.input = r.must(u, "input_tokens")
	}
	c.cache, c.thought = within, within
	c.counted = true
}
