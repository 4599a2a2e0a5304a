// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readOllama reads the last object of Ollama's native stream. Cached tokens are
// inside prompt_eval_count. Old servers count only what they evaluate anew, and
// leave the field out or write 1 when all was cached. So small a number is no
// prompt, and counts as unknown.
func readOllama(r *reader, u, _ json.Value, c *counts) {
	c.input = r.may(u, "prompt_eval_count")
	c.output = r.may(u, "eval_count")
	c.cacheRead = r.may(u, "prompt_eval_cached_count")
	c.cache, c.thought = within, within
	if c.input == core.Unknown || c.input <= 1 {
		c.input = core.Unknown
		c.note = phrase.OllamaPrompt.Text()
	}
}
