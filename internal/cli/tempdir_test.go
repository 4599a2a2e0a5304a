// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestARelativeDirectoryForTemporaryFilesIsIgnored checks that no temporary file is made in the workspace.
func TestARelativeDirectoryForTemporaryFilesIsIgnored(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, "tmp")
	}
	if err := os.Mkdir("tmp", 0o755); err != nil {
		t.Fatal(err)
	}
	processEnvironment()
	if dir := os.TempDir(); !filepath.IsAbs(dir) {
		t.Errorf("temporary files are made in %s", dir)
	}
	made, err := os.MkdirTemp("", "ctx-lsp-test-")
	if err != nil {
		t.Skipf("this system has no directory for temporary files: %v", err)
	}
	defer os.Remove(made)
	if left, _ := os.ReadDir("tmp"); len(left) > 0 {
		t.Errorf("the workspace has %v", left)
	}
	absolute := t.TempDir()
	t.Setenv("TMPDIR", absolute)
	processEnvironment()
	if got := os.Getenv("TMPDIR"); got != absolute {
		t.Errorf("the absolute directory became %q", got)
	}
}
