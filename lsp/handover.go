// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// These methods read a transcript again, with its texts, because the engine stores none. The texts appear only in the
// result.

const (
	// mostHandover is the maximum size of a note in tokens.
	mostHandover = 200_000
	// longestReading is how long a transcript may be read for one result.
	longestReading = 2 * time.Minute
)

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
	var note *api.HandoverAnswer
	fault = c.readTranscript(r, s, longestReading, func(ctx context.Context, progress func(int64)) (err error) {
		note, err = conversation.Handover(ctx, s, c.server.callRaw, asked.Tokens, asked.Unredacted, progress)
		return err
	})
	if fault != nil {
		return nil, fault
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
	var compared *api.ForgotAnswer
	fault = c.readTranscript(r, s, longestReading, func(ctx context.Context, progress func(int64)) (err error) {
		compared, err = conversation.Forgotten(ctx, s, c.server.callRaw, int(asked.Compaction), asked.Unredacted, progress)
		return err
	})
	if fault != nil {
		return nil, fault
	}
	compared.Session = asked.ID
	return answer(compared)
}

// readTranscript reads a transcript for a result, at most for the given time. It shows progress to the client, and ends
// when the client cancels the request or disconnects.
func (c *connection) readTranscript(r *request, s transcript.Session, within time.Duration, read func(ctx context.Context, progress func(int64)) error) *api.Error {
	ctx, cancel := context.WithTimeout(r.ctx, within)
	defer cancel()
	report, end := c.progress(r.fields.Get("workDoneToken"), phrase.Named("Reading sessions"))
	defer end()
	last := time.Now()
	err := read(ctx, func(bytes int64) {
		if now := time.Now(); now.Sub(last) >= 250*time.Millisecond {
			last = now
			report(phrase.Text{}, int(100*min(bytes, s.Size)/max(s.Size, 1)))
		}
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && r.ctx.Err() == nil:
		return &api.Error{
			Kind: api.RequestFailed, Message: fmt.Sprintf("%s could not be read within %g s; the command line has no such limit.", s.Path, within.Seconds()),
		}
	}
	return c.transcriptError(r, s, err)
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
	case errors.Is(err, conversation.ErrNeverCompacted):
		return &api.Error{Kind: api.RequestFailed, Message: "This session was never compacted."}
	}
	return &api.Error{Kind: api.RequestFailed, Message: s.Path + ": " + err.Error() + "."}
}
