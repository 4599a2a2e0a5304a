// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var miniSWEAgentEntry = Entry{
	ID: MiniSWEAgent, Name: "mini-SWE-agent",
	Proof:     Proof{Lab: "2.4.6"},
	Recognise: isMiniSWEAgent, Read: func(string) Reader { return &miniSWEAgent{} },
	Rule: miniSWEAgentRule,
}

func isMiniSWEAgent(r json.Value) bool {
	if format := r.Get("trajectory_format").Raw(); len(format) > 15 && string(format[1:15]) == "mini-swe-agent" {
		return true
	}
	return r.Path("extra", "response", "usage").Exists() && r.Get("role").Exists()
}

// miniSWEAgent reads trajectories, which contain the whole prompt in the order
// in which it was sent, and beside every answer the provider's response.
type miniSWEAgent struct {
	reader.Transcript
	calls int64
	tools reader.Calls
	doing core.Subject // what the last answer asked for in a block of its text
}

func (a *miniSWEAgent) Record(r json.Value, emit func(core.Event)) {
	a.Emit = emit
	if r.Get("role").Exists() || r.Get("object").Is("response") || r.Get("type").Is("function_call_output") {
		a.message(r)
		return
	}
	info := r.Get("info")
	if !info.Exists() && !r.Get("messages").Exists() {
		a.SkipUnknown(r, r.Get("type"))
		return
	}
	a.SetAgent(MiniSWEAgent, info.Get("mini_version"))
	a.SetWorkspace(info.Path("config", "environment", "cwd"))
	for e := r.Get("messages").Elements(); e.Next(); {
		a.message(e.Value)
	}
}

func (a *miniSWEAgent) message(m json.Value) {
	a.AdvanceTo(m.Get("timestamp"))
	if a.Agent == "" {
		a.SetAgent(MiniSWEAgent, json.Value{})
	}
	switch role := m.Get("role"); {
	case m.Get("object").Is("response"):
		a.response(m)
	case m.Get("type").Is("function_call_output"):
		a.result(m.Get("call_id"), m.Get("output"))
	case role.Is("assistant"):
		a.answer(m)
	case role.Is("system"):
		a.content(core.System, m.Get("content"))
	case role.Is("user"):
		if a.calls == 0 {
			a.StartTurn()
			a.content(core.User, m.Get("content"))
			return
		}
		// The output of a command comes in the shape of a user's message.
		a.printed(m.Get("content"))
	case role.Is("tool"):
		a.result(m.Get("tool_call_id"), m.Get("content"))
	case role.Is("exit"):
		a.EndTurn()
	default:
		a.SkipUnknown(m, role)
	}
}

func (a *miniSWEAgent) answer(m json.Value) {
	response := m.Path("extra", "response")
	if t := response.Get("created"); t.Exists() {
		a.AdvanceTo(t)
	}
	// Without tools that are called, whose definitions are not recorded, the messages are the whole prompt.
	a.Emit(core.CompletenessKnown{Complete: len(a.tools.Known) == 0 && m.Get("tool_calls").Kind() != json.Array})
	usage := response.Get("usage")
	a.meter(response, reader.Count(usage.Get("prompt_tokens")), reader.Count(usage.Get("completion_tokens")),
		reader.Count(usage.Path("completion_tokens_details", "reasoning_tokens")), reader.Count(usage.Path("prompt_tokens_details", "cached_tokens")), "chat")
	a.content(core.Assistant, m.Get("content"))
	a.doing = core.Subject{}
	if content := m.Get("content"); content.Kind() == json.String && m.Get("tool_calls").Kind() != json.Array {
		a.doing = blockCommand(content.String())
	}
	for e := m.Get("tool_calls").Elements(); e.Next(); {
		f := e.Value.Get("function")
		a.call(e.Value.Get("id"), f.Get("name"), f.Get("arguments"))
	}
}

