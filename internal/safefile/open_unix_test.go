// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestNothingLeadsOutOfAFolder opens everything that a repository may contain in place of a file.
func TestNothingLeadsOutOfAFolder(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "repository")
	for path, text := range map[string]string{"secret": "outside", "repository/file": "inside", "repository/deep/file": "inside"} {
		path = filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{
		"out": "../secret", "full": filepath.Join(dir, "secret"), "device": "/dev/zero", "self": "self", "gone": "nowhere",
		"folder": "..", "host": "//host/share/x", "process": "/proc/self/environ", "good": "deep/file", "deep/up": "../file",
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(folder, "to a pipe")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file", "deep/file", "good", "deep/up", "./deep/../file"} {
		f, err := Open(folder, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, _ := io.ReadAll(f); string(text) != "inside" {
			t.Errorf("%s holds %q", name, text)
		}
		f.Close()
	}
	for _, name := range []string{"out", "full", "device", "self", "gone", "folder/secret", "host", "process", "../secret", filepath.Join(dir, "secret"), "deep", "pipe", "to a pipe", "", "."} {
		begin := time.Now()
		f, err := Open(folder, name)
		if err == nil {
			f.Close()
			t.Errorf("%q was opened", name)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q was waited for", name)
		}
	}
	if _, err := Open(folder, "pipe"); !errors.Is(err, ErrNoFile) {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "nothing"), "file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
