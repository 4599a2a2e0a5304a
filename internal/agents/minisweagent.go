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
		Roots: inHome(
			Root{Path: "last_mini_run.traj.json", List: listOne}, // 2.0 and later
			Root{Name: "1.x", Path: "last_mini_swe_agent_run.traj.json", List: listOne},
		),
	},
	Records: Records{
		NoDirectory: true, // unless its settings name one
		ExitCodes:   patterns(`<returncode>(-?\d+)</returncode>`),
	},
	Process: Process{Programs: []string{"mini"}},
}
