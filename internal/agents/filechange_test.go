// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestChangedFilesOfASession checks which files of which agents count as changed: those that are newer than the
// session, of agents that read them again without a record.
func TestChangedFilesOfASession(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	started := time.Now().Add(-time.Hour).Truncate(time.Second)
	e := dirs.New("linux", home, func(string) string { return "" })
	write := func(path string, at time.Time) {
		dirstest.Write(t, path, "{}")
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	settings, memory := filepath.Join(home, ".config/opencode/opencode.json"), filepath.Join(work, "AGENTS.md")
	write(settings, started.Add(-time.Minute))
	write(memory, started.Add(-time.Minute))
	write(filepath.Join(home, ".claude.json"), started.Add(time.Minute))
	check := func(id string, wantServers, wantMemory time.Time) {
		t.Helper()
		servers, changed := FilesChanged(e, transcript.Session{Agent: id, Workspace: work, Started: started})
		if !servers.Equal(wantServers) || !changed.Equal(wantMemory) {
			t.Errorf("%s: servers %v, memory %v", id, servers, changed)
		}
	}
	check(agent.OpenCode, time.Time{}, time.Time{})
	write(settings, started.Add(time.Minute))
	write(memory, started.Add(2*time.Minute))
	check(agent.OpenCode, started.Add(time.Minute), started.Add(2*time.Minute))
	check(agent.ClaudeCode, time.Time{}, time.Time{})
	check(agent.Codex, time.Time{}, time.Time{})

	config := filepath.Join(home, ".hermes/config.yaml")
	write(config, started.Add(-time.Minute))
	check(agent.Hermes, time.Time{}, time.Time{})
	dirstest.Write(t, config, "mcp_servers:\n  lab20:\n    command: node\n")
	if err := os.Chtimes(config, started, started.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	check(agent.Hermes, started.Add(time.Minute), time.Time{})
	if names := ServersIn(e, transcript.Session{Agent: agent.Hermes}); len(names) != 1 || names[0] != "lab20" {
		t.Errorf("the servers of Hermes are %q", names)
	}
}
