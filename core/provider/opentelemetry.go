// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readTelemetry reads the gen_ai.usage attributes of a span, either as a flat object or as OTLP's list of keys and
// values. The input includes cached tokens, and the output includes reasoning.
func readTelemetry(r *reader, u, _ json.Value, c *counts) {
	get := func(names ...string) int64 {
		for _, name := range names {
			if v := attribute(u, name); v.Exists() {
				return r.numeral(v, name)
			}
		}
		return core.Unknown
	}
	c.input = get("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
	c.output = get("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
	c.cacheRead = get("gen_ai.usage.cache_read.input_tokens")
	c.cacheWrite = get("gen_ai.usage.cache_creation.input_tokens")
	c.reasoning = get("gen_ai.usage.reasoning.output_tokens")
	c.cache, c.thought = within, within
	if c.input == core.Unknown && !attribute(u, "gen_ai.usage.input_tokens").Exists() {
		r.warn("gen_ai.usage.input_tokens", phrase.FieldAbsent.Text())
	}
}

func attribute(u json.Value, name string) json.Value {
	list := u.Get("attributes")
	if list.Kind() != json.Array {
		return u.Get(name)
	}
	for e := list.Elements(); e.Next(); {
		if !e.Value.Get("key").Is(name) {
			continue
		}
		value := e.Value.Get("value")
		for _, kind := range []string{"intValue", "int_value", "stringValue", "doubleValue"} {
			if v := value.Get(kind); v.Exists() {
				return v
			}
		}
		return value
	}
	return json.Value{}
}
