// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readOllama reads the last object of Ollama's native stream. prompt_eval_count includes cached tokens. Old servers
// count only the tokens that they evaluate, and omit the field or write 1 if everything was cached; such a number is
// treated as unknown.
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
