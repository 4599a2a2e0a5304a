// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Bookmark returns how far the feed has read. It returns false for a session that is not a file of lines, or of which
// nothing has been read.
func (f *Feed) Bookmark() (transcript.Bookmark, bool) {
	if f.Session.Form != transcript.Lines || !f.opened || f.kept.Offset == 0 {
		return transcript.Bookmark{}, false
	}
	return f.kept, true
}

// keepPlace records how far the engine has the session.
func (f *Feed) keepPlace() {
	if !f.Bookmarks {
		return
	}
	if place, ok := transcript.PlaceOf(f.tail); ok {
		place.Records, place.Skipped = f.Records, f.Skipped
		f.kept = place
	}
}

// Resume prepares to continue reading a session from a bookmark. The engine must have restored it from the ledger that
// was saved at the bookmark. Resume returns false if the file is a different one now.
func Resume(s transcript.Session, call client.Call, b transcript.Bookmark) (*Feed, bool) {
	tail, ok := b.OpenAt(s)
	if !ok {
		return nil, false
	}
	return &Feed{Session: s, ID: s.ID, Bookmarks: true, Records: b.Records, Skipped: b.Skipped, call: call, tail: tail, opened: true, resumed: true, kept: b}, true
}

// ReadWhile is Read that calls time before each further piece, and stops if it returns false; whole reports whether
// everything was read. It returns the Reading even if nothing was added.
func (f *Feed) ReadWhile(ctx context.Context, time func() bool) (reading []byte, whole bool, err error) {
	whole = true
	f.goOn = func() bool { whole = time(); return whole }
	reading, err = f.Read(ctx)
	f.goOn = nil
	if err == nil && reading == nil && f.opened {
		reading, err = f.readingWithLoaded(ctx)
	}
	return reading, whole, err
}

// Ledger returns the ledger of the session, as the engine saves it.
func (f *Feed) Ledger(ctx context.Context) ([]byte, error) {
	answer, err := f.call.Save(ctx, &api.SessionParams{ID: f.ID}).JSON()
	if err != nil {
		return nil, err
	}
	v, err := json.Parse(answer)
	if err != nil {
		return nil, err
	}
	return v.Get("ledger").Raw(), nil
}
