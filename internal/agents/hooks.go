// Copyright The ctx-lsp authors. MIT licence.

package agents

import "strings"

// Hooks describes an agent's hooks.
type Hooks struct {
	// Events are the events whose answer may carry a text for the model.
	Events []string
	// Reads is the event before a tool runs, if its answer may carry a text for the model; "" if there is none.
	Reads string
	// Early are the events that come before the first record of a session, so that its transcript may not exist yet.
	Early []string
	// Sends reports whether an event is this agent's; nil if its events look like another's.
	Sends func(*HookEvent) bool
	// ByID is set if its events name the session's id, and the transcript only sometimes. NewestOfFolder is set if they
	// name neither, so that the newest session of the event's folder is used.
	ByID, NewestOfFolder bool
	// Answer writes a text for the model, or for the user at events that take none for the model. A string is printed
	// as it is, and nil means no answer.
	Answer func(event, text string) any
}

// HookEvent is the message that agents send to their hooks: the fields of all of them.
type HookEvent struct {
	SessionID           string `json:"session_id"`
	TranscriptPath      string `json:"transcript_path"`
	CamelSessionID      string `json:"sessionId"`
	Conversation        string `json:"conversation_id"`
	CursorVersion       string `json:"cursor_version"`
	AgentTranscriptPath string `json:"agent_transcript_path"`
	AgentID             string `json:"agent_id"`
	Cwd                 string `json:"cwd"`
	Name                string `json:"hook_event_name"`
	Input               struct {
		FilePath string `json:"file_path"`
	} `json:"tool_input"`
}

// Sender returns the agent that sends a hook's event: the one whose fields it has, otherwise the first agent, because
// others have copied its events.
func (e *HookEvent) Sender() *Agent {
	for _, a := range all {
		if a.Hooks != nil && a.Hooks.Sends != nil && a.Hooks.Sends(e) {
			return a
		}
	}
	return all[0]
}

// takesContext reports whether an answer to an event may carry a text for the model, for any agent that answers in the
// same way.
func takesContext(event string) bool {
	for _, a := range all {
		if a.Hooks == nil {
			continue
		}
		for _, name := range a.Hooks.Events {
			if name == event {
				return true
			}
		}
	}
	return false
}

// AnswerHook returns the reply to an event with a name, in the form that the event's agent reads.
func (a *Agent) AnswerHook(event, text string) any {
	if a.Hooks != nil && a.Hooks.Answer != nil {
		return a.Hooks.Answer(event, text)
	}
	if takesContext(event) {
		return contextHook(event, text)
	}
	return map[string]any{"systemMessage": text}
}

// AnswerRead returns the reply to an event before a tool reads a file: a text for the model, which decides nothing
// about the tool. It is nil for an event that takes none.
func (a *Agent) AnswerRead(event, text string) any {
	if a.Hooks == nil || a.Hooks.Reads == "" || a.Hooks.Reads != event {
		return nil
	}
	return contextHook(event, text)
}

func contextHook(event, text string) any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, "additionalContext": text}}
}

// cursorHook returns a reply in Cursor's form.
func cursorHook(event, text string) any {
	if event == "postToolUse" || event == "sessionStart" {
		return map[string]any{"additional_context": text}
	}
	return map[string]any{"user_message": text}
}

// copilotHook returns a reply in Copilot CLI's form.
func copilotHook(_, text string) any { return map[string]any{"additionalContext": text} }

// kiroHook returns the text itself: Kiro CLI adds the output of its hook to the context at two events.
func kiroHook(event, text string) any {
	if event == "agentSpawn" || event == "userPromptSubmit" {
		return text
	}
	return nil
}

// kiroSends reports whether an event is Kiro CLI's, which names no session.
func kiroSends(e *HookEvent) bool {
	switch e.Name {
	case "agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop":
		return e.SessionID == "" && e.CamelSessionID == "" && e.Conversation == "" && e.TranscriptPath == "" && e.Cwd != ""
	}
	return false
}

// geminiSends reports whether an event is Gemini CLI's, by its name.
func geminiSends(e *HookEvent) bool {
	return strings.HasPrefix(e.Name, "Before") || strings.HasPrefix(e.Name, "After")
}
