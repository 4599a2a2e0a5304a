// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Bookmark is where the feed has read to. It is false for a session that is not a file of lines, and for one of which
// nothing has been read.
func (f *Feed) Bookmark() (transcript.Bookmark, bool) {
	if f.Session.Form != transcript.Lines || !f.opened || f.kept.Offset == 0 {
		return transcript.Bookmark{}, false
	}
	return f.kept, true
}

// keepPlace notes how far the engine has the session.
func (f *Feed) keepPlace() {
	if !f.Bookmarks {
		return
	}
	if place, ok := transcript.PlaceOf(f.tail); ok {
		place.Records, place.Skipped = f.Records, f.Skipped
		f.kept = place
	}
}

// Resume prepares to read a session on from a bookmark. The engine has the session already, restored from the ledger
// that was saved at the bookmark. It returns false if the file is not the one that was read.
func Resume(s transcript.Session, call client.Call, b transcript.Bookmark) (*Feed, bool) {
	tail, ok := b.OpenAt(s)
	if !ok {
		return nil, false
	}
	return &Feed{Session: s, ID: s.ID, Bookmarks: true, Records: b.Records, Skipped: b.Skipped, call: call, tail: tail, opened: true, resumed: true, kept: b}, true
}

// ReadWhile reads what has been added, as Read does, but looks before each further piece whether there is time for it;
// whole says whether everything was read. A session to which nothing was added answers its Reading too.
func (f *Feed) ReadWhile(ctx context.Context, time func() bool) (reading []byte, whole bool, err error) {
	whole = true
	f.goOn = func() bool { whole = time(); return whole }
	reading, err = f.Read(ctx)
	f.goOn = nil
	if err == nil && reading == nil && f.opened {
		reading, err = f.reading(ctx)
	}
	return reading, whole, err
}

// Ledger is the session as the engine saves it.
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
