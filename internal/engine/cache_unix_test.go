// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestACacheOfAnotherUserIsNotRun checks that machine code is neither read from a directory that others can write nor
// written there, and that code with the checksums of another secret is compiled again.
func TestACacheOfAnotherUserIsNotRun(t *testing.T) {
	base := t.TempDir()
	shared := filepath.Join(base, "shared")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(shared, "cache")
	compile(t, cache)
	if logged := compile(t, cache); logged != "" {
		t.Fatalf("before it is shared: %q", logged)
	}
	sums := filepath.Join(filepath.Dir(filepath.Dir(keptFiles(t, cache)[0])), sumsFile)
	before, err := os.Stat(sums)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		logged := compile(t, cache)
		if !strings.Contains(logged, "other users can write to "+shared) || !strings.Contains(logged, "compiled at every start") {
			t.Errorf("in a shared directory: %q", logged)
		}
	}
	if after, err := os.Stat(sums); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("it was written: %v", err)
	}
	if err := os.Chmod(shared, 0o700); err != nil {
		t.Fatal(err)
	}

	target := filepath.Join(base, "target")
	if err := os.Mkdir(target, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "linked/" + compiledFolder} {
		link := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		if logged := compile(t, filepath.Join(base, strings.Split(name, "/")[0])); !strings.Contains(logged, link+" is a link") {
			t.Errorf("through a link: %q", logged)
		}
	}
	if made, err := os.ReadDir(target); err != nil || len(made) != 0 {
		t.Errorf("it wrote through a link: %v, %v", made, err)
	}

	if err := os.Rename(keyFor(cache), keyFor(cache)+".old"); err != nil {
		t.Fatal(err)
	}
	if logged := compile(t, cache); !strings.Contains(logged, "compiling") {
		t.Errorf("checksums of another secret are accepted: %q", logged)
	}
	if logged := compile(t, cache); logged != "" {
		t.Errorf("it was not kept again: %q", logged)
	}
	if err := os.Chmod(filepath.Dir(keyFor(cache)), 0o777); err != nil {
		t.Fatal(err)
	}
	if logged := compile(t, cache); !strings.Contains(logged, "other users can write to") {
		t.Errorf("with a secret that others can replace: %q", logged)
	}
}
