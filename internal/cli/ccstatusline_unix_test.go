// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheRecipeForCcstatuslineWorks runs the real ccstatusline with the widget from docs/editors.md. `make
// tools-statusline` installs it.
func TestTheRecipeForCcstatuslineWorks(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder for what npm installs: ", err)
	}
	tools := cmp.Or(os.Getenv("STATUSLINE_TOOLS"), filepath.Join(cache, "ctx-lsp", "statusline-tools"))
	program := filepath.Join(tools, "node_modules", "ccstatusline", "dist", "ccstatusline.js")
	if _, err := os.Stat(program); err != nil {
		t.Skip("ccstatusline is not here; `make tools-statusline` has npm install it: ", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here")
	}
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	widget := regexp.MustCompile(`(?s)\{"id": "ctx", "type": "custom-command".*?\}\n`).FindString(string(page))
	if widget == "" {
		t.Fatal("docs/editors.md has no widget for ccstatusline")
	}

	home, folder := t.TempDir(), t.TempDir()
	self, err := os.Executable() // TestMain makes it ctx-lsp if it is called by that name
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(folder, "ctx-lsp")); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(home, ".config", "ccstatusline", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"version": 3, "lines": [[%s], [], []], "flexMode": "full", "compactThreshold": 60, "colorLevel": 2}`, widget)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	transcript := writeLiveSession(t, home, "0197f1c2-0000-7000-8000-000000000001", "/w/shop", 60)
	cmd := exec.Command(node, program)
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"0197f1c2-0000-7000-8000-000000000001","transcript_path":%q,"cwd":"/w/shop","version":"2.1.120","model":{"id":"claude-opus-4-6","display_name":"Opus 4.6"},"workspace":{"current_dir":"/w/shop","project_dir":"/w/shop"},"context_window":{"context_window_size":200000,"current_usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":78000,"output_tokens":60}}}`, transcript))
	cmd.Env = []string{"HOME=" + home, "PATH=" + folder + string(os.PathListSeparator) + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + folder, "LANG=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	shown := strings.ReplaceAll(regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(string(out), ""), "\u00a0", " ")
	if !strings.Contains(shown, "~40% · ") || !strings.Contains(shown, "k left") {
		t.Errorf("ccstatusline shows %q, of %q", shown, out)
	}
}
