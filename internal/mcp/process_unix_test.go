// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// TestAServerLeavesNoProcess checks that everything a server has started ends with it, even if the server itself does
// not end.
func TestAServerLeavesNoProcess(t *testing.T) {
	list := filepath.Join(t.TempDir(), "pid")
	script := `sleep 1000 & echo $! > ` + list + `; trap "" TERM HUP; while :; do sleep 1; done`
	_, err := Tools(t.Context(), &agents.MCPServer{Command: "sh", Args: []string{"-c", script}}, "test", time.Second)
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
