// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Messages reads the records of agents that record messages, with various field names: a message, its blocks, a tool
// call and its result, a usage of disjoint numbers.
type Messages struct {
	Transcript
	Calls     Calls
	HasPrefix bool // the system prompt is recorded
	Past      bool // the present text is not part of the reply to the last request
	// Echoes is set for Google's models: the shown thoughts are sent in addition to the real ones, which the response's
	// length includes. Their results have a larger frame.
	Echoes bool
}

// WalkMessages saves or restores the shared part of readers of messages.
func (s *Messages) WalkMessages(c *codec.Codec) {
	s.WalkTranscript(c)
	s.Calls.Walk(c.Part("Calls"))
	c.Bools("HasPrefix Echoes", &s.HasPrefix, &s.Echoes)
}

// FirstOf returns the value of the first of several keys that an object has.
func FirstOf(v json.Value, keys ...string) json.Value {
	for _, key := range keys {
		if found := v.Get(key); !found.IsNull() {
			return found
		}
	}
	return json.Value{}
}

// Message reads a message according to its role.
func (s *Messages) Message(m json.Value) {
	role, content := m.Get("role"), m.Get("content")
	switch {
	case role.Is("user"):
		s.UserMessage(content)
	case role.Is("assistant"):
		if hidden := FirstOf(m, "reasoning_content", "reasoning"); hidden.Kind() == json.String {
			s.AddReasoning(m)
		}
		s.AddBlocks(core.Assistant, content)
		for e := FirstOf(m, "tool_calls", "toolCalls").Elements(); e.Next(); {
			s.AddCall(e.Value)
		}
	case role.Is("tool"), role.Is("toolResult"):
		s.AddResult(m)
	case role.Is("thinking"):
		s.AddReasoning(m)
	case role.Is("system"), role.Is("developer"):
		s.SetSystem(content, json.Value{})
	default:
		s.SkipUnknown(m, role)
	}
}

// UserMessage reads a message of the user. Tool results have the same shape, and begin no turn.
func (s *Messages) UserMessage(content json.Value) {
	hasText := content.Kind() == json.String
	for e := content.Elements(); e.Next() && !hasText; {
		kind := e.Value.Get("type")
		hasText = !kind.Is("tool_result") && !kind.Is("tool-result")
	}
	if hasText {
		s.StartTurn()
	}
	s.AddBlocks(core.User, content)
}

// AddBlocks appends the content of a message: a text, or a list of blocks.
func (s *Messages) AddBlocks(kind core.Kind, content json.Value) {
	if content.Kind() == json.String {
		s.AddMessageText(kind, content)
		return
	}
	for e := content.Elements(); e.Next(); {
		switch b, shape := e.Value, e.Value.Get("type"); {
		case b.Kind() == json.String:
			s.AddMessageText(kind, b)
		case shape.Is("thinking"), shape.Is("think"), shape.Is("reasoning"), shape.Is("redacted_thinking"):
			s.AddReasoning(b)
		case shape.Is("toolCall"), shape.Is("tool_use"), shape.Is("tool-call"), shape.Is("tool_call"):
			s.AddCall(b)
		case shape.Is("tool_result"), shape.Is("tool-result"):
			s.AddResult(b)
		case shape.Is("image"), shape.Is("image_url"), shape.Is("input_image"):
			s.AddImage(b)
		default:
			s.AddMessageText(kind, b.Get("text"))
		}
	}
}

// AddMessageText appends a text of a message, unless it is empty.
func (s *Messages) AddMessageText(kind core.Kind, text json.Value) {
	if text.TextLen() > 0 {
		item := s.TextItem(kind, text)
		item.NotReply = s.Past
		s.Add(item)
	}
}

// AddReasoning appends a block of reasoning.
func (s *Messages) AddReasoning(b json.Value) {
	item := s.TextItem(core.Reasoning, FirstOf(b, "thinking", "think", "text", "reasoning_content", "reasoning", "content"))
	item.Opaque = int64(FirstOf(b, "signature", "thinkingSignature", "encrypted_content", "encrypted", "data").TextLen())
	item.NotReply = s.Past || s.Echoes
	if len(item.Text) > 0 || item.Opaque > 0 && !s.Echoes {
		s.Add(item)
	}
}

// AddCall appends the call of a tool. OpenAI wraps the name and the arguments in a function.
func (s *Messages) AddCall(b json.Value) {
	f := b.Get("function")
	if f.Kind() != json.Object {
		f = b
	}
	item := NewItem(core.ToolCalls)
	item.Name = Short(FirstOf(f, "name", "toolName", "tool"))
	item.Label = core.Named(item.Name)
	args := FirstOf(f, "arguments", "input", "args", "parameters")
	if args.Kind() == json.String {
		item.Text, s.Scratch = args.Text(s.Scratch)
	} else {
		item.Text, item.Parameters = args.Raw(), int64(args.Len())
	}
	item.About = About(item.Name, args)
	item.NotReply = s.Past
	s.Calls.Add(Hash(FirstOf(b, "id", "toolCallId", "tool_call_id", "callId", "toolUseId")), item.Name, s.Items)
	s.Add(item)
}

// AddResult appends the result of a tool, with its images.
func (s *Messages) AddResult(b json.Value) {
	id := Hash(FirstOf(b, "tool_use_id", "toolCallId", "tool_call_id", "callId", "id"))
	item := NewItem(core.ToolResults)
	if item.Name = s.Calls.Name(id); item.Name == "" {
		item.Name = Short(FirstOf(b, "toolName", "name"))
	}
	item.Label, item.Answers = core.Named(item.Name), s.Calls.Answers(id)
	item.Error = FirstOf(b, "isError", "is_error").Bool()
	content := FirstOf(b, "content", "output", "result", "error")
	item.Text = AppendTexts(s.Scratch[:0], content, 0)
	s.Scratch = item.Text
	if s.Echoes {
		item.Wrapping = 11
	}
	s.Add(item)
	for e := content.Elements(); e.Next(); {
		if kind := e.Value.Get("type"); kind.Is("image") || kind.Is("image_url") {
			s.AddImage(e.Value)
		}
	}
}

