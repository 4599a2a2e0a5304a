// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A speech reads what agents have in common that record messages, under different names: a message, its blocks, a call
// of a tool and its result, a usage of disjoint numbers.
type speech struct {
	transcript
	tools    names
	prefixed bool // the system prompt is on record
	past     bool // what is read now was no reply to the last request
	// echoes is set for Google's models: what is shown of their thoughts is sent beside what was thought, which the
	// length of the answer has. A result has a larger frame there.
	echoes bool
}

// walkSpeech walks what all readers of messages have.
func (s *speech) walkSpeech(c *codec.Codec) {
	s.base(c)
	s.tools.walk(c.Part("tools"))
	c.Bools("prefixed echoes", &s.prefixed, &s.echoes)
}

// either returns the value of the first of a few keys that an object has.
func either(v json.Value, keys ...string) json.Value {
	for _, key := range keys {
		if found := v.Get(key); !found.IsNull() {
			return found
		}
	}
	return json.Value{}
}

// message reads a message by the role of who speaks.
func (s *speech) message(m json.Value) {
	role, content := m.Get("role"), m.Get("content")
	switch {
	case role.Is("user"):
		s.asked(content)
	case role.Is("assistant"):
		if hidden := either(m, "reasoning_content", "reasoning"); hidden.Kind() == json.String {
			s.thought(m)
		}
		s.blocks(core.Assistant, content)
		for e := either(m, "tool_calls", "toolCalls").Elements(); e.Next(); {
			s.call(e.Value)
		}
	case role.Is("tool"), role.Is("toolResult"):
		s.result(m)
	case role.Is("thinking"):
		s.thought(m)
	case role.Is("system"), role.Is("developer"):
		s.systemIs(content, json.Value{})
	default:
		s.unknown(m, role)
	}
}

// asked reads what the person says. Results of tools come in the same shape, and begin no turn.
func (s *speech) asked(content json.Value) {
	spoken := content.Kind() == json.String
	for e := content.Elements(); e.Next() && !spoken; {
		of := e.Value.Get("type")
		spoken = !of.Is("tool_result") && !of.Is("tool-result")
	}
	if spoken {
		s.turn()
	}
	s.blocks(core.User, content)
}

// blocks reads the content of a message: a text, or a list of blocks.
func (s *speech) blocks(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		s.says(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		switch b, of := e.Value, e.Value.Get("type"); {
		case b.Kind() == json.String:
			s.says(kind, b)
		case of.Is("thinking"), of.Is("think"), of.Is("reasoning"), of.Is("redacted_thinking"):
			s.thought(b)
		case of.Is("toolCall"), of.Is("tool_use"), of.Is("tool-call"), of.Is("tool_call"):
			s.call(b)
		case of.Is("tool_result"), of.Is("tool-result"):
			s.result(b)
		case of.Is("image"), of.Is("image_url"), of.Is("input_image"):
			s.image(b)
		default:
			s.says(kind, b.Get("text"))
		}
	}
}

func (s *speech) says(kind core.Kind, text json.Value) {
	if text.TextLen() > 0 {
		item := s.textItem(kind, text)
		item.NotReply = s.past
		s.add(item)
	}
}

func (s *speech) thought(b json.Value) {
	item := s.textItem(core.Reasoning, either(b, "thinking", "think", "text", "reasoning_content", "reasoning", "content"))
	item.Opaque = int64(either(b, "signature", "thinkingSignature", "encrypted_content", "encrypted", "data").TextLen())
	item.NotReply = s.past || s.echoes
	if len(item.Text) > 0 || item.Opaque > 0 && !s.echoes {
		s.add(item)
	}
}

// call reads the call of a tool. OpenAI wraps the name and the arguments in a function.
func (s *speech) call(b json.Value) {
	f := b.Get("function")
	if f.Kind() != json.Object {
		f = b
	}
	item := newItem(core.ToolCalls)
	item.Name = short(either(f, "name", "toolName", "tool"))
	item.Label = core.Named(item.Name)
	args := either(f, "arguments", "input", "args", "parameters")
	if args.Kind() == json.String {
		item.Text, s.scratch = args.Text(s.scratch)
	} else {
		item.Text, item.Parameters = args.Raw(), int64(args.Len())
	}
	item.About = about(item.Name, args)
	item.NotReply = s.past
	s.tools.put(hash(either(b, "id", "toolCallId", "tool_call_id", "callId", "toolUseId")), item.Name, s.items)
	s.add(item)
}

// result reads what a tool has answered.
func (s *speech) result(b json.Value) {
	id := hash(either(b, "tool_use_id", "toolCallId", "tool_call_id", "callId", "id"))
	item := newItem(core.ToolResults)
	if item.Name = s.tools.get(id); item.Name == "" {
		item.Name = short(either(b, "toolName", "name"))
	}
	item.Label, item.Answers = core.Named(item.Name), s.tools.answers(id)
	item.Error = either(b, "isError", "is_error").Bool()
	content := either(b, "content", "output", "result", "error")
	item.Text = appendTexts(s.scratch[:0], content, 0)
	s.scratch = item.Text
	if s.echoes {
		item.Wrapping = 11
	}
	s.add(item)
	for e := content.Elements(); e.Next(); {
		if of := e.Value.Get("type"); of.Is("image") || of.Is("image_url") {
			s.image(e.Value)
		}
	}
}

