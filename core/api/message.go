// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/provider"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// notContent lists members next to the content of a message that are not sent as text.
var notContent = []string{
	"role", "type", "id", "status", "phase", "name", "tool_call_id", "toolCallId", "toolCallID", "toolName", "model", "stop_reason",
	"stop_sequence", "stop_details", "container", "cache_control", "createdAt", "created_at", "timestamp",
	"metadata", "annotations", "index", "providerOptions", "providerMetadata", "providerExecuted", "cachePoint",
	"info", "response_metadata", "invalid_tool_calls", "tool_call_chunks", "provider",
	"compactedAt", "success", "requireApproval", "approvalStatus", "example", "artifact", "authorName", "messageId",
	"rawRepresentation", "additionalProperties", "sessionID", "lc", "revisionId", "end_turn", "assistantOutput",
	"estimatedCost", "pricingStatus", "usageScopeId", "presentationSnapshot", "meta", "displayData",
	"messageType", "modelId", "mimeType", "author", "invocationId", "invocation_id", "actions", "branch", "partial",
	"turnComplete", "turn_complete", "finishReason", "finish_reason", "modelVersion", "model_version",
	"longRunningToolIds", "long_running_tool_ids", "threadId", "resourceId", "tool_plan",
}

// notSent lists kinds of parts that are not sent.
var notSent = []string{
	"ghost_snapshot", "compaction_trigger", "configuration_update", "approval", "toolApprovalRequest",
	"toolApprovalResponse", "source", "ui-resource", "cache",
}

// mediaKinds lists kinds of parts that are media.
var mediaKinds = []string{
	"image", "image_url", "input_image", "audio", "input_audio", "video", "video_url", "file", "input_file",
	"document", "media", "binary", "data", "uri", "hostedFile", "resource", "image-data", "image-url", "image-file-id",
	"file-data", "file-url", "file-id", "file-reference", "image-file-reference", "reasoning-file",
	"ImageContent", "AudioContent", "BinaryContent",
}

// A message is read in the shape of its provider: Anthropic's blocks, OpenAI's chat messages and items of Responses,
// the parts of Gemini and Bedrock, and those of the AI SDK. Its text is one item, and so is each call, result, thought
// and image. A part of an unknown kind is counted by its JSON, and named in a warning.
type message struct {
	*Core
	kind  core.Kind // the kind of the message's own text
	first int       // the index of its first item in added
	step  int       // the index of the first item of the response being read
	clear bool      // the host no longer sends its result

	steps  int   // the number of responses that are marked in it
	starts []int // the indexes of their first items
	usages int   // the number of usages in the messages before it
}

// isMessage reports whether a value is a message instead of an item, which has a kind.
func isMessage(v json.Value) bool {
	message := false
	for f := v.Fields(); f.Next(); {
		switch f.Called() {
		case "kind":
			return isPydanticAI(v)
		case "role", "type", "parts", "content", "contents", "info", "kwargs", "messageType":
			message = true
		default:
			message = message || f.KeyIs("Role") || f.KeyIs("Content") || f.KeyIs("Contents") || f.KeyIs("Parts")
		}
	}
	return message
}

