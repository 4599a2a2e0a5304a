// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// located is a usage object and the information around it.
type located struct {
	usage       json.Value
	name        string
	shape       shape // the shape, if the surroundings determine it
	request     json.Value
	event       bool // it is an event of a stream, or inside one
	partial     bool // more pieces will follow
	end         bool // no more pieces will follow
	whole       bool // a separate request, which replaces everything before it
	add         bool // a chunk whose numbers are added to the others
	sum         bool // a total over several requests
	aside       bool // the request compacted the conversation and is not part of it
	serverTools bool // the provider ran tools of its own in this request
	window      int64
}

// locate finds the usage in an event, a response or a client's wrapper. v may also be the usage itself.
func locate(v json.Value, provider string) located {
	if l, found := inEvent(v, provider); found {
		return l
	}
	if l, found := inWrapper(v, provider); found {
		return l
	}
	if l, found := inResponse(v, provider); found {
		return l
	}
	return itself(v, provider)
}

func newLocated(v json.Value) located {
	return located{window: core.Unknown, request: v.Get("id")}
}

// at returns l with its usage, the name of the usage for warnings, and its shape.
func (l located) at(u json.Value, name string, s shape) located {
	l.usage, l.name, l.shape = u, name, s
	return l
}

// inEvent finds the usage in an event of a stream, which it recognizes by type.
func inEvent(v json.Value, provider string) (located, bool) {
	l := newLocated(v)
	l.event = true
	kind := v.Get("type")
	switch {
	case kind.Is("message_start"): // Anthropic
		l.partial = true
		message := v.Get("message")
		l.request = message.Get("id")
		return l.at(message.Get("usage"), "message.usage", anthropic), true
	case kind.Is("message_delta"):
		l.partial = v.Path("delta", "stop_reason").IsNull()
		return l.at(v.Get("usage"), "usage", anthropic), true
	case kind.Is("content_block_start"), kind.Is("content_block_delta"), kind.Is("content_block_stop"), kind.Is("ping"):
		return l, true
	case kind.Is("message_stop"):
		l.end = true
		if metrics := v.Get("amazon-bedrock-invocationMetrics"); metrics.Exists() {
			return l.at(metrics, "amazon-bedrock-invocationMetrics", invokeModel), true
		}
		return l, true
	case kind.Is("message-end"): // Cohere
		return l.at(v.Path("delta", "usage"), "delta.usage", cohere), true
	case kind.Is("stream-end"):
		return l.at(v.Path("response", "meta"), "response.meta", cohere), true
	case kind.Is("finish-step"), kind.Is("step-finish"), kind.Is("step_finish"): // AI SDK
		l.whole = true
		for _, step := range []json.Value{v, v.Get("part")} { // OpenCode's, as stored and as printed
			if tokens := step.Get("tokens"); tokens.Exists() && !step.Get("usage").Exists() {
				l.request = step.Get("id")
				return l.at(tokens, "tokens", words), true
			}
		}
		l.request = v.Path("response", "id")
		return l.at(v.Get("usage"), "usage", noShape), true
	case isSDKEvent(kind):
		return l, true
	case kind.Is("finish") && has(v, "totalUsage"):
		l.sum = true
		return l.at(v.Get("totalUsage"), "totalUsage", noShape), true
	case kind.Is("finish") && has(v, "usage"):
		return l.at(v.Get("usage"), "usage", noShape), true
	case kind.Is("session.usage.updated"): // OpenAI Live reports only a ratio
		return l, true
	case kind.Is("turn.completed"): // Codex's JSON output adds up all requests of a turn
		l.sum = true
		return l.at(v.Get("usage"), "usage", responses), true
	case startsWith(kind, "response."): // OpenAI Responses and Realtime
		inner := v.Get("response")
		l.request = inner.Get("id")
		if u := inner.Get("usage"); u.Exists() {
			l.partial = kind.Is("response.in_progress") || kind.Is("response.created")
			l.serverTools = ranTools(inner)
			return l.at(u, "response.usage", responses), true
		}
		return l, true
	}
	if inner := v.Get("interaction"); inner.Kind() == json.Object { // Gemini Interactions
		l.request = inner.Get("id")
		return l.at(inner.Get("usage"), "interaction.usage", interactions), true
	}
	if u := v.Get("amazon-bedrock-invocationMetrics"); u.Exists() {
		return l.at(u, "amazon-bedrock-invocationMetrics", invokeModel), true
	}
	if inner := v.Get("metadata"); inner.Get("usage").Exists() && !v.Get("usage").Exists() {
		s := noShape
		if has(inner.Get("usage"), "inputTokens", "outputTokens") {
			s = converse
		}
		return l.at(inner.Get("usage"), "metadata.usage", s), true
	}
	if has(v, "done") && has(v, "model", "created_at", "prompt_eval_count") { // Ollama
		l.partial = !v.Get("done").Bool()
		if l.partial && !has(v, "prompt_eval_count", "eval_count") {
			return l, true
		}
		l.request = json.Value{}
		return l.at(v, "usage", ollama), true
	}
	return l, false
}

