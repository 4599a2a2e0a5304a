// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

// shape is one way of saying what a request used.
type shape uint8

const (
	noShape shape = iota
	plain         // ctx-lsp's own: in, out, reasoning, cacheRead, cacheWrite
	chat
	responses
	anthropic
	gemini
	interactions
	converse
	invokeModel
	cohere
	ollama
	llamacpp
	lmstudio
	sdk4
	sdk
	langchain
	genkit
	extensions
	telemetry
	acp
	acpTurn
	statusLine
	countAnswer
	shapes
)

var shapeNames = [shapes]string{"", "ctx", "chat", "responses", "messages", "generateContent", "interactions", "converse", "invokeModel", "cohere",
	"ollama", "llama.cpp", "lmstudio", "ai-sdk-4", "ai-sdk", "langchain", "genkit", "extensions-ai", "opentelemetry", "acp", "acp-turn", "statusline", "count"}

func (s shape) String() string { return shapeNames[s] }

// readers translate the numbers of a shape; whole is what the usage was
// found in.
var readers [shapes]func(r *reader, u, whole json.Value, c *counts)

func init() {
	readers = [shapes]func(r *reader, u, whole json.Value, c *counts){
		plain: readPlain, chat: readChat, responses: readResponses, anthropic: readAnthropic, gemini: readGemini,
		interactions: readInteractions, converse: readConverse, invokeModel: readInvokeModel, cohere: readCohere, ollama: readOllama,
		llamacpp: readLlamaCpp, lmstudio: readLMStudio, sdk4: readSDK4, sdk: readSDK, langchain: readLangChain, genkit: readGenkit,
		extensions: readExtensions, telemetry: readTelemetry, acp: readACP, acpTurn: readACPTurn, statusLine: readStatusLine, countAnswer: readCountAnswer,
	}
}

// recognise tells the shape of a usage object from its keys, and from the
// provider's name where keys are shared.
func recognise(u json.Value, provider string) shape {
	if provider == "ctx" {
		return plain
	}
	if isCountAnswer(u) {
		return countAnswer
	}
	if n := fromName(provider, u); n != noShape {
		return n
	}
	switch {
	case has(u, "promptTokenCount", "prompt_token_count", "candidatesTokenCount", "thoughtsTokenCount", "total_token_count"),
		has(u, "totalTokenCount") && !has(u, "inputTokenCount", "outputTokenCount"):
		return gemini
	case has(u, "total_thought_tokens", "total_tool_use_tokens", "total_cached_tokens", "initial_input_tokens", "input_tokens_by_modality"),
		has(u, "total_input_tokens") && has(u, "total_tokens"):
		return interactions
	case has(u, "total_input_tokens", "total_output_tokens", "context_window_size", "current_usage"):
		return statusLine
	case has(u, "prompt_eval_count", "eval_count", "prompt_eval_cached_count"):
		return ollama
	case has(u, "timings", "tokens_evaluated", "prompt_n", "predicted_n"):
		return llamacpp
	case has(u, "promptTokensCount", "predictedTokensCount", "totalTokensCount"):
		return lmstudio
	case has(u, "billed_units", "tokens") && !has(u, "input_tokens", "prompt_tokens"):
		return cohere
	case has(u, "prompt_tokens", "completion_tokens"):
		return chat
	case has(u, "promptTokens", "completionTokens"):
		return sdk4
	case has(u, "input_token_details", "output_token_details"):
		if has(u.Get("input_token_details"), "cached_tokens", "cached_tokens_details", "text_tokens", "audio_tokens") {
			return responses // realtime
		}
		return langchain
	case has(u, "input_tokens_details", "output_tokens_details") && !has(u, "cache_read_input_tokens", "cache_creation_input_tokens", "iterations"):
		if has(u.Get("output_tokens_details"), "thinking_tokens") {
			return anthropic
		}
		return responses
	case has(u, "input_tokens", "output_tokens"):
		if has(u, "total_tokens", "cached_input_tokens", "reasoning_output_tokens", "cached_tokens", "requests", "cache_read_tokens") && !has(u, "cache_read_input_tokens", "cache_creation_input_tokens") {
			return responses
		}
		return anthropic
	case has(u, "cache_read_input_tokens", "cache_creation_input_tokens"):
		return anthropic
	case has(u, "inputTokenCount", "outputTokenCount"):
		if has(u, "invocationLatency", "firstByteLatency", "cacheReadInputTokenCount", "cacheWriteInputTokenCount") {
			return invokeModel
		}
		return extensions
	case has(u, "InputTokenCount", "OutputTokenCount", "CachedInputTokenCount"):
		return extensions
	case has(u, "cachedReadTokens", "cachedWriteTokens", "thoughtTokens"):
		return acpTurn
	case has(u, "inputTokens", "outputTokens"):
		switch {
		case has(u, "cacheReadInputTokens", "cacheWriteInputTokens", "cacheDetails"):
			return converse
		case has(u, "custom", "thoughtsTokens", "cachedContentTokens", "inputCharacters", "inputImages", "outputCharacters"):
			return genkit
		}
		return sdk
	case hasPrefixed(u, "gen_ai.usage."):
		return telemetry
	case hasPrefixed(u, "x-amzn-bedrock-"):
		return invokeModel
	case has(u, "sessionUpdate") && u.Get("sessionUpdate").Is("usage_update"), has(u, "used") && has(u, "size"):
		return acp
	case has(u, "in", "out") && !has(u, "id"):
		return plain
	}
	return noShape
}

