// Copyright The ctx-lsp authors. MIT licence.

package agents

import "github.com/ctx-lsp/ctx-lsp/core/agent"

// aider keeps no sessions that are read.
var aider = Agent{
	ID:      agent.Aider,
	Process: Process{Programs: []string{"aider"}},
}
