// Copyright The ctx-lsp authors. MIT licence.

package agent

// The agents that an editor or its extension brings along. Neither their sessions nor their rules are read, but their
// prompt files are.
var (
	copilotEntry = Entry{
		ID: "copilot", Name: "GitHub Copilot",
		PromptFiles: ".github/copilot-instructions.md .github/instructions/*.instructions.md AGENTS.md",
	}
	cursorEntry = Entry{
		ID: "cursor", Name: "Cursor",
		PromptFiles: ".cursorrules .cursor/rules/*.mdc AGENTS.md",
		HomeFolders: ".cursor",
	}
	windsurfEntry = Entry{
		ID: "windsurf", Name: "Windsurf",
		PromptFiles: ".windsurfrules .windsurf/rules/*.md AGENTS.md",
		HomeFolders: ".codeium/windsurf",
	}
)
