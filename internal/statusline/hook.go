// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// ErrNotWritten is the error for a transcript whose session has no record yet.
var ErrNotWritten = errors.New("the session has no record yet")

// A HookEvent is the message that an agent sends to its hooks.
type HookEvent struct {
	agents.HookEvent
	sender *agents.Agent
}

// Sender returns the agent that has sent the event.
func (e *HookEvent) Sender() *agents.Agent { return e.sender }

// ofSubAgent returns the sub-agent's transcript: the path in the event, otherwise the usual path next to the session's
// transcript, or the session's own transcript if that file does not exist.
func (e *HookEvent) ofSubAgent() string {
	if e.AgentTranscriptPath != "" {
		return e.AgentTranscriptPath
	}
	own := filepath.Join(strings.TrimSuffix(e.TranscriptPath, ".jsonl"), "subagents", "agent-"+filepath.Base(e.AgentID)+".jsonl")
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		return own
	}
	return e.TranscriptPath
}

// Hook reads the event in the agent's message and its session: the whole session, continuing where the last event
// stopped, without a daemon.
func (p *Program) Hook(ctx context.Context) (*HookEvent, []byte, error) {
	event, session, err := p.HookEvent(ctx)
	if err != nil {
		return nil, nil, err
	}
	reading, err := p.readForHook(ctx, session)
	return event, reading, err
}

// HookEvent reads the event in the agent's message, and finds its session.
func (p *Program) HookEvent(ctx context.Context) (*HookEvent, transcript.Session, error) {
	text, err := io.ReadAll(io.LimitReader(p.Input(), MaxMessage))
	if err != nil {
		return nil, transcript.Session{}, err
	}
	text = Unmarked(text)
	var event HookEvent
	if len(text) == 0 {
		return nil, transcript.Session{}, errors.New("standard input is empty; expected an agent's event as JSON")
	}
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, transcript.Session{}, fmt.Errorf("the agent's event is not JSON: %w", err)
	}
	event.sender = event.HookEvent.Sender()
	path := event.TranscriptPath
	if event.AgentID != "" {
		path = event.ofSubAgent()
	}
	session, err := event.located(ctx, p, path)
	if err != nil {
		return nil, transcript.Session{}, err
	}
	if session.Agent == "" { // too little is written yet to recognize the agent
		session.Agent = event.sender.ID
	}
	session.Workspace = cmp.Or(session.Workspace, event.Cwd)
	return &event, session, nil
}

// located returns the session of the event: its transcript path, otherwise the session with its id.
func (e *HookEvent) located(ctx context.Context, p *Program, path string) (transcript.Session, error) {
	e.SessionID = cmp.Or(e.SessionID, e.CamelSessionID, e.Conversation)
	if path != "" {
		if err := p.RefusesPath(path); err != nil {
			return transcript.Session{}, err
		}
		session, err := sessions.At(path)
		if err == nil {
			err = p.Refuses(session.Agent)
		}
		if err == nil {
			return session, nil
		}
		if h := e.sender.Hooks; h != nil && slices.Contains(h.Early, e.Name) && errors.Is(err, fs.ErrNotExist) {
			return session, ErrNotWritten
		}
		if e.SessionID == "" || e.CamelSessionID == "" && e.Conversation == "" {
			return session, fmt.Errorf("the transcript cannot be read: %w", err)
		}
	}
	if e.sender.Hooks != nil && e.sender.Hooks.NewestOfFolder {
		return e.locatedByFolder(ctx, p, e.sender)
	}
	if e.SessionID == "" {
		return transcript.Session{}, errors.New("the event contains neither transcript_path nor a session id")
	}
	query := sessions.Query{ID: e.SessionID, Limit: 1}
	if e.sender.Hooks != nil && e.sender.Hooks.ByID {
		query.Agent = e.sender.ID
	}
	found, _, err := sessions.NewFinder(p.Machine.Host).Find(ctx, query)
	if err == nil && (len(found) == 0 || found[0].ID != e.SessionID) {
		err = fmt.Errorf("the event contains no transcript_path, and the session %q was not found", e.SessionID)
	}
	if err != nil {
		return transcript.Session{}, err
	}
	e.TranscriptPath = found[0].Path
	return found[0], nil
}

// locatedByFolder returns the agent's newest session that was started in the event's directory or below it.
func (e *HookEvent) locatedByFolder(ctx context.Context, p *Program, of *agents.Agent) (transcript.Session, error) {
	found, _, err := sessions.NewFinder(p.Machine.Host).Find(ctx, sessions.Query{Agent: of.ID, Workspace: e.Cwd, Limit: 1})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("the event contains no session id, and no session of %s was started in %s", of.Name(), e.Cwd)
	}
	if err != nil {
		return transcript.Session{}, err
	}
	e.SessionID, e.TranscriptPath = found[0].ID, found[0].Path
	return found[0], nil
}

// HookSentence returns a sentence for the model about how full its context is, which it cannot know otherwise.
func HookSentence(r *api.Reading) string {
	d := r.Display
	var b strings.Builder
	if r.Limit == nil {
		fmt.Fprintf(&b, "Your context contains %s%s tokens; the size of the window is unknown.", d.Mark, d.Used)
	} else {
		fmt.Fprintf(&b, "Your context is %s%s full: %s%s of %s tokens.", d.Mark, d.Percent, d.Mark, d.Used, d.Limit)
	}
	switch {
	case r.Limit != nil && r.Used > *r.Limit && r.LimitSource != "setting":
		b.WriteString(" That exceeds the limit, so the next request may be refused.")
	case r.Compaction.Threshold == nil:
	case r.Compaction.Level == "over":
		fmt.Fprintf(&b, " It is past the compaction threshold of %s: write down what must survive before you continue.", d.Threshold)
	case r.Compaction.Level == "ok":
		fmt.Fprintf(&b, " It will be compacted at %s, %s from here.", d.Threshold, d.Left)
	default:
		fmt.Fprintf(&b, " It will be compacted at %s, %s from here: finish your current step, or write down what must survive.", d.Threshold, d.Left)
	}
	if v := r.Compaction.Last; v != nil && v.Text.Text != "" {
		b.WriteString(" The last compaction: " + terminal.Sentence(v.Text.Text))
	}
	if text := terminal.JustBroke(r); text != "" {
		b.WriteString(" Prompt cache: " + terminal.Sentence(text) + ".")
	}
	return b.String()
}
