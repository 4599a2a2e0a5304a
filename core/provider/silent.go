// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Silent reports whether a response that looks successful hides a prompt that did not fit: some providers truncate the
// prompt, some accept it, and some stop early and only give the reason. v is the value that contains the usage; window
// is the limit, or Unknown.
func Silent(provider string, v json.Value, m core.Metered, window int64) (core.Overflowed, bool) {
	provider = model.Provider(provider)
	o := core.Overflowed{Prompt: core.Unknown, Output: core.Unknown, Limit: core.Unknown}
	if m.Window > 0 {
		window = m.Window
	}
	stop := stopReason(v, 0)
	full := func(sentence core.Text) (core.Overflowed, bool) {
		o.Prompt, o.Note = m.In, sentence
		return o, true
	}
	switch {
	case stop.Is("model_context_window_exceeded"), stop.Is("contextLengthReached"):
		return full(phrase.WindowFull.Text())
	case v.Get("truncated").Bool():
		o.PromptIs = core.LowerBound
		return full(phrase.PromptCut.Text())
	case window <= 0 || m.In <= 0 || m.Sum:
		return o, false
	case m.In > window:
		return full(phrase.SilentAccepted.Text())
	case stop.Is("length") && m.Out == 0 && m.In >= window-window/100:
		o.PromptIs = core.LowerBound
		return full(phrase.SilentFilled.Text())
	case (provider == "ollama" || has(v, "prompt_eval_count")) && m.In >= window-1:
		o.PromptIs = core.LowerBound
		return full(phrase.SilentOllama.Text())
	case provider == "lmstudio" && m.In >= window-window/100:
		o.PromptIs = core.LowerBound
		return full(phrase.SilentLMStudio.Text())
	}
	return o, false
}

// stopReason returns the reason why a response ended, from the fields that providers use for it.
func stopReason(v json.Value, depth int) json.Value {
	if depth > 3 || v.Kind() != json.Object {
		return json.Value{}
	}
	for _, key := range []string{"stop_reason", "stopReason", "finish_reason", "finishReason", "done_reason"} {
		if s := v.Get(key); s.Kind() == json.String {
			return s
		}
	}
	if choices := v.Get("choices"); choices.Kind() == json.Array {
		for e := choices.Elements(); e.Next(); {
			if s := stopReason(e.Value, depth+1); s.Exists() {
				return s
			}
		}
	}
	for _, key := range []string{"delta", "message", "stats", "messageStop", "response"} {
		if s := stopReason(v.Get(key), depth+1); s.Exists() {
			return s
		}
	}
	return json.Value{}
}
