// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestTheSecretIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	secrets := make([]string, 8)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() { secrets[i] = OpenLedgers(dir).Secret() })
	}
	all.Wait()
	for _, secret := range secrets {
		if len(secret) != 2*secretBytes || secret != secrets[0] {
			t.Fatalf("secrets %q", secrets)
		}
	}
	if again := OpenLedgers(dir).Secret(); again != secrets[0] {
		t.Errorf("%q, then %q", secrets[0], again)
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("others may read it: %v", mode)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "secret-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if other := OpenLedgers(t.TempDir()).Secret(); other == secrets[0] || other == "" {
		t.Errorf("another user's is %q", other)
	}
}

// TestADamagedSecretIsReplaced checks that a damaged secret costs no more than the digests made with it.
func TestADamagedSecretIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	if secret := OpenLedgers(dir).Secret(); len(secret) != 2*secretBytes {
		t.Errorf("the secret is %q", secret)
	}
}
