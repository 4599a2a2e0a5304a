// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestMarksOfHooksAreForgottenAfterAMonth checks that old marks of hooks are removed.
func TestMarksOfHooksAreForgottenAfterAMonth(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old", "young"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-keptMarks - time.Hour)
	os.Chtimes(filepath.Join(dir, "old"), past, past)
	forgetOldMarks(dir, time.Now())
	left, _ := os.ReadDir(dir)
	if len(left) != 1 || left[0].Name() != "young" {
		t.Errorf("left: %v", left)
	}
}