// inWrapper finds the usage inside the objects that agents and clients wrap around a provider's response.
func inWrapper(v json.Value, provider string) (located, bool) {
	l := newLocated(v)
	if v.Get("type").Is("result") && has(v, "num_turns") {
		// The last line of a headless agent's output contains a sum over its turns.
		n, _ := v.Get("num_turns").Int64()
		l.sum = n != 1
		return l.at(v.Get("usage"), "usage", anthropic), true
	}
	for _, inner := range []json.Value{v, v.Get("properties"), v.Get("data")} { // OpenCode's events and messages
		if found, ok := inOpenCode(inner); ok {
			return found, true
		}
	}
	for _, name := range []string{"AdditionalProperties", "additionalProperties"} { // Microsoft.Extensions.AI
		if inner := v.Get(name); has(inner, "LastInputTokenCount", "lastInputTokenCount") {
			return l.at(inner, name, extensions), true
		}
	}
	for _, update := range []json.Value{v.Get("update"), v.Path("params", "update")} { // Agent Client Protocol
		if update.Get("sessionUpdate").Is("usage_update") {
			return l.at(update, "update", acp), true
		}
	}
	if response := v.Get("response"); response.Kind() == json.Object {
		if body := response.Get("body"); has(body, "usage", "usageMetadata") {
			return locate(body, provider), true // a line of a batch's results
		}
		if has(response, "usage", "usageMetadata") {
			return locate(response, provider), true
		}
	}
	if inner := v.Get("data"); has(inner, "usage", "choices", "usageMetadata") {
		return locate(inner, provider), true
	}
	if inner := v.Path("result", "message"); inner.Get("usage").Exists() { // a line of an Anthropic batch's results
		l.request = inner.Get("id")
		return l.at(inner.Get("usage"), "result.message.usage", anthropic), true
	}
	if inner := v.Get("kwargs"); inner.Get("usage_metadata").Exists() { // LangChain, serialized
		return l.at(inner.Get("usage_metadata"), "kwargs.usage_metadata", langchain), true
	}
	if span := lastSpan(v); span.Exists() {
		l.request = json.Value{}
		return l.at(span, "attributes", telemetry), true
	}
	if inner := v.Get("message"); inner.Get("usage").Exists() {
		l.request = inner.Get("id")
		return l.at(inner.Get("usage"), "message.usage", noShape), true
	}
	if u := v.Path("params", "tokenUsage"); u.Get("last").Exists() { // Codex's app server
		l.window = positive(u.Get("modelContextWindow"))
		l.request = json.Value{}
		return l.at(u.Get("last"), "tokenUsage.last", sdk), true
	}
	counts := v
	for _, info := range []json.Value{v.Get("info"), v.Path("payload", "info"), v.Path("msg", "info")} { // Codex
		if has(info, "last_token_usage", "total_token_usage") {
			counts = info
		}
	}
	if u := counts.Get("last_token_usage"); u.Exists() {
		l.window = positive(counts.Get("model_context_window"))
		return l.at(u, "last_token_usage", responses), true
	}
	if u := counts.Get("total_token_usage"); u.Exists() {
		l.sum = true
		return l.at(u, "total_token_usage", responses), true
	}
	// Claude Code's status line.
	if u := v.Get("context_window"); has(u, "context_window_size", "current_usage", "total_input_tokens") {
		return l.at(u, "context_window", statusLine), true
	}
	if steps := v.Get("steps"); steps.Len() > 0 && has(v, "usage", "totalUsage") {
		// After a run of several steps, the window contains the prompt of the last one.
		var last json.Value
		for e := steps.Elements(); e.Next(); {
			last = e.Value
		}
		if u := last.Get("usage"); u.Exists() {
			l.request = last.Path("response", "id")
			return l.at(u, "steps.usage", noShape), true
		}
	}
	if headers := v.Path("ResponseMetadata", "HTTPHeaders"); hasPrefixed(headers, "x-amzn-bedrock-") { // boto3
		return l.at(headers, "HTTPHeaders", invokeModel), true
	}
	return l, false
}

