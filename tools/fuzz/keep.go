// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// large is the maximum size of an input kept in the repository.
const large = 2 << 10

// keepInputs copies some inputs found by the targets to their testdata, so that each test run tries them. It copies the
// newest, because each input reaches code that none before it has reached.
func keepInputs(found []target, most int) error {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return err
	}
	for _, each := range found {
		name, err := exec.Command("go", "list", "./"+each.folder).Output()
		if err != nil {
			return err
		}
		from := filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(strings.TrimSpace(string(name))), each.name)
		into := filepath.Join(each.folder, "testdata", "fuzz", each.name)
		kept, err := keepNewest(from, into, most)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d\n", into, kept)
	}
	return nil
}

// keepNewest copies the newest small files of one directory to another until it has enough.
func keepNewest(from, into string, most int) (kept int, err error) {
	present, _ := os.ReadDir(into) // it often does not exist
	kept = len(present)
	entries, _ := os.ReadDir(from) // a target that has never run has none
	var small []os.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Size() <= large {
			small = append(small, info)
		}
	}
	slices.SortFunc(small, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range small {
		if kept >= most {
			break
		}
		text, err := os.ReadFile(filepath.Join(from, info.Name()))
		if err != nil {
			return kept, err
		}
		if err := os.MkdirAll(into, 0o755); err != nil {
			return kept, err
		}
		if err := os.WriteFile(filepath.Join(into, info.Name()), text, 0o644); err != nil {
			return kept, err
		}
		kept++
	}
	return kept, nil
}
