// Copyright The ctx-lsp authors. MIT licence.

package model

// Reasoning states whether a model's reasoning in one request is part of the next prompt.
type Reasoning uint8

// How models keep reasoning.
const (
	ReasoningUnknown Reasoning = iota
	ReasoningNever             // dropped immediately, even within a turn
	ReasoningTurn              // kept during the turn, dropped when the user sends the next message
	ReasoningAlways            // kept permanently
)

func (r Reasoning) String() string {
	switch r {
	case ReasoningNever:
		return "never"
	case ReasoningTurn:
		return "turn"
	case ReasoningAlways:
		return "always"
	}
	return "unknown"
}

// ParseReasoning parses a word returned by String.
func ParseReasoning(s string) (Reasoning, bool) {
	switch s {
	case "never":
		return ReasoningNever, true
	case "turn":
		return ReasoningTurn, true
	case "always":
		return ReasoningAlways, true
	case "unknown", "":
		return ReasoningUnknown, true
	}
	return ReasoningUnknown, false
}

// onRoute adapts a model's native mode to the route of the request: chat requests of OpenAI or xAI cannot carry earlier
// reasoning, and Copilot never sends it back. Pi, which uses OpenAI's Responses API to reach Copilot, does.
func onRoute(native Reasoning, family, provider, route string) Reasoning {
	if native == ReasoningUnknown && family == "" {
		return ReasoningUnknown
	}
	if (provider == "github-copilot" && route != "openai-responses") || route == "copilot" {
		return ReasoningNever
	}
	switch family {
	case "o200k", "cl100k", "grok":
		if isChat(route) {
			return ReasoningNever
		}
	case "claude-v3", "claude-v47", "claude-v5":
		// A gateway with the shape of a chat API cannot carry signed thinking.
		if isChat(route) && provider != "anthropic" {
			return ReasoningNever
		}
	case "glm5", "glm4":
		// The standard endpoint removes reasoning; the coding plan keeps it.
		if native == ReasoningAlways && provider == "zai" {
			return ReasoningTurn
		}
	}
	return native
}

func isChat(route string) bool {
	switch route {
	case "chat", "chat-completions", "openai-chat", "completions", "openai-completions":
		return true
	}
	return false
}
