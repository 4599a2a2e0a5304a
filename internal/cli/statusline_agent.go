// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// agentStatus is what an agent says on standard input, whichever agent it is.
type agentStatus struct {
	// face is empty for a status line, which an agent runs; another command reads a session with nobody's word for it.
	face string
	// alone leaves out the daemon, which may not have read yet what the agent has just written.
	alone      bool
	text       []byte // as it was said
	agent      string
	line       *agents.StatusLine // the agent's; nil without a message
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
	found    transcript.Session // on disk, once it was located
	// kept is a session that was found before; transcript is where it lies.
	kept *transcript.Kept
	// taught is how often the session has taught something by now: with its first prompt, and with each compaction.
	taught int64
	// stamp changes whenever the Reading may change.
	stamp string
}

// errUnknownAgent says that the JSON is none of those that are understood.
var errUnknownAgent = errors.New("standard input is not the status of a supported agent (Claude Code, Copilot CLI, " +
	"Qwen Code, Antigravity): it has neither a session with a transcript nor a context window; ctx-lsp statusline --for=shell reads no input")

// unmarked is a text without the mark of its encoding, which PowerShell writes before what it passes on.
func unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// statusEvent is the name that Claude Code long documented, and others still send, for a status line's message.
const statusEvent = "Status"

// parseStatus reads the agent's message.
func parseStatus(text []byte) (*agentStatus, error) {
	text = unmarked(text)
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
	s := &agentStatus{
		text: text, agent: sender.ID, line: sender.StatusLine, version: t.Version, session: t.SessionID, transcript: t.TranscriptPath,
		workspace: cmp.Or(t.Cwd, t.Workspace.Current), model: cmp.Or(t.Model.ID, t.Model.DisplayName),
	}
	if t.Window != nil {
		s.window = cmp.Or(max(t.Window.Size, 0), max(t.Window.DisplayedWindow, 0))
		s.provider, s.usage = s.line.Usage(t.Window)
	}
	if s.line.Conversation {
		// The transcript that it names is not written; its conversations lie in a database each.
		s.session, s.transcript = cmp.Or(t.Conversation, t.SessionID), ""
	}
	if info, err := os.Stat(s.transcript); s.transcript != "" && err == nil && info.IsDir() {
		s.transcript = filepath.Join(s.transcript, "events.jsonl")
	}
	return s, nil
}

// locate finds the session on disk: where the agent says that it is, or else by its id among that agent's sessions.
func (s *agentStatus) locate(ctx context.Context, env *environment) (transcript.Session, error) {
	if err := env.refusal(s.agent); err != nil {
		return transcript.Session{}, err
	}
	if s.kept != nil {
		return s.kept.Session()
	}
	if s.transcript != "" && !s.elsewhere() {
		return sessions.AtPath(s.transcript, s.session, s.agent, s.workspace)
	}
	if s.session == "" {
		return transcript.Session{}, os.ErrNotExist
	}
	if kept := env.lastReadings().Place(s.remembered()); kept != nil {
		if found, err := kept.Session(); err == nil {
			return found, nil
		}
	}
	found, _, err := sessions.NewFinder(env.host()).Find(ctx, sessions.Query{ID: s.session, Agent: s.agent, Limit: 1})
	if err == nil && (len(found) == 0 || found[0].ID != s.session) {
		err = os.ErrNotExist
	}
	if err != nil {
		return transcript.Session{}, err
	}
	return found[0], nil
}

// place is what is remembered of where the session lies, for an agent that does not say it.
func (s *agentStatus) place() *transcript.Kept {
	if s.found.Path == "" || s.transcript != "" && !s.elsewhere() {
		return nil
	}
	kept := s.found.Keep()
	return &kept
}

// elsewhere reports whether the session is not at the place that the message names.
func (s *agentStatus) elsewhere() bool { return s.line != nil && s.line.OwnFolder }

// remembered is the key under which the session's last Reading is remembered. Each mode has its own.
func (s *agentStatus) remembered() string {
	if s.session == "" {
		return ""
	}
	return strings.TrimRight(s.session+" "+s.mode+" "+s.face, " ")
}

// stampOf distinguishes the states of the transcript and of the agent's message.
func (s *agentStatus) stampOf(transcript transcript.Session) string {
	log := int64(0)
	if info, err := os.Stat(transcript.Path + "-wal"); err == nil { // of a database
		log = info.Size() ^ info.ModTime().UnixNano()
	}
	return fmt.Sprintf("%s %s %d %d %d %s %d %s", transcript.Path, transcript.Key, transcript.Size, transcript.Modified.UnixNano(), log, s.model, s.window, s.usage)
}

// fromNumbers makes a Reading of the numbers in the agent's message, for a session whose transcript cannot be read.
func (s *agentStatus) fromNumbers(ctx context.Context, env *environment, e engine.Engine) ([]byte, error) {
	call, id := client.Call(e.Call), "status"
	open := api.OpenParams{
		ID: id, Agent: s.agent, AgentVersion: s.version, Model: s.model, Workspace: s.workspace, Mode: api.Mode(s.mode),
		Settings: agents.Settings(env.host(), s.agent, s.workspace),
	}
	var reading []byte
	var err error
	if e, known := agent.Find(s.agent); known && e.FromStore {
		if s.usage == nil {
			return nil, errors.New("the agent reported no context size (this happens while a sub-agent runs), and its session was not found on this machine")
		}
		// It has no rule by which it could be opened, and its name is told with a record.
		teller := transcript.StoreWriter{By: s.agent}
		teller.Session(transcript.StoreSession{CWD: s.workspace, Model: s.model, Version: s.version, Window: s.window})
		open.ID, open.Agent = "", ""
		records := []api.Foreign{json.RawMessage(teller.Records[0].JSON)}
		reading, err = call.Records(ctx, &api.RecordsParams{ID: id, Agent: s.agent, Open: &open, Records: records}).JSON()
	} else {
		reading, err = call.Open(ctx, &open).JSON()
		if err == nil && s.window > 0 {
			reading, err = call.Update(ctx, &api.UpdateParams{ID: id, AgentLimits: &api.Limits{Window: &s.window}}).JSON()
		}
	}
	if err != nil || s.usage == nil {
		return reading, err
	}
	return call.Usage(ctx, &api.UsageParams{ID: id, Request: "last", Provider: s.provider, Usage: s.usage}).JSON()
}
