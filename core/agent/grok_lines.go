// Copyright The ctx-lsp authors. MIT licence.

//go:build !wasm

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func isGrok(r json.Value) bool {
	kind := r.Get("type")
	switch name := r.Get(besideKey); {
	case name.Is("signals.json"), name.Is("summary.json"):
		return r.Get("data").Kind() == json.Object
	case r.Get("timestamp").Exists(), r.Get("uuid").Exists(), r.Get("message").Exists(), r.Get("ts").Exists():
		return false
	case kind.Is("system"), kind.Is("user"):
		return r.Get("content").Exists() && !r.Get("id").Exists()
	case kind.Is("assistant"):
		return r.Get("content").Exists() && (r.Get("model_id").Exists() || r.Get("tool_calls").Exists())
	case kind.Is("reasoning"):
		return r.Get("summary").Kind() == json.Array
	case kind.Is("tool_result"):
		return r.Get("tool_call_id").Exists()
	}
	return kind.Is("backend_tool_call") && r.Get("kind").Exists()
}

// grok reads the chat history of Grok Build, and its own meter beside it, which is what it compares with its line.
type grok struct{ speech }

func (g *grok) Record(r json.Value, emit func(core.Event)) {
	g.emit = emit
	if g.agent == "" {
		g.seen(Grok, json.Value{})
	}
	switch kind, data := r.Get("type"), r.Get("data"); {
	case r.Get(besideKey).Is("summary.json"):
		g.advanceTo(data.Get("last_active_at"))
		g.cwd(data.Path("info", "cwd"))
		g.onBranch(data.Get("head_branch"))
		g.called(data.Get("generated_title"), core.ByAgent)
		g.modelIs(short(data.Get("current_model_id")), "xai", "")
	case r.Get(besideKey).Is("signals.json"):
		g.modelIs(short(data.Get("primaryModelId")), "xai", "")
		g.windowIs(count(data.Get("contextWindowTokens")), core.Unknown, core.Unknown)
		g.ownCount(count(data.Get("contextTokensUsed")), "Grok Build")
	case kind.Is("system"):
		g.prefixed = false
		g.systemIs(r.Get("content"), json.Value{})
	case kind.Is("user"):
		if r.Get("synthetic_reason").IsNull() {
			g.turn()
		}
		g.blocks(core.User, r.Get("content"))
	case kind.Is("reasoning"):
		item := newItem(core.Reasoning)
		item.Text = appendTexts(g.scratch[:0], r.Get("summary"), 0)
		g.scratch, item.Opaque = item.Text, int64(r.Get("encrypted_content").TextLen())
		g.add(item)
	case kind.Is("assistant"):
		g.modelIs(short(r.Get("model_id")), "xai", "")
		g.blocks(core.Assistant, r.Get("content"))
		for e := r.Get("tool_calls").Elements(); e.Next(); {
			g.call(e.Value)
		}
	case kind.Is("tool_result"):
		g.result(r)
	case kind.Is("backend_tool_call"): // what the provider did by itself is not sent again
	default:
		g.unknown(r, kind)
	}
}
