// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestASecretOfAnotherUserIsRefused checks that no key is used that another user may know.
func TestASecretOfAnotherUserIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "export.key")
	if err := os.WriteFile(path, []byte(strings.Repeat("k", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Secret(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if secret, err := Secret(path); err == nil || !strings.Contains(err.Error(), "can write") {
		t.Errorf("a secret that others can change is %q, %v", secret, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 4711, -1); err != nil {
		t.Skip("only root can give a file away")
	}
	if secret, err := Secret(path); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("the secret of another user is %q, %v", secret, err)
	}
}