// inOpenCode finds the usage in one of OpenCode's parts or messages. Parts without usage, and messages that are still
// being written, are events without a usage.
func inOpenCode(v json.Value) (l located, found bool) {
	l = newLocated(v)
	if part := v.Get("part"); part.Get("messageID").Exists() {
		if part.Get("type").Is("step-finish") {
			return inEvent(part, "")
		}
		l.event = true
		return l, true
	}
	info := v.Get("info")
	if !info.Get("role").Exists() {
		if info = v; !v.Get("modelID").Exists() {
			return l, false
		}
	}
	tokens := info.Get("tokens")
	l.request = info.Get("id")
	if n, _ := tokens.Get("input").Int64(); tokens.Kind() != json.Object || n == 0 && info.Path("time", "completed").IsNull() {
		l.event = true
		return l, info.Get("role").Exists()
	}
	return l.at(tokens, "tokens", words), true
}

// isSDKEvent reports whether an event of the AI SDK's streams has no usage.
func isSDKEvent(kind json.Value) bool {
	if kind.Kind() != json.String {
		return false
	}
	switch kind.String() {
	case "start", "start-step", "step-start", "stream-start", "response-metadata", "text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end",
		"tool-input-start", "tool-input-delta", "tool-input-end", "tool-input-available", "tool-input-error", "tool-call", "tool-result", "tool-error",
		"tool-output-available", "tool-output-error", "tool-output-denied", "tool-approval-request", "message-metadata",
		"source", "file", "raw", "abort":
		return true
	}
	return false
}

// lastSpan returns the last span with a usage in an OTLP export.
func lastSpan(v json.Value) (last json.Value) {
	for resource := v.Get("resourceSpans").Elements(); resource.Next(); {
		for scope := resource.Value.Get("scopeSpans").Elements(); scope.Next(); {
			for span := scope.Value.Get("spans").Elements(); span.Next(); {
				for _, name := range []string{"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"} {
					if attribute(span.Value, name).Exists() {
						last = span.Value
					}
				}
			}
		}
	}
	return last
}

