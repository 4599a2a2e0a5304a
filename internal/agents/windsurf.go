// Copyright The ctx-lsp authors. MIT licence.

package agents

// windsurf is an editor with an agent. Its sessions are not read, but its prompt files are.
var windsurf = Agent{
	SharedPromptFiles: []string{".windsurfrules"},
	ID:                "windsurf",
	PromptFiles:       []string{".windsurfrules", ".windsurf/rules/*.md", "AGENTS.md"},
	PromptFolders:     []string{".codeium/windsurf"},
}
