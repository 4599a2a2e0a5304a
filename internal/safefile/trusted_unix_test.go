// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestADirectoryThatOthersCanWriteIsNotTrusted puts a directory below others of each kind.
func TestADirectoryThatOthersCanWriteIsNotTrusted(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string, mode os.FileMode) string {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(name, target string) string {
		path := filepath.Join(base, name)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	at("own/deep", 0o755)
	at("open", 0o777)
	at("open/own", 0o700)
	at("group", 0o770)
	at("set", 0o777|os.ModeSticky)
	if err := os.WriteFile(filepath.Join(base, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link("link", filepath.Join(base, "own"))
	link("circle", "circle")
	for path, want := range map[string]string{
		"own": "", "own/deep": "", "own/new/newer": "", "own/../own/deep": "",
		"open": "other users can write to", "open/own": "other users can write to", "open/new": "other users can write to", "group": "other users can write to",
		"file": "is not a directory", "file/x": "is not a directory", "link": "is a link",
	} {
		err := Trusted(filepath.Join(base, path))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if err := Trusted("own"); err == nil {
		t.Error("a relative path is trusted")
	}
	if os.Geteuid() != 0 {
		for _, path := range []string{"set", "link/deep", "circle/x"} { // sticky, but not root's; links that are not root's
			if err := Trusted(filepath.Join(base, path)); err == nil {
				t.Errorf("%s is trusted", path)
			}
		}
		return
	}
	if err := Trusted(filepath.Join(base, "link", "deep")); err != nil {
		t.Errorf("a link of root: %v", err)
	}
	if err := Trusted(filepath.Join(base, "circle", "x")); err == nil {
		t.Error("a link to itself is trusted")
	}
	foreign := at("foreign", 0o755)
	at("foreign/own", 0o700)
	if err := os.Chown(foreign, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"foreign", "foreign/own"} {
		if err := Trusted(filepath.Join(base, path)); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Lchown(link("theirs", filepath.Join(base, "own")), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := Trusted(filepath.Join(base, "theirs", "deep")); err == nil {
		t.Error("another user's link is followed")
	}
}
