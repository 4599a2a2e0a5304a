// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestACommandOfAHookKeepsItsQuotes checks names with spaces in the command of --exec: the shell of Windows supports no
// escaped quotes.
func TestACommandOfAHookKeepsItsQuotes(t *testing.T) {
	output := filepath.Join(t.TempDir(), "what was said.txt")
	env := &environment{Stdin: strings.NewReader(""), Getenv: os.Getenv}
	if code := runExecNow(context.Background(), env, []string{"1m", `echo "one  two" & echo three>"` + output + `"`}); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	if text, err := os.ReadFile(output); err != nil || strings.TrimSpace(string(text)) != "three" {
		t.Errorf("%q, %v", text, err)
	}
}
