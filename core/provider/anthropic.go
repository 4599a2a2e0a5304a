// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readAnthropic reads the usage of Anthropic's Messages API, either whole or from a stream's message_start and
// message_delta, on any host. Cached tokens are not included in input_tokens; thinking is included in output_tokens.
//
// The delta's fields are cumulative and may be null; the others replace the values from message_start.
func readAnthropic(r *reader, u, whole json.Value, c *counts) {
	delta := whole.Get("type").Is("message_delta")
	if delta {
		c.input = r.nullable(u, "input_tokens")
	} else {
		c.input = r.must(u, "input_tokens")
	}
	c.output = r.must(u, "output_tokens")
	c.cacheRead = r.nullable(u, "cache_read_input_tokens")
	c.cacheWrite = r.nullable(u, "cache_creation_input_tokens")
	c.keptShort = r.inside(u, "cache_creation", "ephemeral_5m_input_tokens")
	c.keptLong = r.inside(u, "cache_creation", "ephemeral_1h_input_tokens")
	if c.cacheWrite == core.Unknown && (c.keptShort != core.Unknown || c.keptLong != core.Unknown) {
		c.cacheWrite = orZero(c.keptShort) + orZero(c.keptLong) // only the split by lifetime is given
	}
	c.reasoning = r.inside(u, "output_tokens_details", "thinking_tokens")
	c.cache, c.thought = without, within
	if has(u, "cumulative_billed_input", "cumulative_billed_output", "cumulative_billed_input_tokens", "cumulative_billed_output_tokens") {
		c.cache = within // codelet's counter has the cache in its input
		for _, sum := range []string{"cumulative_billed_input", "cumulative_billed_output", "cumulative_billed_input_tokens", "cumulative_billed_output_tokens"} {
			r.nullable(u, sum)
		}
	}
	if iterations := u.Get("iterations"); !iterations.IsNull() {
		readIterations(r, iterations, c)
		return
	}
	// Without iterations, the usage of a reply with server tools is the sum of several prompts.
	searches := r.inside(u, "server_tool_use", "web_search_requests")
	fetches := r.inside(u, "server_tool_use", "web_fetch_requests")
	if searches > 0 || fetches > 0 {
		c.serverTools = true
		c.note = phrase.ServerTools.Text()
	}
}

// readIterations sets the numbers from the last entry that is a sampling of this conversation. Tokens of a compaction
// or an advisor, and the sums at the top level, are not in the window.
func readIterations(r *reader, iterations json.Value, c *counts) {
	if iterations.Kind() != json.Array {
		r.warn("iterations", phrase.FieldKindArray.Text(phrase.Name(iterations.Kind().String())))
		return
	}
	var last json.Value
	for e := iterations.Elements(); e.Next(); {
		kind := e.Value.Get("type")
		if kind.Is("message") || kind.Is("fallback_message") {
			last = e.Value
		}
	}
	if !last.Exists() {
		return
	}
	r.entry = true
	if last.Get("type").Is("fallback_message") {
		c.note = phrase.OtherModel.Text()
	}
	c.input = r.whole(last.Get("input_tokens"), "iterations.input_tokens")
	c.output = first(r.nested(last, "iterations", "output_tokens"), c.output)
	c.cacheRead = first(r.nested(last, "iterations", "cache_read_input_tokens"), 0)
	c.cacheWrite = first(r.nested(last, "iterations", "cache_creation_input_tokens"), 0)
	c.keptShort = r.inside(last, "cache_creation", "ephemeral_5m_input_tokens")
	c.keptLong = r.inside(last, "cache_creation", "ephemeral_1h_input_tokens")
}

// nested reads a nullable field of an array element. name is the array's name for warnings.
func (r *reader) nested(u json.Value, name, key string) int64 {
	v := u.Get(key)
	if v.IsNull() {
		return core.Unknown
	}
	return r.whole(v, name+"."+key)
}