// readMessage appends the items of a message to added.
func (c *Core) readMessage(v json.Value) *Error {
	m := message{Core: c, kind: core.User, first: len(c.added), step: len(c.added), usages: len(c.messageUsages)}
	c.failed = json.Value{}
	if isPydanticAI(v) {
		m.pydanticAI(v)
		return c.wantVocabulary()
	}
	u := unwrap(v)
	kind, known := roleKind(u.role)
	if m.kind = kind; u.role != "" && !known {
		m.warn("role", get(v, "role"))
	}
	if m.kind == core.Assistant && provider.HasError(v) {
		c.failed = v
	}
	if e := u.info.Get("error"); e.Kind() == json.Object && !e.Get("name").Is("MessageAbortedError") {
		return nil // OpenCode does not send it
	}
	if status := u.body.Path("assistantOutput", "status"); status.Is("stopped") {
		return nil // Dexto does not send it
	}
	if u.body.Get("author").Exists() && u.body.Get("partial").Bool() {
		return nil // a chunk of a later event
	}
	switch kind := u.body.Get("type"); {
	case u.role != "", kind.Is("message"), !kind.Exists():
		m.clear = m.kind == core.ToolResults && u.body.Get("compactedAt").Kind() == json.Number
		m.members(u.body)
	default: // an item of OpenAI's Responses
		m.kind = core.Assistant
		m.block(u.body)
	}
	m.hideReminders()
	m.joinSteps()
	m.wholeUsage(u)
	return c.wantVocabulary()
}

// members reads the fields of a message.
func (m *message) members(v json.Value) {
	m.content(v.Get("tool_plan")) // Cohere's, before the calls
	for f := v.Fields(); f.Next(); {
		key := ownKey(f.Key)
		switch key {
		case "content":
			if v.Get("parts").Len() == 0 || f.Value.Kind() != json.String { // otherwise the AI SDK contains the text twice
				m.content(f.Value)
			}
		case "parts", "contents", "refusal", "text", "items", "blocks":
			m.content(f.Value)
		case "toolInvocations": // the AI SDK 4, which also has them among the parts
			for e := f.Value.Elements(); e.Next() && v.Get("parts").Len() == 0; {
				m.invocation(e.Value)
			}
		case "tool_calls", "toolCalls":
			if m.has(core.ToolCalls) {
				break // LangChain contains Anthropic's twice
			}
			for e := f.Value.Elements(); e.Next(); {
				if e.Value.Kind() == json.Object && firstOf(e.Value, "name", "toolName").Exists() {
					m.call(e.Value) // also one without a type, as in Go
				} else {
					m.block(e.Value)
				}
			}
		case "tool_results", "toolResults", "responses":
			for e := f.Value.Elements(); e.Next(); {
				if e.Value.Kind() == json.Object {
					m.result(e.Value)
				}
			}
		case "reasoning_details":
			for e := f.Value.Elements(); e.Next(); {
				m.block(e.Value)
			}
		case "additional_kwargs":
			if text := f.Value.Get("reasoning_content"); text.Kind() == json.String && text.TextLen() > 0 && !m.has(core.Reasoning) {
				m.add(core.Reasoning).Text = m.text(text)
			}
		case "reasoningMetadata":
			for i := m.first; i < len(m.added); i++ {
				if it := &m.added[i].Item; it.Kind == core.Reasoning {
					it.Opaque = max(it.Opaque, longest(f.Value, 4))
				}
			}
		case "function_call":
			if f.Value.Kind() == json.Object {
				m.call(f.Value)
			}
		case "reasoning_content", "reasoning", "thinking":
			twice := v.Get("reasoning_details").Exists() || v.Get("parts").Len() > 0 // the AI SDK 4 also has it among the parts
			if f.Value.Kind() == json.String && f.Value.TextLen() > 0 && !twice {
				m.add(core.Reasoning).Text = m.text(f.Value)
			}
		case "audio":
			if f.Value.Kind() == json.Object {
				m.media(f.Value)
			}
		case "experimental_attachments", "media": // the AI SDK 4, Spring AI
			for e := f.Value.Elements(); e.Next(); {
				m.media(e.Value)
			}
		case "error", "errorMessage":
			if m.kind != core.Assistant {
				m.warn("field", f.Key)
			}
		default:
			count, _ := provider.IsCountName(f.Name())
			if !slices.Contains(notContent, key) && !count && !provider.IsUsageName(f.Name()) {
				m.warn("field", f.Key)
			}
		}
	}
	for e := v.Path("additional_kwargs", "tool_calls").Elements(); m.first == len(m.added) && e.Next(); {
		m.block(e.Value) // LlamaIndex
	}
	if content := firstOf(v, "content", "parts", "contents"); m.kind != core.ToolResults {
		if len(m.added) == m.first && content.IsNull() && get(v, "role").Exists() {
			m.odd = append(m.odd, phrase.EmptyMessage.Text())
		}
		return
	}
	if len(m.added) == m.first {
		m.add(m.kind) // a result without text is a result, too
	}
	for i := m.first; i < len(m.added); i++ {
		it := &m.added[i].Item
		if it.Kind == m.kind && it.Name == "" {
			it.Name = label(firstOf(v, "name", "toolName"))
		}
		if it.Kind == m.kind && it.Print.ID == 0 {
			m.identify(it, v)
		}
		if m.clear && it.Kind == m.kind {
			it.Text = []byte(clearedResult)
		}
	}
}

