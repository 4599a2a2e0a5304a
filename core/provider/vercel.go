// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readSDK4 reads the usage of the AI SDK's version 4. It is a sum if a run has several steps, so callers should pass
// the last step's usage. The TypeScript clients of Mistral and OpenRouter use the same names for the chat usage.
func readSDK4(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "promptTokens")
	c.output = r.may(u, "completionTokens")
	c.total = r.may(u, "totalTokens")
	c.cacheRead = first(r.inside(u, "promptTokensDetails", "cachedTokens"), r.nullable(u, "numCachedTokens"))
	c.cacheWrite = r.inside(u, "promptTokensDetails", "cacheWriteTokens")
	c.reasoning = r.inside(u, "completionTokensDetails", "reasoningTokens")
}

// readSDK reads the usage of the AI SDK's versions 5 to 7, and of its provider interface. Since version 6, inputTokens
// includes the cache; in version 5 that depends on the provider: Anthropic's leaves it out.
//
// If the provider's own usage is attached, that is read instead: it separates an Anthropic reply's last iteration from
// the sum of all, and a Gemini reply's tool results from its prompt.
func readSDK(r *reader, u, whole json.Value, c *counts) {
	if raw := u.Get("raw"); raw.Kind() == json.Object {
		if s := recognise(raw, r.provider); s != noShape && s != sdk {
			*c = newCounts(c.shape)
			readers[s](r, raw, u, c)
			r.settled = true
			// The SDK may report parts that the provider's own usage does not.
			c.reasoning = first(c.reasoning, r.sdkPart(r.object(u, "outputTokenDetails"), "outputTokenDetails", "reasoningTokens"))
			return
		}
	}
	if in := u.Get("inputTokens"); in.Kind() == json.Object {
		// The provider interface: {total, noCache, cacheRead, cacheWrite}.
		c.input = r.sdkPart(in, "inputTokens", "total")
		c.cacheRead = r.sdkPart(in, "inputTokens", "cacheRead")
		c.cacheWrite = r.sdkPart(in, "inputTokens", "cacheWrite")
		out := r.object(u, "outputTokens")
		c.output = r.sdkPart(out, "outputTokens", "total")
		c.reasoning = r.sdkPart(out, "outputTokens", "reasoning")
		c.cache, c.thought = within, within
		return
	}
	c.input = r.must(u, "inputTokens")
	c.output = r.may(u, "outputTokens")
	c.total = r.may(u, "totalTokens")
	if has(u, "inputTokenDetails", "outputTokenDetails") {
		c.cacheRead = r.inside(u, "inputTokenDetails", "cacheReadTokens")
		c.cacheWrite = r.inside(u, "inputTokenDetails", "cacheWriteTokens")
		c.reasoning = r.inside(u, "outputTokenDetails", "reasoningTokens")
		c.cache, c.thought = within, within
		return
	}
	c.cacheRead = r.nullable(u, "cachedInputTokens")
	if has(u, "reasoningOutputTokens") { // Codex's app server, which spells OpenAI's usage this way
		c.reasoning = r.may(u, "reasoningOutputTokens")
		c.cache, c.thought = within, within
		return
	}
	c.reasoning = r.nullable(u, "reasoningTokens")
	metadata := whole.Path("providerMetadata", "anthropic")
	provider := r.provider
	if metadata.Kind() == json.Object {
		provider = "anthropic"
	}
	switch provider {
	case "anthropic", "amazon-bedrock", "minimax":
		// Version 5: only input_tokens. Cache writes are only in the provider's metadata.
		if native := metadata.Get("usage"); native.Kind() == json.Object {
			readers[anthropic](r, native, whole, c)
			r.settled = true
			return
		}
		c.cacheWrite = r.nullable(metadata, "cacheCreationInputTokens")
		c.cache, c.thought = without, within
		if c.cacheWrite == core.Unknown && c.cacheRead != core.Unknown {
			c.note = phrase.CacheUntold.Text()
		}
	case "openai", "azure", "google", "google-vertex":
		c.cache = within
		if r.provider == "openai" || r.provider == "azure" {
			c.thought = within
		}
	default:
		c.unclear = true
	}
}

// sdkPart reads a number that the AI SDK leaves undefined if unknown.
func (r *reader) sdkPart(u json.Value, object, key string) int64 {
	v := u.Get(key)
	if v.IsNull() {
		return core.Unknown
	}
	return r.whole(v, object+"."+key)
}
