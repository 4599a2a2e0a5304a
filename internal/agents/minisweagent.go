// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var miniSWEAgent = Agent{
	ID: agent.MiniSWEAgent,
	Home: Folder{
		Variable:  "MSWEA_GLOBAL_CONFIG_DIR",
		Elsewhere: func(e dirs.Environment) string { return e.ApplicationConfig("mini-swe-agent") },
	},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			return []Root{
				{Path: e.Join(home, "last_mini_run.traj.json"), From: from, List: listOne}, // 2.0 and later
				{Name: "1.x", Path: e.Join(home, "last_mini_swe_agent_run.traj.json"), From: from, List: listOne},
			}
		},
	},
	Records: Records{
		NoDirectory: true, // unless its settings name one
		ExitCodes:   patterns(`<returncode>(-?\d+)</returncode>`),
	},
	Process: Process{Programs: []string{"mini"}},
}
