// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"path/filepath"
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