// content reads the content of a message or a result: a text, one part, or several.
func (m *message) content(v json.Value) {
	switch v.Kind() {
	case json.String:
		m.addText(v)
	case json.Object:
		if parts := v.Get("parts"); parts.Exists() {
			m.content(parts)
		} else {
			m.block(v)
		}
	case json.Array:
		for e := v.Elements(); e.Next(); {
			if e.Value.Kind() == json.String {
				m.addText(e.Value)
			} else {
				m.block(e.Value)
			}
		}
	case json.Number, json.Bool:
		m.raw(v)
	}
}

// block reads one part of a message: by its type, or by its member if it has no type.
func (m *message) block(b json.Value) {
	kind := partKind(b).String()
	switch {
	case b.Kind() != json.Object:
	case b.Get("ignored").Bool(): // OpenCode shows it, but does not send it
	case m.openCodePart(kind, b):
	case kind == "":
		m.member(b)
	case m.frameworkPart(kind, b):
	case kind == "text", kind == "input_text", kind == "output_text", kind == "refusal":
		m.addText(get(b, kind[strings.LastIndexByte(kind, '_')+1:]))
	case kind == "message", kind == "agent_message":
		m.content(b.Get("content"))
	case kind == "json" && b.Get("value").Exists(): // rig
		m.raw(b.Get("value"))
	case kind != "reasoning-file" && strings.HasPrefix(kind, "reasoning"), strings.HasSuffix(kind, "thinking"):
		m.thought(b)
	case kind == "tool-result", kind == "toolresult", kind == "toolResult", kind == "functionResult", kind == "tool-error", kind == "tool_response",
		strings.HasSuffix(kind, "_output"), strings.HasSuffix(kind, "tool_result"), strings.HasSuffix(kind, "ToolResult"):
		m.result(b)
	case kind == "tool-invocation":
		m.invocation(b.Get("toolInvocation"))
	case kind == "tool-approval-request", kind == "tool-approval-response": // not sent
	case kind == "function", kind == "custom", kind == "dynamic-tool", kind == "toolcall", kind == "toolCall", kind == "functionCall",
		strings.HasPrefix(kind, "tool-"), strings.HasSuffix(kind, "tool_use"), strings.HasSuffix(kind, "_call"), strings.HasSuffix(kind, "ToolCall"):
		m.call(b)
		if firstOf(b, "output", "errorText").Exists() { // one part contains the call and its result
			m.result(b)
		} else if b.Get("state").Is("output-denied") {
			m.add(core.ToolResults).Text = m.written(b.Path("approval", "reason"))
		}
	case kind == "compaction", kind == "compaction_summary", kind == "context_compaction":
		it := m.add(core.Summary)
		it.Opaque = longest(b, 2)
		it.Tokens, it.Hidden = it.Opaque*3/16, true // base64, with about four characters per token
	case provider.IsUsageName([]byte(kind)):
		m.partUsage(b)
	case slices.Contains(notSent, kind), strings.HasPrefix(kind, "data-"):
		// Not sent.
	case kind == "document" && b.Path("source", "type").Is("text"):
		item := m.add(core.Documents)
		item.Text, item.Label = m.text(b.Path("source", "data")), core.Named(label(b.Get("title")))
	case slices.Contains(mediaKinds, kind):
		m.media(b)
	case kind == "step-start", kind == "source-url", kind == "source-document":
	default:
		m.unknown(b, partKind(b))
	}
}

