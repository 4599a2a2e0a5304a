// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// aListing is a listing with the same and with different texts, and with times that are not known.
func aListing(changed time.Time) storeListing {
	l := storeListing{Changed: changed, Size: 4096}
	for i := range manySessions {
		id := "session-" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		s := transcript.Session{ID: id, Key: id, Agent: "goose", Path: "/w/sessions.db", Form: transcript.Store, Workspace: "/w/p", Modified: time.Unix(0, int64(i+1))}
		if i%3 == 0 {
			s.Key, s.Parent, s.Label, s.Version, s.Started = "other", "session-aa", "explore", "1.2", time.Unix(5, 0)
		}
		l.Sessions = append(l.Sessions, s)
	}
	return l
}

// A listing comes back from its file as it was, and a file that is damaged anywhere is none.
func TestAListingComesBackOrIsNone(t *testing.T) {
	want := aListing(time.Unix(1700000000, 5))
	file := appendListing(nil, want)
	got, ok := readListing(file, "goose", "/w/sessions.db", transcript.Store)
	if !ok || !reflect.DeepEqual(got, want) {
		t.Fatalf("it came back as %+v", got)
	}
	for i := range file {
		damaged := append([]byte(nil), file...)
		damaged[i] ^= 0x55
		if _, ok := readListing(damaged, "goose", "/w/sessions.db", transcript.Store); ok {
			t.Fatalf("a file with another byte at %d is read", i)
		}
	}
	for _, text := range [][]byte{nil, []byte("x"), file[:len(file)/2], []byte(listingMagic), append(file, 0)} {
		if _, ok := readListing(text, "goose", "/w/sessions.db", transcript.Store); ok {
			t.Errorf("%d bytes are read", len(text))
		}
	}
}

// The next process takes the listing from its file while the store is as it was, and lists anew when it has changed. A
// store that has just changed is not kept, nor one with few sessions; without a cache everything is listed.
func TestAListingIsKeptForTheNextProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions.db")
	write(t, path, "a store")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	root := Root{Agent: "goose", Path: path, Cache: filepath.Join(dir, "cache")}
	many, asked := aListing(old).Sessions, 0
	ask := func(root Root, sessions []transcript.Session) int {
		listings.Lock()
		delete(listings.of, root.Agent+root.Path) // as in another process
		listings.Unlock()
		asked = 0
		for range 2 { // the second time it is remembered
			if got, err := listed(root, transcript.Store, func() ([]transcript.Session, error) { asked++; return sessions, nil }); err != nil || len(got) != len(sessions) {
				t.Fatalf("%d sessions, %v", len(got), err)
			}
		}
		return asked
	}
	if ask(root, many) != 1 || ask(root, many) != 0 {
		t.Error("the listing is not kept")
	}
	uncached := root
	uncached.Cache = ""
	if ask(uncached, many) != 1 {
		t.Error("without a cache something is kept")
	}
	write(t, path, "a store that has grown")
	if first, again := ask(root, many), ask(root, many); first != 1 || again != 1 {
		t.Error("a store that has just changed is kept, or its old listing is used")
	}
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if first, again := ask(root, many[:3]), ask(root, many[:3]); first != 1 || again != 1 {
		t.Error("a short listing is kept")
	}
	if err := os.RemoveAll(root.Cache); err != nil {
		t.Fatal(err)
	}
	write(t, root.Cache, "a file where the folder should be")
	if ask(root, many) != 1 {
		t.Error("a cache that cannot be written ends the search")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
