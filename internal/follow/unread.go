// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// unread is data newer than a session that is not read.
type unread struct {
	at time.Time
	by string
}

// noteUnread stores newer data that a search has found and that is not read. It reports whether that is new.
func (f *Feed) noteUnread(s *transcript.Session) bool {
	if known := f.unread.Load(); s.Unread.IsZero() || known != nil && !s.Unread.After(known.at) {
		return false
	}
	f.unread.Store(&unread{s.Unread, s.UnreadBy})
	return true
}

// newsSince returns the Reading after reports outside the records since the last Read, or nil if there are none.
func (f *Feed) newsSince(ctx context.Context) ([]byte, error) {
	if u := f.unread.Load(); u != nil && f.opened && u.at.After(f.unreadReported) {
		return f.reading(ctx)
	}
	return f.reportedSince(ctx)
}

// withNews sends reports outside the records to the engine, once, and returns the Reading after it.
func (f *Feed) withNews(ctx context.Context, reading []byte) ([]byte, error) {
	reading, err := f.withReported(ctx, reading)
	u := f.unread.Load()
	if err != nil || u == nil || !f.opened || !u.at.After(f.unreadReported) {
		return reading, err
	}
	f.unreadReported = u.at
	at := api.Time(u.at.UnixMilli())
	return f.call.Update(ctx, &api.UpdateParams{ID: f.ID, UnreadAt: &at, UnreadBy: u.by}).JSON()
}
