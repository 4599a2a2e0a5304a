// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Bookmark says where the reading of a transcript stopped, for a program that lives for a moment and goes on the next
// time: numbers and fingerprints, and nothing of what the transcript says. A session's ledger belongs to it.
type Bookmark struct {
	Path    string `json:"path"`
	Offset  int64  `json:"offset"` // everything before it is in the ledger
	Line    int64  `json:"line"`   // on which the offset is
	Records int64  `json:"records"`
	Skipped int64  `json:"skipped"`
	// Passing counts the bytes of an overlong line that has not ended yet.
	Passing int64 `json:"passing,omitempty"`
	// Head and Tail are fingerprints of how the file begins and of what stands just before the offset, by which a file
	// that grew is told from one that was written anew.
	Head string `json:"head"`
	Tail string `json:"tail"`
}

// Bookmark is where the feed has read to. It is false for a session that is not a file of lines, and for one of which
// nothing has been read.
func (f *Feed) Bookmark() (Bookmark, bool) {
	if f.Session.Form != transcript.Lines || !f.opened || f.kept.Offset == 0 {
		return Bookmark{}, false
	}
	return f.kept, true
}

// keepPlace notes how far the engine has the session.
func (f *Feed) keepPlace() {
	t, lines := f.tail.(*lineTail)
	if !lines || !f.Bookmarks {
		return
	}
	f.kept = Bookmark{
		Path: t.path, Offset: t.offset, Line: t.line, Records: f.Records, Skipped: f.Skipped, Passing: t.skipping,
		Head: fingerprint(t.mark.head), Tail: fingerprint(t.mark.tail),
	}
}

// Resume prepares to read a session on from a bookmark. The engine has the session already, restored from the ledger
// that was saved at the bookmark. It is false where the file is not the one that was read.
func Resume(s transcript.Session, call Call, b Bookmark) (*Feed, bool) {
	if s.Form != transcript.Lines || b.Path != s.Path || b.Offset <= 0 || b.Line < 0 || b.Passing < 0 {
		return nil, false
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < b.Offset {
		return nil, false
	}
	t := &lineTail{path: s.Path, info: info, offset: b.Offset, line: b.Line, skipping: b.Passing}
	t.mark.sample(io.ReaderAt(f), b.Offset)
	if fingerprint(t.mark.head) != b.Head || fingerprint(t.mark.tail) != b.Tail {
		return nil, false
	}
	feed := &Feed{Session: s, ID: s.ID, Bookmarks: true, Records: b.Records, Skipped: b.Skipped, call: call, tail: t, opened: true, resumed: true, kept: b}
	return feed, true
}

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
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
	envelope, err := f.call(ctx, "ctx/session/save", f.onlyID())
	if err != nil {
		return nil, err
	}
	answer, err := Result(envelope)
	if err != nil {
		return nil, err
	}
	v, err := json.Parse(answer)
	if err != nil {
		return nil, err
	}
	return v.Get("ledger").Raw(), nil
}