// fromName settles shapes that a name alone tells apart.
func fromName(provider string, u json.Value) shape {
	switch provider {
	case "anthropic", "minimax":
		if has(u, "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens") &&
			!has(u, "input_tokens_details", "total_tokens", "input_token_details") {
			return anthropic
		}
	case "amazon-bedrock":
		if has(u, "inputTokens", "outputTokens") {
			return converse
		}
		if has(u, "inputTokenCount", "outputTokenCount") {
			return invokeModel
		}
	case "openai", "azure", "openai-codex", "xai":
		if has(u, "input_tokens", "output_tokens") && !has(u, "cache_read_input_tokens", "cache_creation_input_tokens") {
			return responses
		}
	case "alibaba", "alibaba-token-plan", "alibaba-coding-plan":
		if has(u, "input_tokens", "output_tokens") && !has(u, "cache_read_input_tokens", "cache_creation_input_tokens") {
			return responses // DashScope's own: cached inside, if told at all
		}
	case "cohere":
		if has(u, "tokens", "billed_units") {
			return cohere
		}
	case "genkit":
		if has(u, "inputTokens", "outputTokens", "totalTokens") {
			return genkit
		}
	case "langchain":
		if has(u, "input_tokens", "output_tokens", "total_tokens") {
			return langchain
		}
	case "google", "google-vertex":
		if has(u, "total_input_tokens") {
			return interactions
		}
	case "agent-client-protocol", "acp":
		if has(u, "used") {
			return acp
		}
		if has(u, "inputTokens", "totalTokens") {
			return acpTurn
		}
	case "ai-sdk", "ai":
		if has(u, "inputTokens", "outputTokens") {
			return sdk
		}
	}
	if len(provider) > 7 && provider[:7] == "genkit/" && has(u, "inputTokens", "outputTokens", "totalTokens") {
		return genkit
	}
	return noShape
}

// usual is the shape that a named provider's usage has, for one that says so
// little that its keys do not tell.
func usual(provider string) shape {
	switch provider {
	case "anthropic":
		return anthropic
	case "google", "google-vertex":
		return gemini
	case "amazon-bedrock":
		return converse
	case "cohere":
		return cohere
	case "ollama":
		return ollama
	case "llama.cpp":
		return llamacpp
	case "openai", "azure", "xai", "deepseek", "mistral", "groq", "moonshotai", "zai", "alibaba", "minimax", "openrouter", "perplexity", "vllm", "lmstudio",
		"github-copilot", "togetherai", "fireworks-ai", "cerebras":
		return chat
	}
	return noShape
}

