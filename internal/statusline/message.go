// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// MaxMessage is the size limit of an agent's message, in bytes.
const MaxMessage = 1 << 20

// errUnknownAgent is the error for JSON that no known agent sends.
var errUnknownAgent = errors.New("standard input is not the status of a supported agent (Claude Code, Copilot CLI, " +
	"Qwen Code, Antigravity, Cursor's CLI): it has neither a session with a transcript nor a context window; ctx-lsp statusline --for=shell reads no input")

// Unmarked returns a text without a byte order mark, which PowerShell writes into its pipes.
func Unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// statusEvent is the name that Claude Code long documented, and others still send, for a status line's message.
const statusEvent = "Status"

// readMessage reads the agent's message, if it arrives in time.
func (p *Program) readMessage(ctx context.Context) (*session, error) {
	type input struct {
		text []byte
		err  error
	}
	done := make(chan input, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(p.Input(), MaxMessage))
		done <- input{text, err}
	}()
	select {
	case in := <-done:
		if in.err != nil {
			return nil, in.err
		}
		return parseMessage(in.text)
	case <-ctx.Done():
		return nil, errors.New("the agent's status took too long to arrive")
	}
}

// parseMessage parses the agent's message.
func parseMessage(text []byte) (*session, error) {
	text = Unmarked(text)
	if len(text) == 0 {
		return nil, errors.New("standard input is empty; expected an agent's status as JSON")
	}
	var t agents.StatusMessage
	if err := json.Unmarshal(text, &t); err != nil {
		var kind *json.UnmarshalTypeError
		if !errors.As(err, &kind) { // a field of a wrong type leaves the others usable
			return nil, fmt.Errorf("the agent's status is not JSON: %w", err)
		}
	}
	if t.HookEvent != "" && t.HookEvent != statusEvent {
		return nil, errors.New("standard input is the event of a hook; use ctx-lsp hook for it")
	}
	sender := t.Sender()
	if sender == nil {
		return nil, errUnknownAgent
	}
	s := &session{
		message: text, agent: sender.ID, line: sender.StatusLine, version: t.Version, id: t.SessionID, path: t.TranscriptPath,
		workspace: cmp.Or(t.Cwd, t.Workspace.Current), model: cmp.Or(t.Model.ID, t.Model.DisplayName),
	}
	if t.Window != nil {
		s.window = cmp.Or(max(t.Window.Size, 0), max(t.Window.DisplayedWindow, 0))
		s.provider, s.usage = s.line.Usage(t.Window)
	}
	if s.line.Conversation {
		// The transcript that it names does not exist; each of its conversations is in its own database.
		s.id, s.path = cmp.Or(t.Conversation, t.SessionID), ""
	}
	if info, err := os.Stat(s.path); s.path != "" && err == nil && info.IsDir() {
		s.path = filepath.Join(s.path, "events.jsonl")
	}
	return s, nil
}
