// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAllTargetsAreFound checks that every target is run without being listed anywhere.
func TestAllTargetsAreFound(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/x_test.go":              "package a\nfunc FuzzOne(f *testing.F) {}\nfunc FuzzTwo(g *testing.F) {\n}\n",
		"a/x.go":                   "package a\nfunc FuzzNot(f *testing.F) {}\n",
		"b/c/y_test.go":            "package c\n// func FuzzNot(f *testing.F)\nfunc Fuzzy() {}\nfunc FuzzThree(f *testing.F) {}\n",
		"node_modules/z/z_test.go": "package z\nfunc FuzzNot(f *testing.F) {}\n",
	} {
		path := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		os.WriteFile(path, []byte(text), 0o600)
	}
	found, err := targets(root)
	if err != nil || len(found) != 3 || found[0].name != "FuzzOne" || found[1].name != "FuzzTwo" || found[2] != (target{filepath.Join(root, "b/c"), "FuzzThree"}) {
		t.Errorf("%v, %v", found, err)
	}
	here, err := targets("../..")
	if err != nil || len(here) < 18 {
		t.Errorf("of this module %d are found, %v", len(here), err)
	}
}

// TestTheNewestSmallInputsAreKept checks that only few and small inputs are added to the repository.
func TestTheNewestSmallInputsAreKept(t *testing.T) {
	from, into := t.TempDir(), filepath.Join(t.TempDir(), "testdata")
	for i, name := range []string{"old", "newer", "newest", "large"} {
		text := make([]byte, 10)
		if name == "large" {
			text = make([]byte, large+1)
		}
		path := filepath.Join(from, name)
		os.WriteFile(path, text, 0o600)
		at := time.Now().Add(time.Duration(i) * time.Minute)
		os.Chtimes(path, at, at)
	}
	for range 2 { // the second time there is nothing to do
		if kept, err := keepNewest(from, into, 2); err != nil || kept != 2 {
			t.Fatal(kept, err)
		}
	}
	entries, _ := os.ReadDir(into)
	if len(entries) != 2 || entries[0].Name() != "newer" || entries[1].Name() != "newest" {
		t.Error(entries)
	}
}
