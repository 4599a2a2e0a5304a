// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestAFileThatIsReadCanBeReplacedAndRemoved checks that an agent can save by renaming while its file is being read. On
// Windows that depends on how the file was opened.
func TestAFileThatIsReadCanBeReplacedAndRemoved(t *testing.T) {
	folder := t.TempDir()
	path, fresh := filepath.Join(folder, "session.json"), filepath.Join(folder, "session.new")
	for name, text := range map[string]string{path: "old", fresh: "new"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := File(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Rename(path, filepath.Join(folder, "moved")); err != nil {
		t.Errorf("it cannot be moved: %v", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		t.Errorf("another cannot take its name: %v", err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	again, err := File(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := os.Remove(path); err != nil {
		t.Errorf("it cannot be removed: %v", err)
	}
	if text, err := io.ReadAll(again); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}
