// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestNoFileStaysOpen checks that agents can rename, replace and delete their files on every system while they are
// followed: nothing keeps a file open between two calls.
func TestNoFileStaysOpen(t *testing.T) {
	const handles = "/proc/self/fd"
	if _, err := os.ReadDir(handles); err != nil {
		t.Skip("this system does not show open files: ", err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	lines := "{\"a\":1}\n{\"a\":2}\n"
	closed := func(name string) {
		t.Helper()
		list, err := os.ReadDir(handles)
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range list {
			if file, _ := os.Readlink(filepath.Join(handles, each.Name())); strings.HasPrefix(file, path) {
				t.Errorf("%s keeps %s open", name, file)
			}
		}
	}
	texts := packed(t, lines)
	texts["lines"], texts["document"], texts["broken"] = lines, `[{"a":1}]`, "\x1f\x8b broken"
	for name, text := range texts {
		form := map[string]Form{"lines": Lines, "document": Document}[name]
		if form == Lines && name != "lines" {
			form = Compressed
		}
		dirstest.Write(t, path, text)
		s := Session{Path: path, Form: form}
		tail := Open(s)
		var b Batch
		for range 2 {
			_ = tail.Next(t.Context(), &b)
			closed("following " + name)
		}
		_, _, _ = Beginning(&s, 10)
		closed("the beginning of " + name)
		if mark, ok := PlaceOf(tail); ok {
			mark.OpenAt(s)
			closed("a bookmark of " + name)
		}
	}
	for name, text := range packed(t, strings.Repeat("{\"a\":1}\n", MaxBatch)) {
		dirstest.Write(t, path, text)
		tail := Open(Session{Path: path, Form: Compressed})
		var b Batch
		_ = tail.Next(t.Context(), &b)
		if err := os.Remove(path); err != nil || b.Count == 0 {
			t.Fatal(b.Count, err)
		}
		_ = tail.Next(t.Context(), &b)
		closed("a removed file of " + name)
	}
	dirstest.Write(t, path, lines)
	if _, _, err := StampOf(path); err != nil {
		t.Error(err)
	}
	closed("a stamp")
	if _, err := RecentTail(path, marked); err != nil {
		t.Error(err)
	}
	Preview(path, marked)
	closed("the end")
}
