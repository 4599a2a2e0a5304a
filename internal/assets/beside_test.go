// Copyright The ctx-lsp authors. MIT licence.

package assets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesAreFoundOnlyNextToTheProgram checks that files are found next to the program and in the layouts of a
// checkout and of VS Code's package, but never in the working directory, so that a file of a project with the same name
// is not used.
func TestFilesAreFoundOnlyNextToTheProgram(t *testing.T) {
	for _, folder := range folders {
		root := t.TempDir()
		dir := filepath.Join(root, "program")
		want := filepath.Join(dir, filepath.FromSlash(folder), "ctx.wasm")
		for _, each := range []string{dir, filepath.Dir(want)} {
			if err := os.MkdirAll(each, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(want, []byte("module"), 0o600); err != nil {
			t.Fatal(err)
		}
		if place, err := find(dir, "ctx.wasm"); err != nil || place != want {
			t.Errorf("in %s it is found at %q: %v", folder, place, err)
		}
	}
	project := t.TempDir()
	t.Chdir(project)
	if err := os.WriteFile("ctx.wasm", []byte("module"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	_, err := find(elsewhere, "ctx.wasm")
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), elsewhere) {
		t.Errorf("a file of the working directory: %v", err)
	}
}