func hasPrefixed(u json.Value, prefix string) bool {
	var scratch []byte
	for f := u.Fields(); f.Next(); {
		var key []byte
		key, scratch = f.Key.Text(scratch[:0])
		if len(key) >= len(prefix) && equalFold(key[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// located is a usage object and what its surroundings say about it.
type located struct {
	usage       json.Value
	name        string
	shape       shape // when the surroundings tell
	request     json.Value
	event       bool // it is, or is in, an event of a stream
	partial     bool // more will follow
	end         bool // nothing more will follow
	whole       bool // a request of its own, of which nothing earlier is kept
	add         bool // a chunk whose numbers are added to the others
	sum         bool // a total over several requests
	serverTools bool // the provider ran tools of its own in this request
	window      int64
}

// locate finds the usage in a response, an event or a wrapper.
func locate(v json.Value, provider string) located {
	l := located{window: core.Unknown, request: v.Get("id")}
	kind := v.Get("type")
	switch {
	case kind.Is("message_start"):
		l.event, l.partial = true, true
		message := v.Get("message")
		l.usage, l.name, l.request, l.shape = message.Get("usage"), "message.usage", message.Get("id"), anthropic
		return l
	case kind.Is("message_delta"):
		l.event = true
		l.partial = v.Path("delta", "stop_reason").IsNull()
		l.usage, l.name, l.shape = v.Get("usage"), "usage", anthropic
		return l
	case kind.Is("content_block_start"), kind.Is("content_block_delta"), kind.Is("content_block_stop"), kind.Is("message_stop"), kind.Is("ping"):
		l.event, l.end = true, kind.Is("message_stop")
		return l
	case kind.Is("message-end"), kind.Is("stream-end"):
		l.event = true
		l.usage, l.name, l.shape = v.Path("delta", "usage"), "delta.usage", cohere
		if !l.usage.Exists() {
			l.usage, l.name = v.Path("response", "meta"), "response.meta"
		}
		return l
	case kind.Is("finish-step"), kind.Is("step-finish"), kind.Is("step_finish"):
		l.event = true
		l.usage, l.name, l.request = v.Get("usage"), "usage", v.Path("response", "id")
		l.whole = true
		return l
	case kind.Is("finish") && has(v, "totalUsage", "usage"):
		l.event = true
		if u := v.Get("totalUsage"); u.Exists() {
			l.usage, l.name, l.sum = u, "totalUsage", true
		} else {
			l.usage, l.name = v.Get("usage"), "usage"
		}
		return l
	case kind.Is("result") && has(v, "num_turns"):
		// The last line of a headless agent's output: a sum over its turns.
		l.usage, l.name, l.shape = v.Get("usage"), "usage", anthropic
		n, _ := v.Get("num_turns").Int64()
		l.sum = n != 1
		return l
	case kind.Is("session.usage.updated"):
		l.event = true
		return l
	}
	if response := v.Get("response"); response.Kind() == json.Object {
		if startsWith(kind, "response.") || has(response, "usage", "usageMetadata") {
			l.event = startsWith(kind, "response.")
			inner := locate(response, provider)
			if inner.usage.Exists() {
				inner.event = l.event
				inner.partial = kind.Is("response.in_progress") || kind.Is("response.created")
				if l.event && has(inner.usage, "input_tokens", "output_tokens") {
					inner.shape = responses
				}
				return inner
			}
			l.request = response.Get("id")
			return l
		}
		if body := response.Get("body"); body.Kind() == json.Object && has(body, "usage", "usageMetadata") {
			return locate(body, provider) // a line of a batch's results
		}
	}
	if startsWith(kind, "response.") {
		l.event = true
		return l
	}
	if inner := v.Get("interaction"); inner.Kind() == json.Object {
		l.event, l.usage, l.name, l.shape, l.request = true, inner.Get("usage"), "interaction.usage", interactions, inner.Get("id")
		return l
	}
	if inner := v.Get("message"); inner.Kind() == json.Object && inner.Get("usage").Exists() {
		l.usage, l.name, l.request = inner.Get("usage"), "message.usage", inner.Get("id")
		return l
	}
	if inner := v.Get("update"); inner.Get("sessionUpdate").Is("usage_update") {
		l.usage, l.name, l.shape = inner, "update", acp
		return l
	}
	if inner := v.Get("params"); inner.Get("update").Get("sessionUpdate").Is("usage_update") {
		l.usage, l.name, l.shape = inner.Get("update"), "update", acp
		return l
	}
	for _, key := range [...]string{"usageMetadata", "usage_metadata"} {
		if u := v.Get(key); u.Exists() {
			l.usage, l.name = u, key
			if id := v.Get("responseId"); id.Exists() {
				l.request = id
			}
			if key == "usageMetadata" || u.Kind() == json.Object && !has(u, "input_tokens", "output_tokens", "total_tokens") {
				l.shape = gemini
				if candidates := v.Get("candidates"); candidates.Kind() == json.Array {
					l.event = true
					l.partial = !anyHas(candidates, "finishReason")
				}
				return l
			}
			l.shape = langchain
			if v.Get("type").Is("AIMessageChunk") || provider == "langchain" && has(v, "chunk_position", "tool_call_chunks") {
				l.event, l.add = true, true
				l.partial = !v.Get("chunk_position").Is("last")
			}
			return l
		}
	}
	if u := v.Get("amazon-bedrock-invocationMetrics"); u.Exists() {
		l.usage, l.name, l.shape, l.event = u, "amazon-bedrock-invocationMetrics", invokeModel, true
		return l
	}
	if inner := v.Get("metadata"); inner.Kind() == json.Object && inner.Get("usage").Exists() && !v.Get("usage").Exists() {
		l.usage, l.name, l.event = inner.Get("usage"), "metadata.usage", true
		if has(l.usage, "inputTokens", "outputTokens") {
			l.shape = converse
		}
		return l
	}
	if u := v.Path("info", "last_token_usage"); u.Exists() {
		v = v.Get("info")
	}
	if u := v.Get("last_token_usage"); u.Exists() {
		l.usage, l.name, l.shape = u, "last_token_usage", responses
		l.window = positive(v.Get("model_context_window"))
		return l
	}
	if u := v.Get("total_token_usage"); u.Exists() {
		l.usage, l.name, l.shape, l.sum = u, "total_token_usage", responses, true
		return l
	}
	if u := v.Get("context_window"); u.Kind() == json.Object && has(u, "context_window_size", "current_usage", "total_input_tokens") {
		l.usage, l.name, l.shape = u, "context_window", statusLine
		return l
	}
	if steps := v.Get("steps"); steps.Kind() == json.Array && steps.Len() > 0 && has(v, "usage", "totalUsage") {
		// A run of several steps: the last one's prompt is in the window.
		var last json.Value
		for e := steps.Elements(); e.Next(); {
			last = e.Value
		}
		if u := last.Get("usage"); u.Exists() {
			l.usage, l.name, l.request = u, "steps.usage", last.Path("response", "id")
			return l
		}
	}
	if u := v.Get("usage"); u.Exists() {
		l.usage, l.name = u, "usage"
		l.sum = v.Get("object").Is("thread.run") // adds up its steps
		l.chunk(v)
		l.serverTools = ranTools(v)
		if n := positive(v.Path("model_info", "context_length")); n > 0 {
			l.window = n
		}
		return l
	}
	if choices := v.Get("choices"); choices.Kind() == json.Array {
		l.chunk(v)
		for e := choices.Elements(); e.Next(); {
			if u := e.Value.Get("usage"); u.Exists() {
				l.usage, l.name = u, "choices.usage"
				return l
			}
		}
		if u := v.Path("x_groq", "usage"); u.Exists() {
			l.usage, l.name = u, "x_groq.usage"
			return l
		}
		if has(v, "timings") {
			l.usage, l.name, l.shape = v, "timings", llamacpp
		}
		return l
	}
	if u := v.Get("totalUsage"); u.Exists() {
		l.usage, l.name, l.sum = u, "totalUsage", true
		return l
	}
	if headers := v.Path("ResponseMetadata", "HTTPHeaders"); headers.Kind() == json.Object && hasPrefixed(headers, "x-amzn-bedrock-") {
		l.usage, l.name, l.shape = headers, "HTTPHeaders", invokeModel
		return l
	}
	if inner := v.Get("data"); inner.Kind() == json.Object && has(inner, "usage", "choices", "usageMetadata") {
		return locate(inner, provider) // a client's event around a chunk
	}
	for _, key := range [...]string{"meta", "stats", "details", "attributes", "headers", "tokenUsage", "token_usage", "Usage"} {
		u := v.Get(key)
		if u.Kind() == json.Object && recognise(u, "") != noShape {
			l.usage, l.name = u, key
			return l
		}
		if u.Kind() == json.Array && key == "attributes" {
			l.usage, l.name, l.shape = v, key, telemetry
			return l
		}
	}
	if has(v, "done", "done_reason") && has(v, "model", "created_at", "prompt_eval_count") {
		l.event, l.partial = true, !v.Get("done").Bool()
		l.usage, l.name, l.shape = v, "usage", ollama
		if l.partial && !has(v, "prompt_eval_count", "eval_count") {
			l.usage = json.Value{}
		}
		return l
	}
	if s := recognise(v, provider); s != noShape {
		l.usage, l.name, l.shape = v, "usage", s
		if provider == "" || !v.Get("id").Exists() {
			l.request = json.Value{}
		}
	}
	return l
}

// chunk tells a chunk of a chat stream from a whole response.
func (l *located) chunk(v json.Value) {
	if v.Get("object").Is("chat.completion.chunk") || v.Get("object").Is("text_completion.chunk") {
		l.event = true
		choices := v.Get("choices")
		l.partial = choices.Len() > 0 && !anyHas(choices, "finish_reason")
	}
}

// anyHas tells whether any element has the key with a value.
func anyHas(array json.Value, key string) bool {
	for e := array.Elements(); e.Next(); {
		if !e.Value.Get(key).IsNull() {
			return true
		}
	}
	return false
}

// ranTools tells whether a whole OpenAI response shows tools that ran at the
// provider, whose rounds may all be in one usage.
func ranTools(v json.Value) bool {
	output := v.Get("output")
	if output.Kind() != json.Array {
		return false
	}
	for e := output.Elements(); e.Next(); {
		kind := e.Value.Get("type")
		for _, hosted := range [...]string{"web_search_call", "file_search_call", "code_interpreter_call", "mcp_call", "image_generation_call"} {
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

// positive reads a window's size; 0 if there is none to read.
func positive(v json.Value) int64 {
	n, fault := v.Int64()
	if fault != json.NumberOK || n <= 0 || n > core.MaxTokens {
		return 0
	}
	return n
}