// member reads a part identified by its only member, as in Gemini's and Bedrock's messages.
func (m *message) member(b json.Value) {
	for f := b.Fields(); f.Next(); {
		v := f.Value
		switch ownKey(f.Key) {
		case "text":
			if get(b, "thought").Bool() {
				m.add(core.Reasoning).Text = m.text(v)
			} else {
				m.addText(v)
			}
		case "functionCall", "function_call", "toolUse", "executableCode", "executable_code", "toolRequest", "function":
			m.call(v)
		case "functionResponse", "function_response", "toolResult", "codeExecutionResult", "code_execution_result", "toolResponse":
			m.result(v)
		case "inlineData", "inline_data", "fileData", "file_data", "image", "document", "video", "audio", "media":
			m.media(v)
		case "reasoningContent":
			m.thought(v)
		case "reasoning":
			m.thought(b)
		case "json", "data":
			m.raw(v)
		case "metadata", "call_id", "ref", "signature", "additional_params", "custom":
		case "thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata", "cachePoint", "cache_control", "partMetadata", "id":
		default:
			m.unknown(v, f.Key)
		}
	}
}

// identify sets the ID of a call, or of its result, by which the item is found again if its text has changed.
func (m *message) identify(it *core.Item, v json.Value) {
	id := firstOf(v, "call_id", "callId", "callID", "toolCallId", "toolCallID", "tool_call_id", "toolUseId", "tool_use_id", "id")
	if !id.Exists() {
		id = v.Path("additional_kwargs", "tool_call_id") // LlamaIndex
	}
	if id.Kind() == json.String && id.TextLen() <= maxString {
		text, _ := id.Text(nil)
		it.Print.ID = m.key.IDOf(text, -1-int(it.Kind))
	}
}

// invocation reads the call of a tool, and its result if there is one.
func (m *message) invocation(b json.Value) {
	m.call(b)
	if b.Get("result").Exists() {
		m.result(b)
	}
}

// call reads the call of a tool.
func (m *message) call(b json.Value) {
	kind, whole := b.Get("type"), b
	for _, inner := range []string{"tool_call", "function", "custom"} {
		if get(b, inner).Kind() == json.Object {
			b = get(b, inner)
		}
	}
	item := m.add(core.ToolCalls)
	if m.identify(item, whole); item.Print.ID == 0 {
		m.identify(item, b)
	}
	if item.Name = label(firstOf(b, "name", "toolName", "tool_name", "functionName", "language")); item.Name == "" {
		item.Name = label(kind)
	}
	given := firstOf(b, "input", "args", "arguments", "tool_kwargs", "action", "code", "queries", "inputs")
	if item.Text = m.written(given); given.Kind() == json.Object {
		item.Parameters = int64(given.Len())
	}
}

// result reads the result of a tool.
func (m *message) result(b json.Value) {
	if inner := b.Get("tool_response"); inner.Kind() == json.Object {
		b = inner
	}
	at := len(m.added)
	item := m.add(core.ToolResults)
	m.identify(item, b)
	item.Name = label(firstOf(b, "name", "toolName", "functionName"))
	item.Error = firstOf(b, "is_error", "isError").Bool() || b.Get("status").Is("error")
	content := firstOf(b, "content", "output", "response", "result", "outputs", "tools", "responseData")
	if failed := firstOf(b, "errorText", "error"); !content.Exists() && failed.Exists() {
		content, item.Error = failed, true
	}
	if value := content.Get("value"); value.Exists() { // the AI SDK's {type, value}
		content = value
	}
	inner := message{Core: m.Core, kind: core.ToolResults, first: at}
	media := b.Get("parts") // Gemini's media, separate from the response
	if output := b.Get("output"); !b.Get("type").Exists() && output.Exists() && content.Kind() == json.Array {
		content, media = output, content // Genkit's parts, separate from the output
	}
	if content.Kind() == json.Array && !b.Get("tools").Exists() {
		inner.content(content)
	} else {
		item.Text = m.written(content)
	}
	inner.content(media)
}

