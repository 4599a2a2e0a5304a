// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// agentFolders are the folders in the user's home from which agents read files by themselves.
func agentFolders() []string {
	var folders []string
	for _, a := range agents.All() {
		folders = append(folders, a.PromptHomes()...)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// Places are the folders from which files may be read: the workspace, and the agents' folders in the user's home. No
// file outside of them is ever opened or looked for, whatever a prompt file or a link on disk names.
type Places struct {
	Folders []string // of the workspace
	Home    string   // empty if no folders of agents may be read
}

// Name writes a path as core/promptfile wants it: relative to the workspace or the home directory, with slashes.
func (p Places) Name(path string) string {
	for _, named := range []func(string) string{filepath.Clean, real} { // links only where the names do not decide
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
