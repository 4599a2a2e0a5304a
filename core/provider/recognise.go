// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"bytes"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A shape is one format of a request's usage.
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
	words
	shapes
)

var shapeNames = [shapes]string{
	"", "ctx", "chat", "responses", "messages", "generateContent", "interactions", "converse", "invokeModel", "cohere",
	"ollama", "llama.cpp", "lmstudio", "ai-sdk-4", "ai-sdk", "langchain", "genkit", "extensions-ai", "opentelemetry", "acp", "acp-turn", "statusline", "count", "words",
}

func (s shape) String() string { return shapeNames[s] }

// readers contains the reader of each shape. whole is the value that contains the usage.
var readers [shapes]func(r *reader, u, whole json.Value, c *counts)

func init() {
	readers = [shapes]func(r *reader, u, whole json.Value, c *counts){
		plain: readPlain, chat: readChat, responses: readResponses, anthropic: readAnthropic, gemini: readGemini,
		interactions: readInteractions, converse: readConverse, invokeModel: readInvokeModel, cohere: readCohere, ollama: readOllama,
		llamacpp: readLlamaCpp, lmstudio: readLMStudio, sdk4: readSDK4, sdk: readSDK, langchain: readLangChain, genkit: readGenkit,
		extensions: readExtensions, telemetry: readTelemetry, acp: readACP, acpTurn: readACPTurn, statusLine: readStatusLine, countAnswer: readCountAnswer, words: readWords,
	}
}

// recognise returns the shape of a usage object from its keys, and from the provider's name if shapes share their keys;
// noShape if it is not a usage.
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
	case has(u, "billed_units", "tokens") && !has(u, "input_tokens", "prompt_tokens") && !tokensAlone(u):
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
	case has(u, "cached_input_tokens") && has(u, "cache_creation_input_tokens") && has(u, "total_tokens"):
		return words // rig's; the total decides whether the input includes the cache
	case has(u, "input_tokens", "output_tokens"):
		if has(u, "total_tokens", "cached_input_tokens", "reasoning_output_tokens", "cached_tokens", "requests", "cache_read_tokens") && !has(u, "cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation_tokens") {
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
		case has(u, "cacheReadInputTokens", "cacheWriteInputTokens", "cacheCreationInputTokens", "cacheDetails"):
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
	case namesUsage(u):
		return words
	}
	return noShape
}

// fromName returns the shape for keys whose meaning depends on the provider, or noShape.
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
			return responses // DashScope's own: includes the cached tokens, if reported
		}
	case "cohere":
		if has(u, "tokens", "billed_units") && !tokensAlone(u) {
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
	if strings.HasPrefix(provider, "genkit/") && has(u, "inputTokens", "outputTokens", "totalTokens") {
		return genkit
	}
	return noShape
}

// usual returns the shape that a provider normally uses, for a usage with too few keys to recognize it.
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
		if len(key) >= len(prefix) && bytes.EqualFold(key[:len(prefix)], []byte(prefix)) {
			return true
		}
	}
	return false
}

// tokensAlone reports whether {tokens: {…}} is the format of OpenCode and gemini-cli rather than Cohere's, which has
// only two numbers.
func tokensAlone(u json.Value) bool {
	tokens := u.Get("tokens")
	return namesUsage(tokens) && !has(u, "billed_units") && !only(tokens, "input_tokens", "output_tokens", "inputTokens", "outputTokens")
}
