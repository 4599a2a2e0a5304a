// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readDeepSeek reads DeepSeek's division of the prompt into cache hits and misses. The prompt includes both, and a miss
// is not a write.
func readDeepSeek(r *reader, u json.Value, c *counts) {
	hit, miss := r.nullable(u, "prompt_cache_hit_tokens"), r.nullable(u, "prompt_cache_miss_tokens")
	c.cacheRead = first(c.cacheRead, hit)
	if c.input == core.Unknown && hit != core.Unknown && miss != core.Unknown {
		c.input = hit + miss
		c.note = phrase.HitsAndMisses.Text()
	}
}
