// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestAFileIsReplacedWholeOrNotAtAll replaces a file, fails to replace it, and looks for temporary files.
func TestAFileIsReplacedWholeOrNotAtAll(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file.json")
	for _, text := range []string{"first", "second"} {
		synced := 0
		if err := Replace(path, []byte(text), (*os.File).Sync, func(*os.File) error { synced++; return nil }); err != nil || synced != 1 {
			t.Fatalf("%s: %v, %d steps", text, err, synced)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%q, %v", now, err)
		}
	}
	refused := errors.New("refused")
	if err := Replace(path, []byte("third"), func(*os.File) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a step that fails: %v", err)
	}
	if err := Replace(folder, []byte("third")); err == nil {
		t.Error("a file replaced a folder")
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != "second" {
		t.Errorf("%q, %v", now, err)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}