// AppendTexts appends all texts of a content: a string, the blocks of a list, or the content of an object.
func AppendTexts(text []byte, v json.Value, depth int) []byte {
	switch v.Kind() {
	case json.String:
		return v.AppendText(text)
	case json.Array:
		for e := v.Elements(); e.Next() && depth < 4; {
			text = AppendTexts(text, e.Value, depth+1)
		}
	case json.Object:
		if depth < 4 {
			return AppendTexts(text, FirstOf(v, "text", "content", "output"), depth+1)
		}
	}
	return text
}

// AddImage appends an image: base64 in the block or in its source, or a data: URL.
func (s *Messages) AddImage(b json.Value) {
	item := NewItem(core.Media)
	item.Label, item.NotReply = phrase.Image.Text(), s.Past
	if source := FirstOf(b, "source", "image"); source.Kind() == json.Object {
		b = source
	}
	if url := FirstOf(b, "image_url", "url"); url.Exists() {
		if url.Kind() == json.Object {
			url = url.Get("url")
		}
		item.MediaType, item.Width, item.Height = DataURL(url)
	} else {
		item.MediaType = Short(FirstOf(b, "media_type", "mimeType", "mediaType"))
		item.Width, item.Height = ImageSize(b.Get("data"))
	}
	s.Add(item)
}

// UsageKeys are the keys of a usage with disjoint numbers: the uncached part of the prompt, the parts read from the
// cache and written to it, the response, and the reasoning, which is part of the response. If a usage lacks one of
// them, its key is empty.
type UsageKeys struct{ Fresh, Read, Written, Out, Reasoning string }

// DisjointUsage reads a usage by its keys.
func DisjointUsage(u json.Value, keys UsageKeys) core.Metered {
	m := core.NewMetered()
	counted := func(key string) int64 {
		if key == "" {
			return core.Unknown
		}
		return Count(u.Get(key))
	}
	m.CacheRead, m.CacheWrite, m.Out, m.Reasoning = counted(keys.Read), counted(keys.Written), counted(keys.Out), counted(keys.Reasoning)
	m.In = Sum(counted(keys.Fresh), m.CacheRead, m.CacheWrite)
	return m
}

// Meter emits the usage of a request whose response follows. It returns false if the usage has no input.
func (s *Messages) Meter(m core.Metered) (ok bool) {
	if m.In <= 0 {
		return false
	}
	m.Through, m.ThroughSet = s.Items, true
	s.Emit(m)
	return true
}

// SetWindow emits the window that the agent has recorded.
func (t *Transcript) SetWindow(window, input, output int64) {
	if max(window, input, output) > 0 {
		t.Emit(core.LimitsKnown{Limits: core.Limits{Window: window, Input: input, Output: output}, Source: core.FromAgent})
	}
}

// Compact emits a compaction: a summary replaces all but the last items.
func (s *Messages) Compact(summary json.Value, kept int, event core.Compacted) {
	event.Kept = min(max(kept, 0), s.Items)
	s.Items = event.Kept
	if text := AppendTexts(s.Scratch[:0], summary, 0); len(text) > 0 {
		item := NewItem(core.Summary)
		item.Text, s.Scratch = text, text
		event.Summary = &item
		s.Items++
	}
	s.Emit(event)
	s.Calls.ForgetIndices()
}

// SetSystem emits the system prompt and the definitions of tools as recorded. A later prompt that changes a part of it
// is counted in addition.
func (s *Messages) SetSystem(prompt, tools json.Value) {
	text := AppendTexts(nil, prompt, 0)
	for f := prompt.Fields(); f.Next(); { // sections by name
		if f.Value.Kind() == json.String {
			text = append(f.Value.AppendText(text), '\n')
		}
	}
	if len(text) > 0 {
		if s.HasPrefix {
			item := NewItem(core.System)
			item.Text = text
			s.Add(item)
		} else {
			s.SetPrefix(core.FromRecord, core.System, []core.PrefixPart{TextPart(phrase.System.Text(), text, core.NotCached)})
			s.HasPrefix = true
		}
	}
	s.SetTools(tools)
}

// SetTools emits the definitions of all tools of a request.
func (s *Messages) SetTools(tools json.Value) {
	if own, served := ToolParts(tools); len(own)+len(served) > 0 {
		s.SetPrefix(core.FromRecord, core.Tools, own)
		s.SetPrefix(core.FromRecord, core.MCPTools, served)
	}
}

// ToolParts returns the definitions of tools as parts of the fixed context: the agent's own, and those of servers.
func ToolParts(tools json.Value) (own, served []core.PrefixPart) {
	for e := tools.Elements(); e.Next() && len(own)+len(served) < MaxTools; {
		tool := e.Value
		if f := tool.Get("function"); f.Kind() == json.Object {
			tool = f
		}
		name := Short(tool.Get("name"))
		part := TextPart(core.Named(name), Definition(nil, tool), core.NotCached)
		if strings.HasPrefix(name, "mcp__") {
			served = append(served, part)
		} else {
			own = append(own, part)
		}
	}
	return own, served
}

// MaxTools is how many tools of one request are read.
const MaxTools = 2000

// TextPart returns a part of the fixed context by its text.
func TextPart(label core.Text, text []byte, cached core.Cached) core.PrefixPart {
	return core.PrefixPart{Part: core.Part{Label: label, Text: text, Tokens: core.Unknown}, Cached: cached}
}
