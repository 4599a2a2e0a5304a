// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

func TestAWorkspaceOnAnotherMachineIsNotLookedAt(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := dirstest.Linked(dir, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if w := newWorkspace(link); len(w.paths) < 2 {
		t.Fatalf("the link was not followed: %v", w.paths)
	}
	if w := newWorkspace("//" + strings.TrimLeft(filepath.ToSlash(link), "/")); len(w.paths) != 1 {
		t.Errorf("it was looked at: %v", w.paths)
	}
}

// TestARelativeWorkspaceIsInTheCurrentDirectory checks the paths and the hash of a directory that is not absolute.
func TestARelativeWorkspaceIsInTheCurrentDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "shop", "shop/"} {
		w, whole := newWorkspace(name), newWorkspace(filepath.Join(here, name))
		if !slices.Equal(w.paths, whole.paths) || w.hash != whole.hash || !w.holds(filepath.Join(here, name, "web")) || w.holds(filepath.Dir(here)) {
			t.Errorf("%s is %q, want %q", name, w.paths, whole.paths)
		}
	}
}
