// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"strings"
	"testing"
)

// TestGeneratedFilesAreUpToDate fails when an entry was changed and `make generated` was not run.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	if err := run("../../..", true); err != nil {
		t.Error(err)
	}
}

func TestATabIsAskedForTheLongerNameFirst(t *testing.T) {
	text := typescript()
	roo, cline := strings.Index(text, "id: 'roo-code'"), strings.Index(text, "id: 'cline'")
	if roo < 0 || cline < 0 || roo > cline {
		t.Errorf("a tab of Roo Code, roo-cline, would be taken for Cline's:\n%s", text)
	}
}
