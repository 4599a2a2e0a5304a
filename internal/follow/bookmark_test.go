// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A short-lived reader returns exactly the records appended since the last one; a rewritten file is not taken for the
// one that was read.
func TestAFeedContinuesFromItsBookmark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, strings.Repeat("{\"a\":1}\n", 100)+`{"a":"half`)
	s := transcript.Session{ID: "s", Path: path}
	e := newFakeEngine()
	feed := NewFeed(s, e.call)
	feed.Bookmarks = true
	if _, found := feed.Bookmark(); found {
		t.Error("there is a bookmark before anything was read")
	}
	if _, err := feed.Read(context.Background()); err != nil {
		t.Fatal(err)
	}
	mark, found := feed.Bookmark()
	if !found || mark.Offset != 800 || mark.Line != 101 || mark.Records != 100 {
		t.Fatalf("%+v, %v", mark, found)
	}
	dirstest.Add(t, path, "\"}\n{\"a\":3}\n")
	again, ok := Resume(s, e.call, mark)
	if !ok {
		t.Fatal("the file grew, and is not read on")
	}
	files := &outside{}
	again.Files = files
	reading, whole, err := again.ReadWhile(context.Background(), func() bool { return true })
	if err != nil || !whole || string(reading) != `{"session":"s","records":102}` {
		t.Errorf("%s, %v, %v", reading, whole, err)
	}
	again.Again(t.Context())
	if reading, err := again.Read(t.Context()); err != nil || string(reading) != `{"session":"s","records":102}` {
		t.Errorf("again from the beginning: %s, %v", reading, err)
	}
	if !slices.Equal(files.partly, []bool{true, false}) {
		t.Errorf("it was unknown what was sent earlier: %v", files.partly)
	}
	for name, text := range map[string]string{
		"shorter":     "{\"a\":1}\n",
		"another":     strings.Repeat("{\"b\":2}\n", 200),
		"other end":   strings.Repeat("{\"a\":1}\n", 99) + strings.Repeat("{\"a\":2}\n", 9),
		"other start": "{\"b\":1}\n" + strings.Repeat("{\"a\":1}\n", 200),
	} {
		dirstest.Write(t, path, text)
		if _, ok := Resume(s, e.call, mark); ok {
			t.Errorf("%s: a file that was written anew is read on", name)
		}
	}
}

// TestOnlyWhatCanBeContinuedHasABookmark checks feeds without bookmarks, and one of a document.
func TestOnlyWhatCanBeContinuedHasABookmark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	dirstest.Write(t, path, `{"messages":[{"a":1}]}`+"\n")
	for name, c := range map[string]struct {
		form      transcript.Form
		bookmarks bool
		want      bool
	}{
		"lines": {transcript.Lines, true, true}, "without bookmarks": {transcript.Lines, false, false}, "a document": {transcript.Document, true, false},
	} {
		feed := NewFeed(transcript.Session{ID: "s", Path: path, Form: c.form}, newFakeEngine().call)
		feed.Bookmarks = c.bookmarks
		if _, err := feed.Read(t.Context()); err != nil || feed.Records == 0 {
			t.Fatal(feed.Records, err)
		}
		if mark, found := feed.Bookmark(); found != c.want || found != (mark.Offset > 0) {
			t.Errorf("%s: %+v, %v", name, mark, found)
		}
		if feed.Close(t.Context()); c.want {
			if mark, found := feed.Bookmark(); found {
				t.Errorf("after it was closed: %+v", mark)
			}
		}
	}
}

// When the time is over, the part read so far is returned, and its bookmark is at the end of a piece.
func TestAReaderWithoutTimeStopsBetweenPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	line := `{"a":"` + strings.Repeat("x", 1000) + "\"}\n"
	dirstest.Write(t, path, strings.Repeat(line, 3*transcript.MaxBatch/len(line)))
	s := transcript.Session{ID: "s", Path: path}
	e := newFakeEngine()
	feed := NewFeed(s, e.call)
	feed.Bookmarks = true
	_, whole, err := feed.ReadWhile(context.Background(), func() bool { return false })
	mark, found := feed.Bookmark()
	if err != nil || whole || !found || mark.Offset%int64(len(line)) != 0 || mark.Offset > transcript.MaxBatch || mark.Offset == 0 {
		t.Fatalf("%v, %v, %+v", whole, err, mark)
	}
	again, ok := Resume(s, e.call, mark)
	if !ok {
		t.Fatal("it cannot be read on")
	}
	if reading, err := feed.Read(t.Context()); err != nil || reading == nil || feed.Records != int64(3*transcript.MaxBatch/len(line)) {
		t.Errorf("a later Read has no time either: %d records, %v", feed.Records, err)
	}
	if _, whole, err = again.ReadWhile(context.Background(), func() bool { return true }); err != nil || !whole {
		t.Fatal(whole, err)
	}
	if end, _ := again.Bookmark(); end.Records != int64(3*transcript.MaxBatch/len(line)) {
		t.Errorf("%d records were read", end.Records)
	}
}
