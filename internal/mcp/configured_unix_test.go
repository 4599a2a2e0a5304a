// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

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
		servers, unread := Configured(dirs.Environment{Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}, workspace)
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
	if servers, _ := Configured(dirs.Environment{Home: filepath.Join(dir, "home"), Getenv: func(string) string { return "" }}, workspace); len(servers) != 1 {
		t.Errorf("a file: %v", servers)
	}
}

// TestAServerLeavesNothingBehind: what a server has started ends with it, also
// where the server itself does not end.
func TestAServerLeavesNothingBehind(t *testing.T) {
	list := filepath.Join(t.TempDir(), "pid")
	script := `sleep 1000 & echo $! > ` + list + `; trap "" TERM HUP; while :; do sleep 1; done`
	_, err := Tools(t.Context(), &Server{Command: "sh", Args: []string{"-c", script}}, "test", time.Second)
	if err == nil {
		t.Fatal("it answered")
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("what it started still runs as %d", pid)
}
