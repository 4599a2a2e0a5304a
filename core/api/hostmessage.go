// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// unwrapped is a message without its host's envelope.
type unwrapped struct {
	body json.Value
	role string     // "" if it has none
	info json.Value // OpenCode's record of the message
}

// unwrap takes a message out of the records of LangChain and OpenCode.
func unwrap(v json.Value) unwrapped {
	kind := v.Get("type")
	switch {
	case v.Get("lc").Exists() && v.Get("kwargs").Kind() == json.Object: // LangChain in JavaScript
		name := ""
		for e := v.Get("id").Elements(); e.Next(); {
			name = e.Value.String()
		}
		return unwrapped{body: v.Get("kwargs"), role: name}
	case kind.Kind() == json.String && v.Get("data").Kind() == json.Object && firstOf(v.Get("data"), "content").Exists():
		// LangChain, stored.
		return unwrapped{body: v.Get("data"), role: kind.String()}
	case v.Get("info").Kind() == json.Object && v.Get("parts").Exists(): // OpenCode
		info := v.Get("info")
		return unwrapped{body: v, role: info.Get("role").String(), info: info}
	}
	role := firstOf(v, "role", "messageType")
	switch {
	case role.Kind() == json.Object: // Semantic Kernel, and .NET's roles as objects
		role = firstOf(role, "label", "value")
	case !role.Exists() && v.Get("author").Kind() == json.String && v.Get("content").Kind() == json.Object:
		return unwrapped{body: v, role: eventRole(v)}
	}
	if !role.Exists() && v.Get("content").Exists() && (kind.Is("human") || kind.Is("ai") || kind.Is("system") || kind.Is("tool") || kind.Is("AIMessageChunk")) {
		role = kind // LangChain in Python
	}
	return unwrapped{body: v, role: role.String()}
}

// eventRole returns the role of an event of the Agent Development Kit: that of its content, otherwise its author's.
func eventRole(v json.Value) string {
	if role := v.Path("content", "role"); role.Kind() == json.String {
		return role.String()
	}
	if v.Get("author").Is("user") {
		return "user"
	}
	return "model"
}

// roleKind returns the kind of a role's text. It returns false for an unknown role.
func roleKind(role string) (core.Kind, bool) {
	role = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(role, "Chunk"), "Message"))
	switch role {
	case "assistant", "model", "ai", "chatbot":
		return core.Assistant, true
	case "system", "developer":
		return core.System, true
	case "tool", "function", "toolresult":
		return core.ToolResults, true
	case "user", "human":
		return core.User, true
	}
	return core.User, false
}

// get returns a member by its name, or by the name with a capital first letter, as in Go or .NET.
func get(v json.Value, key string) json.Value {
	if found := v.Get(key); found.Exists() {
		return found
	}
	return v.Get(strings.ToUpper(key[:1]) + key[1:])
}

// ownKey returns the name of a member in the spelling of most hosts.
func ownKey(v json.Value) string {
	key := v.String()
	if key == "" || key[0] < 'A' || key[0] > 'Z' {
		return key
	}
	if key == "ID" || key == "URL" {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:1]) + key[1:]
}

// clearedResult is the text that Dexto and OpenCode send instead of a result that they have cleared.
const clearedResult = "[Old tool result content cleared]"

// openCodeTool reads a call and its result from a part in OpenCode's shape.
func (m *message) openCodeTool(b json.Value) {
	state := b.Get("state")
	call := m.add(core.ToolCalls)
	m.identify(call, b)
	call.Name, call.Text = label(b.Get("tool")), m.written(state.Get("input"))
	if input := state.Get("input"); input.Kind() == json.Object {
		call.Parameters = int64(input.Len())
	}
	if status := state.Get("status"); status.Is("pending") || status.Is("running") {
		return // its result will follow
	}
	result := m.add(core.ToolResults)
	m.identify(result, b)
	result.Name = label(b.Get("tool"))
	switch output := state.Path("metadata", "output"); {
	case !state.Path("time", "compacted").IsNull():
		result.Text = []byte(clearedResult)
		return
	case !state.Get("status").Is("error"):
		result.Text = m.written(state.Get("output"))
	case state.Path("metadata", "interrupted").Bool() && output.Kind() == json.String:
		result.Text = m.text(output)
	default:
		result.Text, result.Error = m.written(state.Get("error")), true
	}
	for e := state.Get("attachments").Elements(); e.Next(); {
		m.media(e.Value)
	}
}

// openCodePart reads a part that only OpenCode has; ok is false for other parts.
func (m *message) openCodePart(kind string, b json.Value) (ok bool) {
	switch kind {
	case "compaction":
		if b.Get("encrypted_content").Exists() {
			return false // Codex's
		}
		m.literal("What did we do so far?")
	case "tool":
		m.openCodeTool(b)
	case "step-start":
		m.step, m.steps = len(m.added), m.steps+1
		m.starts = append(m.starts, m.step)
	case "step-finish":
		m.measured(b, b.Get("id"))
	case "snapshot", "patch", "retry", "agent": // stored by the host, not sent
	case "subtask":
		m.literal("The following tool was executed by the user")
	default:
		return false
	}
	return true
}

// partKind returns the member that names the kind of a part.
func partKind(b json.Value) json.Value { return firstOf(b, "type", "$type", "block_type") }

// frameworkPart reads a part that only Semantic Kernel, LlamaIndex or Cohere have; ok is false for other parts.
func (m *message) frameworkPart(kind string, b json.Value) (ok bool) {
	switch kind {
	case "TextContent":
		m.addText(get(b, "text"))
	case "FunctionCallContent":
		m.call(b)
	case "FunctionResultContent":
		m.result(b)
	case "ReasoningContent":
		m.thought(b)
	case "citable":
		m.content(b.Get("content"))
	case "citation":
		m.content(b.Get("cited_content"))
	case "document":
		switch data := b.Path("document", "data"); data.Kind() {
		case json.String:
			m.addText(data)
		case json.Object:
			m.raw(data)
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// literal adds a text that the host itself inserts.
func (m *message) literal(text string) {
	m.arena = append(m.arena, text...)
	m.add(m.kind).Text = m.arena[len(m.arena)-len(text) : len(m.arena) : len(m.arena)]
}

// toolRecord reads definitions of tools that are stored by name, as in Dexto and the AI SDK; ok is false for any other
// object.
func (c *Core) toolRecord(v json.Value, to *[]core.Part) (ok bool) {
	for f := v.Fields(); f.Next(); {
		if f.Value.Kind() != json.Object || !firstOf(f.Value, "description", "parameters", "inputSchema", "input_schema").Exists() {
			return false
		}
		ok = true
	}
	if !ok {
		return false
	}
	for f := v.Fields(); f.Next(); {
		from := len(c.arena)
		c.arena = append(c.arena, `{"name":`...)
		c.arena = append(append(c.arena, f.Key.Raw()...), ',')
		body := f.Value.Raw()
		c.arena = append(c.arena, body[1:]...)
		text := c.compact(c.arena[from:len(c.arena):len(c.arena)])
		*to = append(*to, core.Part{Tokens: core.Unknown, Text: text, Label: core.Named(label(f.Key))})
	}
	return true
}
