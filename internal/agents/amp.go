// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// amp keeps its sessions on a server; for those on this machine, only the location is known.
var amp = Agent{
	Programs:      []string{"amp"},
	Tabs:          `\bamp\b`,
	PromptFolders: []string{".config/amp"},
	Packages:      []string{"@sourcegraph/amp"},
	ID:            agent.Amp, Home: Folder{Elsewhere: inData("amp")},
	Roots: func(e dirs.Environment, home, _ string) []Root { return []Root{{Path: e.Join(home, "threads")}} },
}
