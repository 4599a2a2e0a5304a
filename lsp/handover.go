// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// These methods read a transcript again, with its texts, because the engine stores none. The texts appear only in the
// result.

// mostHandover is the maximum size of a note in tokens.
const mostHandover = 200_000

// writeHandover answers ctx/handover.
func (c *connection) writeHandover(r *request) ([]byte, *api.Error) {
	asked := api.HandoverParams{Tokens: conversation.UsualHandover}
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	if asked.Tokens < conversation.SmallestHandover || asked.Tokens > mostHandover {
		return nil, api.Invalid("tokens", fmt.Sprintf("must be a number from %d to %d.", conversation.SmallestHandover, mostHandover))
	}
	s, fault := c.transcriptOf(r)
	if fault != nil {
		return nil, fault
	}
	note, err := conversation.Handover(r.ctx, s, c.server.callRaw, asked.Tokens, asked.Unredacted)
	if err != nil {
		return nil, c.transcriptError(r, s, err)
	}
	note.Session = asked.ID
	return answer(note)
}

// compareForgotten answers ctx/forgot.
func (c *connection) compareForgotten(r *request) ([]byte, *api.Error) {
	var asked api.ForgotParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	s, fault := c.transcriptOf(r)
	if fault != nil {
		return nil, fault
	}
	compared, err := conversation.Forgotten(r.ctx, s, c.server.callRaw, int(asked.Compaction), asked.Unredacted)
	if err != nil {
		return nil, c.transcriptError(r, s, err)
	}
	compared.Session = asked.ID
	return answer(compared)
}

// transcriptOf returns the transcript of the session that a request names, whether it is followed or an earlier one.
func (c *connection) transcriptOf(r *request) (transcript.Session, *api.Error) {
	id := r.fields.Text("id")
	if s := c.find(id); s != nil {
		s.mu.Lock()
		from := s.origin
		var at transcript.Session
		if from != nil {
			at = from.Session
		}
		s.mu.Unlock()
		if from == nil {
			return at, &api.Error{
				Kind:    api.RequestFailed,
				Message: "The session " + string(wire.Quoted(id)) + " has no transcript on this machine: another program reported it without its texts.",
			}
		}
		return at, nil
	}
	if id != "" && c.server.options.Source != nil {
		found, _, err := c.server.options.Source.Find(r.ctx, sessions.Query{ID: id})
		if i := slices.IndexFunc(found, func(s transcript.Session) bool { return s.ID == id }); err == nil && i >= 0 {
			return found[i], nil
		}
	}
	if id == "" {
		return transcript.Session{}, api.NoID()
	}
	return transcript.Session{}, api.NoSession(id)
}

// transcriptError returns the error for a transcript that cannot be used. The error is not logged, because it may
// contain text of the conversation.
func (c *connection) transcriptError(r *request, s transcript.Session, err error) *api.Error {
	var refused *api.Error
	switch {
	case r.ctx.Err() != nil:
		return cancelled()
	case errors.As(err, &refused):
		return refused
	}
	return &api.Error{Kind: api.RequestFailed, Message: s.Path + ": " + err.Error() + "."}
}
