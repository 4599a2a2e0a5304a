// Copyright The ctx-lsp authors. MIT licence.

package agents

import "slices"

// PromptHomes lists an agent's folders with prompt files, below the user's own.
func (a *Agent) PromptHomes() []string {
	folders := slices.Clone(a.PromptFolders)
	switch {
	case !a.PromptsAtHome:
	case a.Home.Within != "":
		folders = append(folders, a.Home.Within)
	default:
		folders = append(folders, a.Home.Default)
	}
	return folders
}

// SharedPromptFiles lists the files that several agents load, for a prompt file that belongs to no agent: AGENTS.md,
// and each agent's own name for it.
func SharedPromptFiles() []string {
	var files []string
	for _, a := range all {
		files = append(files, a.SharedPromptFiles...)
	}
	return append([]string{"AGENTS.md"}, files...)
}
