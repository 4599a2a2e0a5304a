// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"context"
	"errors"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Found returns the session of the line, without a path if none was found.
func (l *Line) Found() transcript.Session {
	if l.session == nil {
		return transcript.Session{}
	}
	return l.session.found
}

// Shell returns the line of the named session, otherwise of the current one, without any message. Without a session its
// Reading is nil.
func (p *Program) Shell(ctx context.Context, f Front, word, mode string) (*Line, error) {
	l := &Line{program: p}
	var kept *transcript.Kept
	var err error
	if word == "" {
		kept, err = p.inFront(ctx, f)
	} else {
		var named transcript.Session
		if named, err = p.Named(ctx, word); err == nil {
			one := named.Keep()
			kept = &one
		}
	}
	if kept == nil {
		return l, err
	}
	s := &session{use: shellUse, agent: kept.Agent, version: kept.Version, id: kept.ID, workspace: kept.Workspace, mode: mode, kept: kept}
	s.window = p.windowOf(transcript.Session{Agent: kept.Agent, ID: kept.ID})
	l.session = s
	if s.found, err = kept.Session(); err != nil {
		return l, nil // it was removed; the next run finds another
	}
	select {
	case a := <-p.answer(ctx, s):
		if err = a.err; err == nil && a.reading != nil {
			p.lastReadings().Keep(s.key(), a.reading, a.stamp, a.lessons, nil)
			l.Reading = a.reading
			return l, nil
		}
	case <-ctx.Done():
		err = errors.New("reading the session took too long")
	}
	if l.last(); l.Reading != nil {
		return l, nil
	}
	return l, err
}
