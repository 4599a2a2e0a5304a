// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// isPydanticAI reports whether a value is a message of Pydantic AI: a request or a response with parts.
func isPydanticAI(v json.Value) bool {
	kind := v.Get("kind")
	return (kind.Is("request") || kind.Is("response")) && v.Get("parts").Kind() == json.Array
}

// pydanticAI reads a message of Pydantic AI. Its instructions are not counted: every request contains them, but they
// are sent once, as part of the fixed context.
func (m *message) pydanticAI(v json.Value) {
	m.kind = core.User
	if v.Get("kind").Is("response") {
		m.kind = core.Assistant
	}
	for e := v.Get("parts").Elements(); e.Next(); {
		m.pydanticPart(e.Value)
	}
	if usage := v.Get("usage"); m.kind == core.Assistant && usage.Kind() == json.Object {
		m.measured(usage, v.Get("provider_response_id"))
	}
}

func (m *message) pydanticPart(p json.Value) {
	content := p.Get("content")
	switch kind := p.Get("part_kind"); kind.String() {
	case "user-prompt", "text", "retry-feedback":
		m.pydanticContent(content)
	case "system-prompt":
		m.add(core.System).Text = m.written(content)
	case "thinking":
		m.thought(p)
	case "tool-call", "builtin-tool-call":
		call := m.add(core.ToolCalls)
		m.identify(call, p)
		call.Name, call.Text = label(p.Get("tool_name")), m.written(p.Get("args"))
		if args := p.Get("args"); args.Kind() == json.Object {
			call.Parameters = int64(args.Len())
		}
	case "tool-return", "builtin-tool-return":
		m.pydanticResult(p, !p.Get("outcome").IsNull() && !p.Get("outcome").Is("success"))
	case "retry-prompt":
		if p.Get("tool_name").IsNull() {
			m.pydanticContent(content)
		} else {
			m.pydanticResult(p, true)
		}
	case "file":
		m.media(content)
	case "compaction":
		m.add(core.Summary).Text = m.written(content)
	default:
		m.unknown(p, kind)
	}
}

// pydanticResult reads the result of a tool.
func (m *message) pydanticResult(p json.Value, failed bool) {
	at := len(m.added)
	m.identify(m.add(core.ToolResults), p)
	inner := message{Core: m.Core, kind: core.ToolResults, first: at}
	inner.pydanticContent(p.Get("content"))
	item := &m.added[at].Item
	item.Name, item.Error = label(p.Get("tool_name")), failed
}

// pydanticContent reads a text, a list of texts and media, or another value, which is sent as JSON.
func (m *message) pydanticContent(v json.Value) {
	if v.Kind() == json.String {
		m.addText(v)
		return
	}
	parts := 0
	for e := v.Elements(); e.Next(); {
		if e.Value.Kind() == json.String || !e.Value.Get("kind").IsNull() {
			parts++
		}
	}
	if parts == 0 || parts < v.Len() {
		m.pydanticJSON(v)
		return
	}
	for e := v.Elements(); e.Next(); {
		switch kind := e.Value.Get("kind").String(); kind {
		case "":
			m.addText(e.Value)
		case "text-content":
			m.addText(e.Value.Get("content"))
		case "cache-point":
		default:
			m.media(e.Value)
		}
	}
}

// pydanticJSON adds a value to the message's own item.
func (m *message) pydanticJSON(v json.Value) {
	if v.IsNull() {
		return
	}
	for i := m.first; i < len(m.added); i++ {
		if it := &m.added[i].Item; it.Kind == m.kind && it.Text == nil {
			it.Text = m.written(v)
			return
		}
	}
	m.add(m.kind).Text = m.written(v)
}
