// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// TestASecretIsMadeOnce checks that processes that need a secret at the same time get the same one, that only the user
// can read it, and that a damaged one is an error.
func TestASecretIsMadeOnce(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "state", "key")
	var made [20][]byte
	var wait sync.WaitGroup
	for i := range made {
		wait.Go(func() {
			secret, err := Secret(path)
			if err != nil {
				t.Error(err)
			}
			made[i] = secret
		})
	}
	wait.Wait()
	for _, secret := range made {
		if len(secret) < shortestSecret || !bytes.Equal(secret, made[0]) {
			t.Fatalf("%q and %q", made[0], secret)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	if other, err := Secret(filepath.Join(folder, "other")); err != nil || bytes.Equal(other, made[0]) {
		t.Errorf("two secrets are equal: %v", err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if secret, err := Secret(path); err == nil {
		t.Errorf("a damaged secret is %q", secret)
	}
	if _, err := Secret(folder); err == nil {
		t.Error("a folder is a secret")
	}
}
