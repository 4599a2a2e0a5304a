// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readLlamaCpp reads llama.cpp's native response: tokens_evaluated is the whole prompt, and in timings prompt_n does
// not include cache_n.
func readLlamaCpp(r *reader, u, _ json.Value, c *counts) {
	c.input = r.may(u, "tokens_evaluated")
	c.output = r.may(u, "tokens_predicted")
	c.cache, c.thought = within, within
	timings := u
	if t := u.Get("timings"); t.Kind() == json.Object {
		timings = t
	} else if t.Exists() && !t.IsNull() {
		r.warn("timings", phrase.FieldKindObject.Text(phrase.Name(t.Kind().String())))
	}
	readTimings(r, timings, c)
	if n := positive(u.Path("generation_settings", "n_ctx")); n > 0 {
		c.window = n
	}
	if c.input == core.Unknown {
		r.warn("tokens_evaluated", phrase.FieldAbsent.Text())
	}
}

// readTimings sets the numbers that are still unknown.
func readTimings(r *reader, t json.Value, c *counts) {
	cached, fresh := r.may(t, "cache_n"), r.may(t, "prompt_n")
	if c.input == core.Unknown && fresh != core.Unknown {
		c.input = fresh + orZero(cached)
	}
	c.cacheRead = first(c.cacheRead, cached)
	c.output = first(c.output, r.may(t, "predicted_n"))
}
