// Copyright The ctx-lsp authors. MIT licence.

package model

// Reasoning says whether what a model thought in one request is part of the
// prompt of the next.
type Reasoning uint8

// The ways in which reasoning is kept.
const (
	ReasoningUnknown Reasoning = iota
	ReasoningNever             // dropped at once, even inside a turn
	ReasoningTurn              // kept while the turn runs, dropped when the user speaks again
	ReasoningAlways            // kept for good
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

// ParseReasoning reads a word that String has written.
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

// onRoute changes a model's native mode for the route of the request: a chat
// request of OpenAI or xAI has no place for earlier reasoning, and Copilot
// never sends it back. Pi, which asks Copilot by OpenAI's responses, does.
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
		// The standard endpoint clears thinking, the coding plan preserves it.
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
