// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package agents

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// TestServersOfAWorkspaceLeadNowhere puts what a repository may hold in the place of a list of servers.
func TestServersOfAWorkspaceLeadNowhere(t *testing.T) {
	dir := t.TempDir()
	workspace, list := filepath.Join(dir, "workspace"), filepath.Join(dir, "workspace", ".mcp.json")
	if err := os.Mkdir(workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "others.json"), []byte(`{"mcpServers":{"x":{"command":"x"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func() error{
		"a link out":         func() error { return os.Symlink("../others.json", list) },
		"a link to a device": func() error { return os.Symlink("/dev/zero", list) },
		"a pipe":             func() error { return syscall.Mkfifo(list, 0o600) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		servers, unread := MCPServers(dirs.Environment{Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}, workspace)
		if len(servers) != 0 || !slices.Equal(unread, []string{list}) {
			t.Errorf("%s: %v, unread are %v", name, servers, unread)
		}
		if err := os.Remove(list); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "others.json"), list); err != nil {
		t.Fatal(err)
	}
	if servers, _ := MCPServers(dirs.Environment{Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}, workspace); len(servers) != 1 {
		t.Errorf("a file: %v", servers)
	}
}