// thought reads reasoning, and the signed or encrypted block that represents it.
func (m *message) thought(b json.Value) {
	item := m.add(core.Reasoning)
	if inner := b.Get("reasoningText"); inner.Exists() {
		b = inner
	}
	for _, key := range []string{"thinking", "text", "summary", "content", "reasoning"} {
		v := get(b, key)
		if v.Kind() == json.String {
			item.Text = m.joined(item.Text, v)
		}
		for e := v.Elements(); e.Next(); {
			switch inner := e.Value.Get("content"); { // rig's has {type, content}
			case e.Value.Kind() == json.String:
				item.Text = m.joined(item.Text, e.Value)
			case e.Value.Get("type").Is("encrypted"), inner.Get("data").Exists():
				item.Opaque = max(item.Opaque, longest(inner, 2))
			case inner.Kind() == json.String:
				item.Text = m.joined(item.Text, inner)
			case inner.Kind() == json.Object:
				item.Text = m.joined(item.Text, inner.Get("text"))
				item.Opaque = max(item.Opaque, longest(inner.Get("signature"), 1))
			default:
				item.Text = m.joined(item.Text, e.Value.Get("text"))
			}
		}
	}
	for _, key := range []string{"signature", "data", "encrypted_content", "redactedContent", "providerOptions", "providerMetadata", "metadata", "protectedData"} {
		item.Opaque = max(item.Opaque, longest(get(b, key), 4))
	}
}

// media reads an image, audio, video or a file.
func (m *message) media(b json.Value) {
	item := m.add(core.Media)
	item.Label = core.Named(label(firstOf(b, "filename", "title")))
	m.picture(b, item, 4)
}

// picture finds the type and the size of media in the members that providers use.
func (m *message) picture(v json.Value, item *core.Item, depth int) {
	for f := v.Fields(); f.Next() && depth > 0; {
		switch f.Key.String() {
		case "media_type", "mediaType", "mimeType", "mime_type", "mime", "contentType", "MediaType", "MIMEType":
			item.MediaType = label(f.Value)
		default:
			if f.Value.Kind() == json.Object {
				m.picture(f.Value, item, depth-1)
			} else if kind, w, h := agent.Picture(f.Value); w > 0 {
				item.Width, item.Height = w, h
				if item.MediaType == "" {
					item.MediaType = kind
				}
			}
		}
	}
}

// unknown counts a part by its JSON, and adds a warning.
func (m *message) unknown(b, name json.Value) {
	m.warn("part", name)
	if text := b.Get("text"); text.Kind() == json.String {
		m.addText(text)
	} else {
		m.raw(b)
	}
}

// raw counts a value by its JSON; a value that is too long for text is counted as media.
func (m *message) raw(v json.Value) {
	if text := m.compact(v.Raw()); len(text) <= 64<<10 {
		m.add(m.kind).Text = text
	} else {
		m.add(core.Media)
	}
}

// warn adds a warning about an unknown part from a host. It includes the part's name if that looks like one.
func (c *Core) warn(what string, name json.Value) {
	called := "a " + what
	if raw, plain := name.Plain(); plain && len(raw) <= 64 && !strings.ContainsAny(string(raw), " \t\n") {
		called = "the " + what + " \"" + string(raw) + "\""
	}
	counted := phrase.UnknownField
	switch what {
	case "part", "tool":
		counted = phrase.UnknownPart
	case "role":
		counted = phrase.UnknownRole
	}
	c.odd = append(c.odd, counted.Text(phrase.Name(called)))
}

