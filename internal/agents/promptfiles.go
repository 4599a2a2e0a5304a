// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"slices"
	"strings"
)

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

// SubstituteFor returns the id of the agent that loads a prompt file of a project in place of its own, "" if none does.
// exists reports whether the project has a file.
func SubstituteFor(path string, exists func(path string) bool) string {
	for _, a := range all {
		if slices.Contains(a.Substitutes, path) && !slices.ContainsFunc(a.Substituted, exists) {
			return a.ID
		}
	}
	return ""
}

// OnlySubstitutes returns the id of the agent in whose own folder a prompt file of a project is that it loads only in
// place of its own; "" for any other file.
func OnlySubstitutes(path string) string {
	for _, a := range all {
		if slices.Contains(a.Substitutes, path) && a.Home.Default != "" && strings.HasPrefix(path, a.Home.Default+"/") {
			return a.ID
		}
	}
	return ""
}
