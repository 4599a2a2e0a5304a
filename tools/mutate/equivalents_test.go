// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAReasonBelongsToTheChangesAboveIt checks the form of the list of equivalent changes.
func TestAReasonBelongsToTheChangesAboveIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.txt")
	for text, want := range map[string]string{
		"# a comment\n\na\nb\n\tfor both\n\nc\n\tfor one\n": "",
		"\tfor nothing\n":            ":1: a reason without a change",
		"a\n\tonce\n\ttwice\n":       ":3: a reason without a change",
		"a\n\tonce\nb\n\nc\n":        "the last changes have no reason",
		"a\n\tonce\nb\na\n\ttwice\n": ":4: the change is listed twice",
		"a\na\n\ttwice\n":            ":2: the change is listed twice",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := readEquivalents(file)
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %s", text, err, want)
		case want == "" && (err != nil || len(list) != 3 || list["a"] != "for both" || list["b"] != "for both" || list["c"] != "for one"):
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}
