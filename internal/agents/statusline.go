// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/agents/claudecode"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// StatusLine is what is known of an agent's status line: the setting with its command, and its message.
type StatusLine struct {
	// File returns the agent's settings file, and Member is the member in it with the status line.
	File   func(e dirs.Environment, home string) string
	Member []string
	// Problems lists why the line would not be seen, by the text of the settings file target and those of a directory.
	Problems func(settings []byte, target, dir string) []string
	// Sends reports whether a message is this agent's.
	Sends func(*StatusMessage) bool
	// Usage returns the usage of the last request, and its provider; nil before the first one.
	Usage func(*StatusWindow) (provider string, usage json.RawMessage)
	// OwnFolder is set if the session is not at the place that the message names, but among the agent's own.
	OwnFolder bool
	// Conversation is set if the message names a session by its conversation.
	Conversation bool
	// WritesFirst is set if the agent writes its transcript before it sends the message.
	WritesFirst bool
}

// StatusMessage is the message to a status line's program: the fields of all agents.
type StatusMessage struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	Version        string `json:"version"`
	HookEvent      string `json:"hook_event_name"`
	Model          struct {
		ID          string `json:"id"`
		DisplayName string `json:"display_name"`
	} `json:"model"`
	Workspace struct {
		Current string `json:"current_dir"`
	} `json:"workspace"`
	Window       *StatusWindow   `json:"context_window"`
	Conversation string          `json:"conversation_id"`
	Product      string          `json:"product"`
	State        string          `json:"agent_state"`
	Quota        json.RawMessage `json:"quota"`
	Width        *int64          `json:"render_width_chars"`
	Autorun      json.RawMessage `json:"autorun"`
}

// StatusWindow is what a message says of the context window.
type StatusWindow struct {
	Size            int64           `json:"context_window_size"`
	CurrentUsage    json.RawMessage `json:"current_usage"`
	LastIn          *int64          `json:"last_call_input_tokens"`
	LastOut         *int64          `json:"last_call_output_tokens"`
	CurrentTokens   *int64          `json:"current_context_tokens"`
	DisplayedWindow int64           `json:"displayed_context_limit"`
}

// WithStatusLine lists the agents that run a status line's program.
func WithStatusLine() []*Agent {
	return slices.DeleteFunc(slices.Clone(all), func(a *Agent) bool { return a.StatusLine == nil })
}

// Sender returns the agent that sends a message; nil if it is unknown. The first agents are asked last, because others
// have copied their messages and added to them.
func (m *StatusMessage) Sender() *Agent {
	for _, a := range slices.Backward(WithStatusLine()) {
		if a.StatusLine.Sends(m) {
			return a
		}
	}
	return nil
}

// providerUsage returns the usage of a message that has it as the provider reports it.
func providerUsage(w *StatusWindow) (string, json.RawMessage) {
	if len(w.CurrentUsage) > 0 && w.CurrentUsage[0] == '{' {
		return "anthropic", w.CurrentUsage
	}
	return "", nil
}

// ownUsage writes the counts of a request that an agent reports in a form of its own.
func ownUsage(in int64, out *int64) (string, json.RawMessage) {
	text, _ := json.Marshal(struct {
		In  int64  `json:"in"`
		Out *int64 `json:"out,omitempty"`
	}{in, out})
	return "ctx", text
}

// PromptOf returns the whole prompt of a usage, cached or not.
func PromptOf(usage json.RawMessage) int64 {
	var u struct {
		In       int64 `json:"in"`
		Input    int64 `json:"input_tokens"`
		Creation int64 `json:"cache_creation_input_tokens"`
		Read     int64 `json:"cache_read_input_tokens"`
	}
	if json.Unmarshal(usage, &u) != nil {
		return 0
	}
	return u.In + u.Input + u.Creation + u.Read
}

// settingsAtHome returns the settings file in an agent's own folder.
func settingsAtHome(e dirs.Environment, home string) string {
	return filepath.Join(home, "settings.json")
}

// statusLineProblems: Claude Code's status line is off with its hooks, and a directory may have its own.
func statusLineProblems(settings []byte, target, dir string) (problems []string) {
	if off, _ := configfile.Value(settings, "disableAllHooks"); string(off) == "true" {
		problems = append(problems, "disableAllHooks is set in it, which also turns off Claude Code's status line")
	}
	for _, name := range slices.Backward(claudecode.WorkspaceSettings) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > mostSettings || path == target {
			continue
		}
		if text, err := os.ReadFile(path); err == nil {
			if own, err := configfile.Value(text, "statusLine"); err == nil && own != nil {
				problems = append(problems, "this directory has its own status line, which takes precedence: "+path)
			}
		}
	}
	return problems
}

// mostSettings bounds a file of settings.
const mostSettings = 4 << 20
