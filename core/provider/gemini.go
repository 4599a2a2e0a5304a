// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// readGemini reads the usageMetadata of Gemini's generateContent, streamed or not, of its Live API and of Vertex. The
// prompt includes cached tokens. Thoughts are not included in the candidates, nor tool results in the prompt. Early
// chunks of a stream lack fields.
func readGemini(r *reader, u, _ json.Value, c *counts) {
	snake := has(u, "prompt_token_count", "total_token_count", "candidates_token_count")
	key := func(camel, under string) int64 {
		if snake {
			return r.nullable(u, under)
		}
		return r.may(u, camel)
	}
	c.input = key("promptTokenCount", "prompt_token_count")
	if c.input == core.Unknown && !has(u, "promptTokenCount", "prompt_token_count") && !r.acc.seen {
		r.warn("promptTokenCount", phrase.FieldAbsent.Text())
	}
	c.output = first(key("candidatesTokenCount", "candidates_token_count"), key("responseTokenCount", "response_token_count"))
	c.reasoning = key("thoughtsTokenCount", "thoughts_token_count")
	c.total = key("totalTokenCount", "total_token_count")
	c.cacheRead = key("cachedContentTokenCount", "cached_content_token_count")
	c.tools = key("toolUsePromptTokenCount", "tool_use_prompt_token_count")
	c.firstHop = key("initialPromptTokenCount", "initial_prompt_token_count")
	c.cache, c.thought = within, without
	// In protocol buffers an absent field is zero. Assume that only if the total proves it: 12 + 0 = 12.
	if c.output == core.Unknown && c.total != core.Unknown && c.input != core.Unknown &&
		c.total == c.input+orZero(c.tools)+orZero(c.reasoning) {
		c.output = 0
	}
	for _, name := range []string{"promptTokensDetails", "prompt_tokens_details"} {
		if d := u.Get(name); d.Exists() {
			readModalities(r, d, name, "modality", "tokenCount", "token_count", c)
		}
	}
}

// readInteractions reads the usage of Gemini's Interactions API, which has the same rules but other names.
func readInteractions(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "total_input_tokens")
	c.output = r.may(u, "total_output_tokens")
	c.reasoning = r.may(u, "total_thought_tokens")
	c.total = r.may(u, "total_tokens")
	c.cacheRead = r.may(u, "total_cached_tokens")
	c.tools = r.may(u, "total_tool_use_tokens")
	c.firstHop = r.may(u, "initial_input_tokens")
	c.cache, c.thought = within, without
	if d := u.Get("input_tokens_by_modality"); d.Exists() {
		readModalities(r, d, "input_tokens_by_modality", "modality", "tokens", "token_count", c)
	}
}

func readModalities(r *reader, details json.Value, name, kind, tokens, otherwise string, c *counts) {
	if details.IsNull() {
		return
	}
	if details.Kind() != json.Array {
		r.warn(name, phrase.FieldKindArray.Text(phrase.Name(details.Kind().String())))
		return
	}
	for e := details.Elements(); e.Next(); {
		v := e.Value.Get(tokens)
		field := name + "." + tokens
		if !v.Exists() {
			v, field = e.Value.Get(otherwise), name+"."+otherwise
		}
		if !v.Exists() {
			continue
		}
		n := r.whole(v, field)
		if n == core.Unknown {
			continue
		}
		switch m := e.Value.Get(kind); {
		case m.Is("TEXT"), m.Is("text"):
			c.modality.Text = n
		case m.Is("IMAGE"), m.Is("image"):
			c.modality.Image = n
		case m.Is("AUDIO"), m.Is("audio"):
			c.modality.Audio = n
		case m.Is("VIDEO"), m.Is("video"):
			c.modality.Video = n
		case m.Is("DOCUMENT"), m.Is("document"):
			c.modality.Document = n
		}
	}
}