// has reports whether the message has an item of a kind.
func (m *message) has(kind core.Kind) bool {
	for i := m.first; i < len(m.added); i++ {
		if m.added[i].Item.Kind == kind {
			return true
		}
	}
	return false
}

// add appends an item.
func (m *message) add(kind core.Kind) *core.Item {
	m.added = append(m.added, core.Appended{Item: core.Item{Kind: kind, Tokens: core.Unknown, Parameters: core.Unknown}})
	return &m.added[len(m.added)-1].Item
}

// joinSteps marks the parts of each response after its first one: hosts may keep the results of its calls between them.
func (m *message) joinSteps() {
	if m.kind != core.Assistant {
		return
	}
	begun := false
	for i := m.first; i < len(m.added); i++ {
		if slices.Contains(m.starts, i) {
			begun = false
		}
		it := &m.added[i].Item
		it.Joins = begun && it.Kind.Reply()
		begun = begun || it.Kind.Reply()
	}
}

// addText adds a text to the message's own item, or to the result being read.
func (m *message) addText(v json.Value) {
	if v.Kind() != json.String || v.TextLen() == 0 {
		return
	}
	for i := m.first; i < len(m.added); i++ {
		if it := &m.added[i].Item; it.Kind == m.kind {
			it.Text = m.joined(it.Text, v)
			return
		}
	}
	m.add(m.kind).Text = m.text(v)
}

// joined appends a value to a text.
func (c *Core) joined(text []byte, v json.Value) []byte {
	if v.Kind() != json.String || len(text) == 0 {
		return c.text(v)
	}
	from := len(c.arena)
	c.arena = v.AppendText(append(append(c.arena, text...), '\n'))
	return c.arena[from:len(c.arena):len(c.arena)]
}

// written returns a value as text: the content of a string, or the JSON of another value.
func (c *Core) written(v json.Value) []byte {
	if v.Kind() == json.String {
		return c.text(v)
	}
	return c.compact(v.Raw())
}

// compact removes spaces from a JSON value, because providers do not get them. So the count does not depend on a host's
// formatting.
func (c *Core) compact(value []byte) []byte {
	from, quoted := len(c.arena), false
	for i := 0; i < len(value); i++ {
		switch b := value[i]; {
		case !quoted && (b == ' ' || b == '\t' || b == '\n' || b == '\r'):
			continue
		case b == '"':
			quoted = !quoted
		case b == '\\':
			c.arena = append(c.arena, b)
			i++
		}
		c.arena = append(c.arena, value[i])
	}
	return c.arena[from:len(c.arena):len(c.arena)]
}

// label returns the name of a tool or a file, shortened.
func label(v json.Value) string { return shorten(v.String()) }

// hideReminders marks text that accompanies tool results in a user's message as part of the running turn, because
// agents put reminders there.
func (m *message) hideReminders() {
	results := false
	for i := m.first; i < len(m.added); i++ {
		results = results || m.added[i].Item.Kind == core.ToolResults
	}
	for i := m.first; i < len(m.added); i++ {
		if it := &m.added[i].Item; results && it.Kind == core.User {
			it.Hidden = true
		}
	}
}

// firstOf returns the value of the first of the keys that exists.
func firstOf(v json.Value, keys ...string) json.Value {
	for _, key := range keys {
		if found := get(v, key); !found.IsNull() {
			return found
		}
	}
	return json.Value{}
}

// longest returns the length of the longest string inside a value.
func longest(v json.Value, depth int) int64 {
	if v.Kind() == json.String {
		return int64(v.TextLen())
	}
	n := int64(0)
	for f := v.Fields(); f.Next() && depth > 0; {
		n = max(n, longest(f.Value, depth-1))
	}
	return n
}
