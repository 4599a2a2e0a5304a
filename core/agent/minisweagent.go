// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

func miniSWEAgentEntry() entry {
	return entry{MiniSWEAgent, isMiniSWEAgent, func() Reader { return &miniSWEAgent{} }}
}

func isMiniSWEAgent(r json.Value) bool {
	if format := r.Get("trajectory_format").Raw(); len(format) > 15 && string(format[1:15]) == "mini-swe-agent" {
		return true
	}
	return r.Path("extra", "response", "usage").Exists() && r.Get("role").Exists()
}

// miniSWEAgent reads trajectories: the whole prompt in the order it was
// sent, every answer with the provider's response beside it.
type miniSWEAgent struct {
	transcript
	calls int64
}

func (a *miniSWEAgent) Record(r json.Value, emit func(core.Event)) {
	a.emit = emit
	if r.Get("role").Exists() {
		a.message(r)
		return
	}
	info := r.Get("info")
	if !info.Exists() && !r.Get("messages").Exists() {
		a.unknown(r, r.Get("type"))
		return
	}
	a.seen(MiniSWEAgent, info.Get("mini_version"))
	a.cwd(info.Path("config", "environment", "cwd"))
	for e := r.Get("messages").Elements(); e.Next(); {
		a.message(e.Value)
	}
}

func (a *miniSWEAgent) message(m json.Value) {
	a.atText(m.Get("timestamp"))
	if a.agent == "" {
		a.seen(MiniSWEAgent, json.Value{})
	}
	switch role := m.Get("role"); {
	case role.Is("assistant"):
		a.answer(m)
	case role.Is("system"):
		a.content(core.System, m.Get("content"))
	case role.Is("user"):
		if a.calls == 0 {
			a.turn()
			a.content(core.User, m.Get("content"))
			return
		}
		// What a command printed comes back in the shape of a user's words.
		a.content(core.ToolResults, m.Get("content"))
	case role.Is("tool"):
		a.content(core.ToolResults, m.Get("content"))
	case role.Is("exit"):
		a.turnOver()
	default:
		a.unknown(m, role)
	}
}

func (a *miniSWEAgent) answer(m json.Value) {
	response := m.Path("extra", "response")
	if t := response.Get("created"); t.Exists() {
		a.atText(t)
	}
	usage := response.Get("usage")
	if in := count(usage.Get("prompt_tokens")); in > 0 {
		metered := core.NewMetered()
		metered.Request = short(response.Get("id"))
		metered.Model = a.answered(short(response.Get("model")), short(response.Get("provider")), "chat")
		metered.In = in
		metered.Out = count(usage.Get("completion_tokens"))
		metered.Reasoning = count(usage.Path("completion_tokens_details", "reasoning_tokens"))
		metered.CacheRead = count(usage.Path("prompt_tokens_details", "cached_tokens"))
		metered.Through, metered.ThroughSet = a.items, true
		a.calls++
		a.emit(metered)
	}
	a.content(core.Assistant, m.Get("content"))
	for e := m.Get("tool_calls").Elements(); e.Next(); {
		f := e.Value.Get("function")
		item := newItem(core.ToolCalls)
		item.Name = short(f.Get("name"))
		item.Label = item.Name
		item.Text, a.scratch = f.Get("arguments").Text(a.scratch)
		a.add(item)
	}
}

func (a *miniSWEAgent) content(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		a.text(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		a.text(kind, e.Value.Get("text"))
	}
}

// miniSWEAgentRule: nothing compacts; the provider's refusal ends the run.
func miniSWEAgentRule(*Installation) core.Rule {
	return core.Rule{Name: "mini-swe-agent never compacts", Since: "2025-11-01", Source: "mini-swe-agent src/minisweagent/agents/default.py", Hard: true}
}
