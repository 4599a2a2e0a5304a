// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDisallowedFilesAreNotOpened traces the commands and the daemon in a home with sessions of two agents. One of them
// is allowed, and no file below the other's own directory is opened.
func TestDisallowedFilesAreNotOpened(t *testing.T) {
	strace, program := tracedProgram(t)
	home, workspace := t.TempDir(), t.TempDir()
	const id = "22222222-2222-4222-8222-222222222222"
	claude := filepath.Join(".claude", "projects", strings.ReplaceAll(workspace, "/", "-"), id+".jsonl")
	write(t, home, map[string]string{
		".config/ctx-lsp/config.json": `{"agents": ["codex"]}`,
		".claude/settings.json":       `{"autoCompactEnabled": true}`, ".claude/sessions/1.json": `{}`, ".claude.json": `{"mcpServers":{}}`, ".gemini/settings.json": `{}`,
		claude: strings.ReplaceAll(claudeSession(25000), "/home/ada/shop", workspace),
		".codex/sessions/2026/10/01/rollout-2026-10-01T10-00-00-11111111-1111-4111-8111-111111111111.jsonl": fmt.Sprintf(`{"timestamp":"2026-10-01T10:00:00.000Z","type":"session_meta","payload":{"id":"11111111-1111-4111-8111-111111111111","timestamp":"2026-10-01T10:00:00.000Z","cwd":%q,"originator":"codex_cli_rs","cli_version":"0.50.0"}}`+"\n", workspace),
	})
	write(t, workspace, map[string]string{"notes.md": "# Teas\n"}) // for fits
	transcript := filepath.Join(home, claude)
	event := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":"UserPromptSubmit"}`, id, transcript, workspace)
	status := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"model":{"id":"claude-opus-4-6"},"version":"2.1.33"}`, id, transcript, workspace)
	frames := ""
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://` + workspace + `"}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`, `{"jsonrpc":"2.0","id":2,"method":"ctx/watch","params":{"workspace":"` + workspace + `"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ctx/sessions","params":{}}`, `{"jsonrpc":"2.0","id":7,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		frames += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for _, c := range []struct {
		stdin string
		args  string
	}{
		{"", "status"},
		{"", "status " + transcript},
		{"", "sessions"},
		{"", "doctor"},
		{"", "replay " + home},
		{"", "export --format=csv --names"},
		{"", "export --format=csv --names " + transcript},
		{"", "handover " + transcript},
		{"", "mcp-cost"},
		{status, "statusline"},
		{event, "hook"},
		{"", "mcp"},
		{frames, "serve --engine=native"},
		{"", "status " + id},
		{"", "fits --session " + id + " ."},
	} {
		for _, allowed := range []bool{false, true} {
			trace := filepath.Join(t.TempDir(), "trace")
			command := exec.Command(strace, append([]string{"-f", "-s", "4096", "-e", "trace=open,openat,openat2", "-o", trace, program}, strings.Fields(c.args)...)...)
			command.Dir = workspace
			command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"), "TMPDIR=" + t.TempDir()}
			if allowed {
				command.Env = append(command.Env, "CTX_AGENTS=all")
			}
			command.Stdin = strings.NewReader(c.stdin)
			out, err := command.CombinedOutput()
			if bytes.Contains(out, []byte("Operation not permitted")) && err != nil {
				t.Skipf("nothing can be traced here: %s", out)
			}
			text, err := os.ReadFile(trace)
			if err != nil || len(text) == 0 {
				t.Fatalf("nothing was traced: %v, %s", err, out)
			}
			var opened []string
			for line := range strings.Lines(string(text)) {
				for _, foreign := range []string{"/.claude/", "/.claude\"", "/.claude.json\"", "/.gemini"} {
					if strings.Contains(line, home+foreign) {
						opened = append(opened, strings.TrimSpace(line))
					}
				}
			}
			switch {
			case !allowed && len(opened) > 0:
				t.Errorf("%s opened what is not allowed:\n%s", c.args, strings.Join(opened, "\n"))
			case allowed && len(opened) == 0 && c.args != "mcp":
				t.Errorf("%s opens nothing of Claude Code where it is allowed, so the test proves nothing\n%s", c.args, out)
			}
		}
	}
}
