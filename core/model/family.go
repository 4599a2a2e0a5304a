// Copyright The ctx-lsp authors. MIT licence.

package model

// Framing is the number of tokens that a request adds around each item of a conversation. The constants were fitted to
// measured requests of coding agents.
type Framing struct {
	Known bool // measured for this family, otherwise a middle value

	// Tool results arrive together, in one step of the tool loop. A single result costs OneResult; several cost Step
	// once and EachResult each.
	OneResult  int64
	Step       int64
	EachResult int64
	NameCounts bool  // the tool's full name is counted with each result
	Error      int64 // added for a result marked as an error

	User          int64 // a user message
	AssistantText int64 // a reply's text, when the reply is counted from its text
	ToolCall      int64 // a tool call, when counted from its name and arguments
	Parameter     int64 // each parameter of such a call
	Reasoned      int64 // added after a reply with reasoning, for tokens of neither text nor reasoning; usually negative
	ReasoningItem int64 // added at the end of a turn for each reasoning item that is dropped; usually negative
}

// Results returns the cost of n tool results of one step besides their text.
func (f Framing) Results(n int64) int64 {
	switch {
	case n <= 0:
		return 0
	case n == 1:
		return f.OneResult
	}
	return f.Step + n*f.EachResult
}

// encodingOf returns the public vocabulary of a family, or "" if it has none.
func encodingOf(family string) string {
	switch family {
	case "o200k":
		return "o200k_base"
	case "o200k-harmony":
		return "o200k_harmony"
	case "cl100k":
		return "cl100k_base"
	case "r50k":
		return "r50k_base"
	case "p50k":
		return "p50k_base"
	}
	return ""
}

func framingOf(family, route string) Framing {
	switch family {
	case "o200k", "o200k-harmony":
		if isChat(route) {
			return Framing{Known: true, OneResult: 9, Step: 2, EachResult: 7, NameCounts: true, User: 4, AssistantText: 7, ToolCall: 15, Reasoned: -6}
		}
		return Framing{Known: true, OneResult: 9, Step: 2, EachResult: 7, NameCounts: true, User: 6, AssistantText: 7, ToolCall: 15, ReasoningItem: -2}
	case "claude-v47", "claude-v5":
		return Framing{Known: true, OneResult: 5, Step: 6, EachResult: 25, Error: 6, User: 2, AssistantText: 1, ToolCall: 50, Parameter: 11}
	case "claude-v3":
		return Framing{Known: true, OneResult: 1, Step: -9, EachResult: 10, Error: 7, User: 2, AssistantText: 4, ToolCall: 52, Parameter: 13}
	case "gemini", "gemini-4", "gemma3", "gemma4":
		return Framing{OneResult: 1, EachResult: 1, User: 4, AssistantText: 2, ToolCall: 8}
	case "glm4", "glm5", "qwen3", "minimax", "kimi-k2", "deepseek-v3", "mimo":
		return Framing{Known: true, OneResult: 9, EachResult: 9, User: 8, AssistantText: 4, ToolCall: 12}
	}
	return Framing{OneResult: 8, EachResult: 8, User: 5, AssistantText: 3, ToolCall: 12}
}

// Counted returns the framing for texts that are counted with the family's own vocabulary. A framing fitted to
// estimates also compensates for their errors, so claude-v3 has a different one here: it was fitted to 963 steps of the
// tool loop with Opus 4.5 and 4.6 and Sonnet 4.5, with a median error of 2 tokens. For the later families, the framing
// of results needs no change: it is exact for 796 of 996. That of calls was fitted to 1,770 responses without
// reasoning: 93% are within 5 tokens of it, and the excess of the others shows how many blocks of calls they have.
func (m Model) Counted() Framing {
	switch m.Family {
	case "claude-v3":
		return Framing{Known: true, OneResult: 19, Step: 34, EachResult: 12, Error: 7, User: 2, AssistantText: 1, ToolCall: 27, Parameter: 13}
	case "claude-v47", "claude-v5":
		f := m.Framing
		f.ToolCall, f.Parameter = 18, 19
		return f
	}
	return m.Framing
}

// isUnchecked reports whether a Claude model is newer than its family's vocabulary, so that the vocabulary has never
// been compared with the model's own counts. key is its folded ID.
func isUnchecked(key, family string) bool {
	if family != "claude-v47" && family != "claude-v5" {
		return false
	}
	for _, checked := range []string{"opus-4-7", "opus-4-8", "opus-4-9", "opus-5", "sonnet-5", "fable-5"} {
		if Undecorated(key) == "claude-"+checked {
			return false
		}
	}
	return true
}