// response reads an answer of OpenAI's Responses API, kept as it came.
func (a *miniSWEAgent) response(m json.Value) {
	if t := m.Get("created_at"); t.Exists() {
		a.AdvanceTo(t)
	}
	usage := m.Get("usage")
	a.meter(m, reader.Count(usage.Get("input_tokens")), reader.Count(usage.Get("output_tokens")),
		reader.Count(usage.Path("output_tokens_details", "reasoning_tokens")), reader.Count(usage.Path("input_tokens_details", "cached_tokens")), "responses")
	for e := m.Get("output").Elements(); e.Next(); {
		switch p := e.Value; {
		case p.Get("type").Is("message"):
			a.content(core.Assistant, p.Get("content"))
		case p.Get("type").Is("function_call"):
			a.call(p.Get("call_id"), p.Get("name"), p.Get("arguments"))
		case p.Get("type").Is("reasoning"):
			item := reader.NewItem(core.Reasoning)
			item.Opaque = int64(p.Get("encrypted_content").TextLen())
			a.Add(item)
		}
	}
}

func (a *miniSWEAgent) meter(response json.Value, in, out, reasoning, cached int64, route string) {
	if in <= 0 {
		return
	}
	metered := core.NewMetered()
	metered.Request = reader.Short(response.Get("id"))
	metered.Model = a.AnsweredBy(reader.Short(response.Get("model")), reader.Short(response.Get("provider")), route)
	metered.In, metered.Out, metered.Reasoning, metered.CacheRead = in, out, reasoning, cached
	metered.Through, metered.ThroughSet = a.Items, true
	a.calls++
	a.Emit(metered)
}

func (a *miniSWEAgent) call(id, name, arguments json.Value) {
	item := reader.NewItem(core.ToolCalls)
	item.Name = reader.Short(name)
	item.Label = core.Named(item.Name)
	item.Text, a.Scratch = arguments.Text(a.Scratch)
	item.About = reader.About(item.Name, arguments)
	a.tools.Add(reader.Hash(id), item.Name, a.Items)
	a.Add(item)
}

// result reads the output of a command, for the call that asked for it.
func (a *miniSWEAgent) result(id, content json.Value) {
	item := reader.NewItem(core.ToolResults)
	item.Name = a.tools.Name(reader.Hash(id))
	item.Label = core.Named(item.Name)
	item.Answers = a.tools.Answers(reader.Hash(id))
	text := a.Scratch[:0]
	if content.Kind() == json.String {
		text = content.AppendText(text)
	}
	for e := content.Elements(); e.Next(); {
		text = e.Value.Get("text").AppendText(text)
	}
	item.Text, a.Scratch = text, text
	a.Add(item)
}

// printed adds what the command in the text of the last answer printed. It has
// the name of the command, and is counted as the text that it is.
func (a *miniSWEAgent) printed(content json.Value) {
	if content.Kind() != json.String || a.doing.What == core.OfNothing {
		a.content(core.ToolResults, content)
		return
	}
	item := reader.NewItem(core.ToolResults)
	item.Label, item.About = core.Named("bash"), a.doing
	item.Text, a.Scratch = content.Text(a.Scratch)
	a.Add(item)
	a.doing = core.Subject{}
}

// blockCommand names the command in the last block of an answer that asks for
// one, as the agent demands it: one block, of bash.
func blockCommand(text string) core.Subject {
	for _, fence := range []string{"```bash", "```mswea_bash_command"} {
		start := strings.LastIndex(text, fence+"\n")
		if start < 0 {
			continue
		}
		command, _, closed := strings.Cut(text[start+len(fence)+1:], "\n```")
		if closed {
			return reader.NameCommand(reader.ShellWords(command[:min(len(command), reader.MaxCommand)]))
		}
	}
	return core.Subject{}
}

func (a *miniSWEAgent) content(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		a.AddText(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		a.AddText(kind, e.Value.Get("text"))
	}
}

// miniSWEAgentRule: mini-SWE-agent never compacts; the provider's refusal ends the run.
func miniSWEAgentRule(*Installation) core.Rule {
	return core.Rule{Name: "mini-swe-agent never compacts", Since: "2025-11-01", Source: "mini-swe-agent src/minisweagent/agents/default.py", Hard: true}
}

func (a *miniSWEAgent) Walk(c *codec.Codec) {
	a.WalkTranscript(c)
	codec.Within(c, "calls", &a.calls, 0, 1<<53)
	codec.Within(c, "doing.What", &a.doing.What, 0, int64(core.OfOthers))
	c.Names("doing.Holder doing.Name", &a.doing.Holder, &a.doing.Name)
	a.tools.Walk(c.Part("tools"))
}
