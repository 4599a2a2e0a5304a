// Copyright The ctx-lsp authors. MIT licence.

package agents

// windsurf is an editor with an agent. Its sessions are not read, but its prompt files are.
var windsurf = Agent{
	ID: "windsurf",
	Prompts: Prompts{
		PromptFiles:       []string{".windsurfrules", ".windsurf/rules/*.md", "AGENTS.md"},
		SharedPromptFiles: []string{".windsurfrules"},
		PromptFolders:     []string{".codeium/windsurf"},
	},
}
