// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// agentFolders returns the directories in the user's home from which agents read files on their own.
func agentFolders() []string {
	var folders []string
	for _, a := range agents.All() {
		folders = append(folders, a.PromptHomes()...)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// Places are the directories from which files may be read: the workspace, and the agents' directories in the user's
// home. No file outside them is ever opened or checked for, whatever a prompt file or a link on disk refers to.
type Places struct {
	Folders []string // the directories of the workspace
	Home    string   // "" if the agents' directories may not be read
}

// Name returns a path in the form that core/promptfile expects: relative to the workspace or the home directory, with
// slashes.
func (p Places) Name(path string) string {
	for _, named := range []func(string) string{filepath.Clean, real} { // resolve links only if the names do not decide
		for _, folder := range p.Folders {
			if rel, err := filepath.Rel(named(folder), path); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel)
			}
		}
	}
	if p.Home != "" {
		if rel, err := filepath.Rel(p.Home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

func real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
