// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestATailContinuesAtABookmark checks that a later process reads exactly the records after the bookmark, also within
// an overlong line.
func TestATailContinuesAtABookmark(t *testing.T) {
	s := Session{Path: filepath.Join(t.TempDir(), "s.jsonl")}
	dirstest.Write(t, s.Path, "{\"a\":1}\n{\"a\":2}\n{\"a\":\""+strings.Repeat("x", maxLine+10))
	tail := Open(s)
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "at first", got, `{"a":1}`, `{"a":2}`)
	mark, ok := PlaceOf(tail)
	if !ok || mark.Path != s.Path || mark.Line != 3 || mark.Offset != int64(16+6+maxLine+10) || mark.Passing != int64(6+maxLine+10) {
		t.Fatalf("the bookmark is %+v, %v", mark, ok)
	}
	dirstest.Add(t, s.Path, "\"}\n{\"a\":4}\n")
	again, ok := mark.OpenAt(s)
	if !ok {
		t.Fatal("the file has grown, and cannot be continued")
	}
	var b Batch
	if err := again.Next(t.Context(), &b); err != nil || b.Line != 3 || b.Reset {
		t.Errorf("the next records are at line %d, reset %v: %v", b.Line, b.Reset, err)
	}
	dirstest.Expect(t, "the next", []string{string(b.Record(0)), string(b.Record(1))}, fmt.Sprintf(`{"skipped":%d}`, maxLine+18), `{"a":4}`)
}

// TestABookmarkOfAnotherFileIsRefused checks everything that shows that the file is not the one that was read.
func TestABookmarkOfAnotherFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := Session{Path: filepath.Join(dir, "s.jsonl")}
	text := strings.Repeat("{\"a\":1}\n", 100)
	dirstest.Write(t, s.Path, text)
	tail := Open(s)
	drainTail(t, tail)
	mark, _ := PlaceOf(tail)
	for name, change := range map[string]func(b *Bookmark, s *Session){
		"nothing":             func(*Bookmark, *Session) {},
		"another form":        func(_ *Bookmark, s *Session) { s.Form = WithSidecars },
		"another path":        func(b *Bookmark, _ *Session) { b.Path += "x" },
		"no position":         func(b *Bookmark, _ *Session) { b.Offset, b.Head, b.Tail = 0, fingerprint(nil), fingerprint(nil) },
		"a negative position": func(b *Bookmark, _ *Session) { b.Offset = -8 },
		"no line":             func(b *Bookmark, _ *Session) { b.Line = 0 },
		"a negative line":     func(b *Bookmark, _ *Session) { b.Line = -1 },
		"a negative length":   func(b *Bookmark, _ *Session) { b.Passing = -1 },
		"another beginning":   func(b *Bookmark, _ *Session) { b.Head = b.Tail[1:] },
		"another end":         func(b *Bookmark, _ *Session) { b.Tail = b.Head[1:] },
		"a rewritten middle":  func(*Bookmark, *Session) { dirstest.Write(t, s.Path, text[:400]+"{\"a\":2}"+text[407:]) },
		"a shorter file":      func(*Bookmark, *Session) { dirstest.Write(t, s.Path, text[:len(text)-1]) },
		"a file that is gone": func(*Bookmark, *Session) { os.Remove(s.Path) },
	} {
		dirstest.Write(t, s.Path, text)
		b, of := mark, s
		change(&b, &of)
		if _, ok := b.OpenAt(of); ok != slices.Contains([]string{"nothing", "no line"}, name) {
			t.Errorf("with %s it is continued: %v", name, ok)
		}
	}
	if got := fingerprint([]byte("a")); got != "ca978112ca1bbdcafac231b3" {
		t.Errorf("bookmarks that were saved have another fingerprint than %s", got)
	}
	if _, ok := PlaceOf(Open(Session{Path: s.Path, Form: Document})); ok {
		t.Error("a document has a bookmark")
	}
}
