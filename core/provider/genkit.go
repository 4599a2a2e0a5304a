// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readGenkit reads Genkit's usage. The meaning depends on the plugin that filled it: Google's leaves thoughts out of
// the output, Anthropic's leaves the cache out of the input, and the OpenAI-compatible one includes both. The plugin is
// identified by the provider's name ("genkit/anthropic") or by the fields of the usage.
func readGenkit(r *reader, u, _ json.Value, c *counts) {
	custom := u.Get("custom")
	if native := custom.Get("usageMetadata"); native.Kind() == json.Object {
		readGemini(r, native, u, c)
		r.settled = true
		return
	}
	c.input = r.must(u, "inputTokens")
	c.output = r.may(u, "outputTokens")
	c.total = r.may(u, "totalTokens")
	c.reasoning = r.may(u, "thoughtsTokens")
	c.cacheRead = r.may(u, "cachedContentTokens")
	r.may(u, "inputCharacters")
	r.may(u, "outputCharacters")
	plugin := strings.TrimPrefix(r.provider, "genkit/")
	switch {
	case has(custom, "cache_creation_input_tokens", "cache_read_input_tokens"):
		c.cacheRead = first(r.inside(u, "custom", "cache_read_input_tokens"), c.cacheRead)
		c.cacheWrite = r.inside(u, "custom", "cache_creation_input_tokens")
		c.cache, c.thought = without, within
	case plugin == "anthropic":
		c.cache, c.thought = without, within
		if c.cacheRead != core.Unknown {
			c.note = phrase.GenkitCache.Text()
		}
	case plugin == "googleai", plugin == "google", plugin == "vertexai", plugin == "google-vertex", plugin == "google-genai":
		c.cache, c.thought = within, without
		// Tool results from Google are only in the total.
		if c.total != core.Unknown && c.input != core.Unknown && c.output != core.Unknown {
			if rest := c.total - c.input - c.output - orZero(c.reasoning); rest > 0 {
				c.tools = rest
			}
		}
	case plugin == "openai", plugin == "compat_oai", plugin == "compat-oai", plugin == "openai-compatible":
		c.cache, c.thought = within, within
	default:
		if !has(u, "totalTokens", "thoughtsTokens") && c.cacheRead > 0 {
			// Only Anthropic's Go plugin sets the cache but not the total.
			c.cache = separate
			c.note = phrase.GenkitTotal.Text()
		}
		c.unclear = c.total == core.Unknown
	}
}
