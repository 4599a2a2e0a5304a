// Copyright The ctx-lsp authors. MIT licence.

package focus

import (
	"context"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestASessionWithoutADirectoryHasThatOfItsProcess checks that a trajectory of mini-SWE-agent without a directory gets
// that of the agent's process, and no other.
func TestASessionWithoutADirectoryHasThatOfItsProcess(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.Env["MSWEA_GLOBAL_CONFIG_DIR"] = m.Home
	path := m.Put("last_mini_run.traj.json", `{"info":{"mini_version":"2.4.6","config":{"environment":{"cwd":""}}},"messages":[],"trajectory_format":"mini-swe-agent-1.1"}`)
	search := Search{Finder: sessions.NewFinder(m.Environment()), Dir: "/w/shop", Now: time.Now}
	running := process.Process{PID: 7, Agent: agent.MiniSWEAgent, Dir: "/w/shop", Started: m.At.Add(-time.Minute)}
	for _, test := range []struct {
		name      string
		workspace string
		processes []process.Process
		want      int
	}{
		{"in the directory", "/w/shop", []process.Process{running}, 1},
		{"in a directory below", "/w", []process.Process{running}, 1},
		{"elsewhere", "/w/other", []process.Process{running}, 0},
		{"no process", "/w/shop", nil, 0},
		{"a process that began later", "/w/shop", []process.Process{{PID: 7, Agent: agent.MiniSWEAgent, Dir: "/w/shop", Started: m.At.Add(time.Hour)}}, 0},
		{"two processes", "/w/shop", []process.Process{running, {PID: 8, Agent: agent.MiniSWEAgent, Dir: "/w/other", Started: running.Started}}, 0},
		{"another agent", "/w/shop", []process.Process{{PID: 7, Agent: agent.Codex, Dir: "/w/shop", Started: running.Started}}, 0},
	} {
		list, err := search.unplaced(context.Background(), test.processes, test.workspace)
		if err != nil || len(list) != test.want {
			t.Errorf("%s: %d sessions, %v", test.name, len(list), err)
			continue
		}
		if test.want == 1 && (list[0].Path != path || list[0].Workspace != "/w/shop") {
			t.Errorf("%s: %s in %q", test.name, list[0].Path, list[0].Workspace)
		}
	}
}
