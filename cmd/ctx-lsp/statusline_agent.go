// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

// agentStatus is what an agent says on standard input, whichever agent it is.
type agentStatus struct {
	text       []byte // as it was said
	agent      string
	version    string
	session    string
	transcript string // empty when there is none to read
	workspace  string
	model      string
	window     int64  // 0 if unknown
	mode       string // the mode that the person wants; empty for the usual one
	// usage is that of the last request, as the provider's adapter reads it; nil before the first request.
	provider string
	usage    json.RawMessage
	// taught is how often the session has taught something by now: with its first prompt, and with each compaction.
	taught int64
	// stamp changes whenever the Reading may change.
	stamp string
}

// statusText is the union of what Claude Code, Copilot CLI and Qwen Code send.
type statusText struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	Version        string `json:"version"`
	Model          struct {
		ID          string `json:"id"`
		DisplayName string `json:"display_name"`
	} `json:"model"`
	Window struct {
		Size         int64           `json:"context_window_size"`
		CurrentUsage json.RawMessage `json:"current_usage"`
		// Copilot CLI
		LastIn          *int64 `json:"last_call_input_tokens"`
		LastOut         *int64 `json:"last_call_output_tokens"`
		CurrentTokens   *int64 `json:"current_context_tokens"`
		DisplayedWindow int64  `json:"displayed_context_limit"`
	} `json:"context_window"`
}

// parseStatus reads the agent's message.
func parseStatus(text []byte) (*agentStatus, error) {
	if len(text) == 0 {
		return nil, errors.New("standard input is empty; an agent sends its status there")
	}
	var t statusText
	if err := json.Unmarshal(text, &t); err != nil {
		var kind *json.UnmarshalTypeError
		if !errors.As(err, &kind) { // a field of a wrong type leaves the others usable
			return nil, fmt.Errorf("what the agent says is no JSON: %w", err)
		}
	}
	if t.SessionID == "" && t.TranscriptPath == "" && t.Model.ID == "" && t.Model.DisplayName == "" && len(t.Window.CurrentUsage) == 0 {
		return nil, errors.New("what the agent says names no session, no transcript and no model")
	}
	s := &agentStatus{text: text, agent: agent.ClaudeCode, version: t.Version, session: t.SessionID, transcript: t.TranscriptPath, workspace: t.Cwd, model: t.Model.ID, window: max(t.Window.Size, 0)}
	if s.model == "" {
		s.model = t.Model.DisplayName
	}
	usage := t.Window.CurrentUsage
	switch {
	case t.Window.LastIn != nil || t.Window.CurrentTokens != nil:
		// Copilot CLI does not write its usage into the transcript.
		s.agent, s.transcript = "copilot-cli", ""
		if s.window == 0 {
			s.window = max(t.Window.DisplayedWindow, 0)
		}
		in, out := t.Window.LastIn, t.Window.LastOut
		if in == nil || *in == 0 {
			in, out = t.Window.CurrentTokens, nil
		}
		if in != nil && *in > 0 {
			s.provider, s.usage = "ctx", neutralUsage(*in, out)
		}
	case len(usage) > 0 && usage[0] == '{':
		s.provider, s.usage = "anthropic", usage
	case len(usage) > 0 && usage[0] >= '0' && usage[0] <= '9':
		s.agent = agent.QwenCode
		var in int64
		if json.Unmarshal(usage, &in) == nil && in > 0 {
			s.provider, s.usage = "ctx", neutralUsage(in, nil)
		}
	}
	if info, err := os.Stat(s.transcript); s.transcript != "" && err == nil && info.IsDir() {
		s.transcript = filepath.Join(s.transcript, "events.jsonl")
	}
	return s, nil
}

func neutralUsage(in int64, out *int64) json.RawMessage {
	text, _ := json.Marshal(struct {
		In  int64  `json:"in"`
		Out *int64 `json:"out,omitempty"`
	}{in, out})
	return text
}

// remembered is the key under which the session's last Reading is remembered. Each mode has its own.
func (s *agentStatus) remembered() string {
	if s.mode == "" || s.session == "" {
		return s.session
	}
	return s.session + " " + s.mode
}

// stampOf distinguishes the states of the transcript and of the agent's message.
func (s *agentStatus) stampOf(transcript source.Session) string {
	return fmt.Sprintf("%s %d %d %s %d %s", transcript.Path, transcript.Size, transcript.Modified.UnixNano(), s.model, s.window, s.usage)
}

// fromNumbers makes a Reading of the numbers in the agent's message, for a session whose transcript cannot be read.
func (s *agentStatus) fromNumbers(ctx context.Context, env *environment, e engine.Engine) ([]byte, error) {
	open := map[string]any{
		"id": "status", "agent": s.agent, "agentVersion": s.version, "model": s.model, "workspace": s.workspace,
		"settings": source.Settings(env.host(), s.agent, s.workspace),
	}
	if s.mode != "" {
		open["mode"] = s.mode
	}
	if s.window > 0 {
		open["limits"] = map[string]int64{"window": s.window}
	}
	params, err := json.Marshal(open)
	if err != nil {
		return nil, err
	}
	reading, err := result(e.Call(ctx, "ctx/session/open", params))
	if err != nil || s.usage == nil {
		return reading, err
	}
	params, err = json.Marshal(map[string]any{"id": "status", "request": "last", "provider": s.provider, "usage": s.usage})
	if err != nil {
		return nil, err
	}
	return result(e.Call(ctx, "ctx/session/usage", params))
}
