// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// amp keeps its sessions on a server; for those on this machine, only the location is known.
var amp = Agent{
	ID: agent.Amp, Home: Folder{Elsewhere: inData("amp")},
	Places: Places{
		Roots: inHome(Root{Path: "threads"}),
	},
	Prompts: Prompts{PromptFolders: []string{".config/amp"}},
	Process: Process{
		Programs: []string{"amp"},
		Packages: []string{"@sourcegraph/amp"},
		Tabs:     `\bamp\b`,
	},
}
