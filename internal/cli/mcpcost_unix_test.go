// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAServerOfAWorkspaceIsStartedAfterAYes checks that a server that only a workspace defines is shown, and is started
// only if the user agrees.
func TestAServerOfAWorkspaceIsStartedAfterAYes(t *testing.T) {
	for reply, starts := range map[string]bool{"": false, "\n": false, "n\n": false, "y\n": true, "YES\n": true} {
		home, dir := t.TempDir(), t.TempDir()
		text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"x": map[string]any{"command": "sh", "args": []string{"-c", "touch started\a"}}}})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, ".mcp.json"), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		var messages strings.Builder
		env := &environment{
			Stdin: strings.NewReader(reply), Stdout: io.Discard, Stderr: &messages, StdinTerminal: true, Columns: 80,
			Getenv: func(name string) string { return map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}[name] }, Dir: dir, Now: time.Now,
		}
		if code := run(context.Background(), env, []string{"mcp-cost", "x", "--timeout=20s"}); code != exitError {
			t.Errorf("%q: exit code %d", reply, code) // the server sends no response
		}
		started, err := filepath.Glob(filepath.Join(dir, "started*"))
		if err != nil || (len(started) > 0) != starts {
			t.Errorf("%q: started %v, %v", reply, started, err)
		}
		if shown := messages.String(); !strings.Contains(shown, `  "sh -c touch started\a"`) || !strings.Contains(shown, "Start it? [y/N] ") {
			t.Errorf("%q: shown was %s", reply, shown)
		}
	}
}
