// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// pi is Pi; omp, prime and openClaw are made from it.
var (
	pi    = piAgent(agent.Pi, Folder{Variable: "PI_CODING_AGENT_DIR", Default: ".pi/agent"}, "PI_CODING_AGENT_SESSION_DIR")
	omp   = piAgent(agent.OMP, Folder{Default: ".omp/agent"}, "")
	prime = piAgent(agent.Prime, Folder{Default: ".prime/agent"}, "")

	openClaw = Agent{
		ID: agent.OpenClaw, Home: Folder{Variable: "OPENCLAW_STATE_DIR", Default: ".openclaw", Absolute: true}, Family: agent.Pi,
		Roots: func(e dirs.Environment, home, from string) []Root {
			roots := []Root{{Path: e.Join(home, "agents"), From: from, list: listOpenClaw}}
			if from != "" {
				return roots
			}
			// OpenClaw has had other names, and keeps their folders where they are.
			for _, former := range []string{"clawdbot", "moltbot", "moldbot"} {
				roots = append(roots, Root{Name: former, Path: e.Join(e.Home, "."+former, "agents"), list: listOpenClaw})
			}
			return roots
		},
		Tried: []Version{{Field: []string{"version"}, Known: "3"}},
	}
)

// piAgent describes Pi or a program that is made from it, and the variable that moves its sessions, if there is one.
func piAgent(id string, home Folder, sessions string) Agent {
	a := Agent{
		ID: id, Home: home, Family: agent.Pi,
		Roots: func(e dirs.Environment, home, from string) []Root {
			roots := []Root{{Path: e.Join(home, "sessions"), From: from, list: listPi}}
			if sessions != "" && e.Folder(sessions) != "" {
				roots = append(roots, Root{Name: "moved", Path: e.Folder(sessions), From: sessions, list: listPi})
			}
			return roots
		},
		WorkspaceSettings: []string{"." + id + "/settings.json"},
		Tried:             []Version{{Field: []string{"version"}, Known: "3"}},
	}
	if sessions != "" {
		a.Variables = []string{sessions}
	}
	settings := a
	a.Settings = func(e dirs.Environment, home, workspace string, found configfile.Values) {
		settings.jsonSettings(e.Join(home, "settings.json"), workspace, found, "compaction.enabled", "compaction.reserveTokens")
	}
	return a
}
