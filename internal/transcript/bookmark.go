// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Bookmark records how far a transcript was read, for a short-lived program that continues the next time. It contains
// numbers and fingerprints but no text of the transcript, and belongs to the session's ledger.
type Bookmark struct {
	Path    string `json:"path"`
	Offset  int64  `json:"offset"` // everything before it is in the ledger
	Line    int64  `json:"line"`   // the line at Offset
	Records int64  `json:"records"`
	Skipped int64  `json:"skipped"`
	// Passing counts the bytes of an overlong line that has not ended yet.
	Passing int64 `json:"passing,omitempty"`
	// Head and Tail are fingerprints of the start of the file and of the bytes just before Offset. They distinguish a
	// file that has grown from one that was rewritten.
	Head string `json:"head"`
	Tail string `json:"tail"`
	// Size and Modified are those of the file, and Sum a checksum of the bytes from From to Offset. They find a file that
	// was rewritten with the same size. Size is 0 in bookmarks of older versions.
	Size     int64  `json:"size,omitempty"`
	Modified int64  `json:"modified,omitempty"` // nanoseconds since 1970
	From     int64  `json:"from,omitempty"`
	Sum      uint32 `json:"sum,omitempty"`
}

// PlaceOf returns how far a tail has read; false for a session that is not a file of lines.
func PlaceOf(tail Tail) (Bookmark, bool) {
	t, lines := tail.(*lineTail)
	if !lines {
		return Bookmark{}, false
	}
	var size, modified int64
	if t.info != nil {
		size, modified = t.info.Size(), t.info.ModTime().UnixNano()
	}
	return Bookmark{
		Size: size, Modified: modified, From: t.begin, Sum: t.sum, Path: t.path, Offset: t.offset, Line: t.line, Passing: t.skipping,
		Head: fingerprint(t.mark.head), Tail: fingerprint(t.mark.tail),
	}, true
}

// OpenAt returns a tail that continues at the bookmark; false if the session's file is not the one that was read.
func (b *Bookmark) OpenAt(s Session) (Tail, bool) {
	if s.Form != Lines || b.Path != s.Path || b.Offset <= 0 || b.Line < 0 || b.Passing < 0 {
		return nil, false
	}
	f, info, err := openWithInfo(s.Path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	t := &lineTail{path: s.Path, info: info, offset: b.Offset, begin: b.Offset, line: b.Line, skipping: b.Passing}
	if b.Size > 0 && b.From >= 0 && b.From <= b.Offset {
		t.begin, t.sum = b.From, b.Sum
		if b.Size == info.Size() && b.Modified != info.ModTime().UnixNano() && !t.summed(f) {
			return nil, false
		}
	}
	t.mark.sample(f, b.Offset)
	return t, fingerprint(t.mark.head) == b.Head && fingerprint(t.mark.tail) == b.Tail
}

func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