// inResponse finds the usage in a response, or in a chunk of one.
func inResponse(v json.Value, provider string) (located, bool) {
	l := newLocated(v)
	if u := v.Get("usageMetadata"); u.Exists() { // Gemini
		return l.gemini(v).at(u, "usageMetadata", gemini), true
	}
	if u := v.Get("usage_metadata"); u.Exists() {
		if u.Kind() == json.Object && !has(u, "input_tokens", "output_tokens", "total_tokens") {
			return l.gemini(v).at(u, "usage_metadata", gemini), true
		}
		if v.Get("type").Is("AIMessageChunk") || provider == "langchain" && has(v, "chunk_position", "tool_call_chunks") {
			l.event, l.add = true, true
			l.partial = !v.Get("chunk_position").Is("last")
		}
		return l.at(u, "usage_metadata", langchain), true
	}
	if u := v.Get("usage"); u.Exists() {
		l.aside = v.Get("object").Is("response.compaction")
		l.sum = v.Get("object").Is("thread.run") // a sum of its steps
		l.chunk(v)
		l.serverTools = ranTools(v)
		if n := positive(v.Path("model_info", "context_length")); n > 0 {
			l.window = n
		}
		return l.at(u, "usage", noShape), true
	}
	if choices := v.Get("choices"); choices.Kind() == json.Array {
		l.chunk(v)
		for e := choices.Elements(); e.Next(); { // Moonshot
			if u := e.Value.Get("usage"); u.Exists() {
				return l.at(u, "choices.usage", noShape), true
			}
		}
		if u := v.Path("x_groq", "usage"); u.Exists() {
			return l.at(u, "x_groq.usage", noShape), true
		}
		if has(v, "timings") {
			return l.at(v, "timings", llamacpp), true
		}
		return l, true
	}
	if u := v.Get("totalUsage"); u.Exists() {
		l.sum = true
		return l.at(u, "totalUsage", noShape), true
	}
	if u := v.Get("attributes"); u.Kind() == json.Array { // OpenTelemetry's own format
		return l.at(v, "attributes", telemetry), true
	}
	for _, key := range []string{"meta", "stats", "details", "attributes", "headers", "tokenUsage", "token_usage", "Usage", "TokenUsage", "tokens"} {
		if u := v.Get(key); u.Kind() == json.Object && recognise(u, "") != noShape {
			return l.at(u, key, noShape), true
		}
	}
	return l, false
}

// gemini returns l with the response's ID, and marks it as partial for all chunks of a stream but the last.
func (l located) gemini(v json.Value) located {
	if id := v.Get("responseId"); id.Exists() {
		l.request = id
	}
	if candidates := v.Get("candidates"); candidates.Kind() == json.Array {
		l.event = true
		l.partial = !anyHas(candidates, "finishReason")
	}
	return l
}

// itself treats the value as a usage object, if it has the keys of one.
func itself(v json.Value, provider string) located {
	l := newLocated(v)
	if s := recognise(v, provider); s != noShape {
		if provider == "" || !v.Get("id").Exists() {
			l.request = json.Value{}
		}
		return l.at(v, "usage", s)
	}
	return l
}

// chunk marks l as an event if v is a chunk of a chat stream, and as partial if the response has not finished.
func (l *located) chunk(v json.Value) {
	if v.Get("object").Is("chat.completion.chunk") || v.Get("object").Is("text_completion.chunk") {
		l.event = true
		choices := v.Get("choices")
		l.partial = choices.Len() > 0 && !anyHas(choices, "finish_reason")
	}
}

// anyHas reports whether any element has the key with a value other than null.
func anyHas(array json.Value, key string) bool {
	for e := array.Elements(); e.Next(); {
		if !e.Value.Get(key).IsNull() {
			return true
		}
	}
	return false
}

// ranTools reports whether a complete OpenAI response contains calls of tools that the provider runs. Its usage may
// then include all their rounds.
func ranTools(v json.Value) bool {
	output := v.Get("output")
	if output.Kind() != json.Array {
		return false
	}
	for e := output.Elements(); e.Next(); {
		kind := e.Value.Get("type")
		for _, hosted := range []string{"web_search_call", "file_search_call", "code_interpreter_call", "mcp_call", "image_generation_call"} {
			if kind.Is(hosted) {
				return true
			}
		}
	}
	return false
}

func startsWith(v json.Value, prefix string) bool {
	if v.Kind() != json.String {
		return false
	}
	s := v.String()
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}

// positive reads the size of a window; it returns 0 if the value is not a valid size.
func positive(v json.Value) int64 {
	n, fault := v.Int64()
	if fault != json.NumberOK || n <= 0 || n > core.MaxTokens {
		return 0
	}
	return n
}
