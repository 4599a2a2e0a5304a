// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAWorkspaceOnAnotherMachineIsNotLookedAt(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := linked(dir, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if w := newWorkspace(link); len(w.paths) < 2 {
		t.Fatalf("the link was not followed: %v", w.paths)
	}
	if w := newWorkspace("//" + strings.TrimLeft(filepath.ToSlash(link), "/")); len(w.paths) != 1 {
		t.Errorf("it was looked at: %v", w.paths)
	}
}