// appendTexts appends all texts of a content: of a string, of the blocks of a list, of what an object wraps.
func appendTexts(text []byte, v json.Value, depth int) []byte {
	switch v.Kind() {
	case json.String:
		return v.AppendText(text)
	case json.Array:
		for e := v.Elements(); e.Next() && depth < 4; {
			text = appendTexts(text, e.Value, depth+1)
		}
	case json.Object:
		if depth < 4 {
			return appendTexts(text, either(v, "text", "content", "output"), depth+1)
		}
	}
	return text
}

// image reads a picture: base64 in the block or in its source, or a data: URL.
func (s *speech) image(b json.Value) {
	item := newItem(core.Media)
	item.Label, item.NotReply = phrase.Image.Text(), s.past
	if source := either(b, "source", "image"); source.Kind() == json.Object {
		b = source
	}
	if url := either(b, "image_url", "url"); url.Exists() {
		if url.Kind() == json.Object {
			url = url.Get("url")
		}
		item.MediaType, item.Width, item.Height = dataURL(url)
	} else {
		item.MediaType = short(either(b, "media_type", "mimeType", "mediaType"))
		item.Width, item.Height = imageSize(b.Get("data"))
	}
	s.add(item)
}

// usageKeys are the keys of a usage whose numbers do not contain each other: the part of the prompt that was not cached,
// the parts read from the cache and written to it, the answer, and the reasoning, which is part of the answer. A usage
// without one of them leaves its key empty.
type usageKeys struct{ fresh, read, written, out, reasoning string }

// disjoint reads a usage by its keys.
func disjoint(u json.Value, keys usageKeys) core.Metered {
	m := core.NewMetered()
	counted := func(key string) int64 {
		if key == "" {
			return core.Unknown
		}
		return count(u.Get(key))
	}
	m.CacheRead, m.CacheWrite, m.Out, m.Reasoning = counted(keys.read), counted(keys.written), counted(keys.out), counted(keys.reasoning)
	m.In = sum(counted(keys.fresh), m.CacheRead, m.CacheWrite)
	return m
}

// measured emits what was measured of a request whose reply follows; ok is false of a usage that says nothing.
func (s *speech) measured(m core.Metered) (ok bool) {
	if m.In <= 0 {
		return false
	}
	m.Through, m.ThroughSet = s.items, true
	s.emit(m)
	return true
}

// windowIs emits the window that the agent has recorded.
func (t *transcript) windowIs(window, input, output int64) {
	if max(window, input, output) > 0 {
		t.emit(core.LimitsKnown{Limits: core.Limits{Window: window, Input: input, Output: output}, Source: core.FromAgent})
	}
}

// compactedTo emits that a summary replaces all but the last items.
func (s *speech) compactedTo(summary json.Value, kept int, event core.Compacted) {
	event.Kept = min(max(kept, 0), s.items)
	s.items = event.Kept
	if text := appendTexts(s.scratch[:0], summary, 0); len(text) > 0 {
		item := newItem(core.Summary)
		item.Text, s.scratch = text, text
		event.Summary = &item
		s.items++
	}
	s.emit(event)
	s.tools.moved()
}

// systemIs tells the system prompt and the definitions of the tools, as the agent has recorded them. What comes later
// changes a part of them, and is counted in addition.
func (s *speech) systemIs(prompt, tools json.Value) {
	text := appendTexts(nil, prompt, 0)
	for f := prompt.Fields(); f.Next(); { // sections by name
		if f.Value.Kind() == json.String {
			text = append(f.Value.AppendText(text), '\n')
		}
	}
	if len(text) > 0 {
		if s.prefixed {
			item := newItem(core.System)
			item.Text = text
			s.add(item)
		} else {
			s.tell(core.FromRecord, core.System, []core.PrefixPart{textPart(phrase.System.Text(), text, core.NotCached)})
			s.prefixed = true
		}
	}
	s.toolsAre(tools)
}

// toolsAre tells the definitions of all tools that a request has.
func (s *speech) toolsAre(tools json.Value) {
	var own, served []core.PrefixPart
	for e := tools.Elements(); e.Next() && len(own)+len(served) < snapshotTools; {
		tool := e.Value
		if f := tool.Get("function"); f.Kind() == json.Object {
			tool = f
		}
		name := short(tool.Get("name"))
		part := textPart(core.Named(name), definition(nil, tool), core.NotCached)
		if strings.HasPrefix(name, "mcp__") {
			served = append(served, part)
		} else {
			own = append(own, part)
		}
	}
	if len(own)+len(served) > 0 {
		s.tell(core.FromRecord, core.Tools, own)
		s.tell(core.FromRecord, core.MCPTools, served)
	}
}
