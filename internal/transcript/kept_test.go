// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestASavedSessionIsFoundAgain checks that a session that was saved comes back with every field, and with the size and
// time that its file has now.
func TestASavedSessionIsFoundAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{}\n")
	saved := Session{
		ID: "s", Agent: "codex", Path: path, Key: "k", Workspace: "/w", Parent: "p", Version: "1.2", Started: time.Unix(5, 0),
		Form: WithSidecars, Host: "zed", HostStore: "/h/threads.db", HostTitle: "T", Checkout: "/c", Size: 99, Modified: time.Unix(6, 0),
	}
	later := time.Now().Add(-time.Minute).Truncate(time.Second)
	dirstest.Write(t, path, "{\"a\":1}\n")
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	kept := saved.Keep()
	found, err := kept.Session()
	if err != nil || !found.Modified.Equal(later) {
		t.Fatalf("modified at %v, want %v: %v", found.Modified, later, err)
	}
	found.Modified = saved.Modified
	if saved.Size = 8; found != saved {
		t.Errorf("it came back as\n%+v, and was\n%+v", found, saved)
	}
	os.Remove(path)
	if _, err := kept.Session(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a session without its file: %v", err)
	}
}

// TestASavedSessionOfAnotherVersionIsRefused checks that a form that this version does not know is an error: its file
// would be read in a wrong way.
func TestASavedSessionOfAnotherVersionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{}\n")
	kept := Kept{ID: "s", Path: path, Kind: uint8(WithSidecars) + 1}
	if s, err := kept.Session(); err == nil {
		t.Errorf("its form is read as %d", s.Form)
	}
}

// TestASavedSessionInADatabaseIsAsNewAsItsLog checks that a database's write-ahead log shows when its sessions changed,
// and that such a session has no size of its own.
func TestASavedSessionInADatabaseIsAsNewAsItsLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	for file, at := range map[string]time.Time{path: time.Unix(1000, 0), path + "-wal": time.Unix(2000, 0)} {
		dirstest.Write(t, file, "data")
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for form, want := range map[Form]Session{
		Database: {Modified: time.Unix(2000, 0)},
		Store:    {Modified: time.Unix(2000, 0)},
		Document: {Modified: time.Unix(1000, 0), Size: 4},
	} {
		kept := Kept{Path: path, Kind: uint8(form)}
		if s, err := kept.Session(); err != nil || !s.Modified.Equal(want.Modified) || s.Size != want.Size {
			t.Errorf("form %d: %d bytes, modified at %v: %v", form, s.Size, s.Modified, err)
		}
	}
}

// TestASavedSessionIsAsNewAsTheFilesInItsFolder checks that a session that writes each event into a file of its own has
// changed when one was added, although its first file stays as it is.
func TestASavedSessionIsAsNewAsTheFilesInItsFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "abc")
	path, event := filepath.Join(folder, "base_state.json"), filepath.Join(folder, "events", "1.json")
	dirstest.Write(t, path, "{}")
	dirstest.Write(t, event, "{}")
	for file, at := range map[string]time.Time{path: time.Unix(1000, 0), filepath.Dir(event): time.Unix(3000, 0)} {
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]time.Time{"abc": time.Unix(3000, 0), "another": time.Unix(1000, 0)} {
		kept := Kept{ID: id, Path: path, Kind: uint8(Store)}
		if s, err := kept.Session(); err != nil || !s.Modified.Equal(want) {
			t.Errorf("%s: modified at %v, want %v: %v", id, s.Modified, want, err)
		}
	}
}
