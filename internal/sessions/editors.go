// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// maxStorages is how many storages editors may name.
const maxStorages = 32

// AddStorage adds the storages of an editor, so that sessions of its extensions are found too. A storage is the folder
// above each extension's own, which an extension knows on every editor. It must be a full path on this machine.
func (f *Finder) AddStorage(folders ...string) (added bool) {
	f.headsMu.Lock()
	defer f.headsMu.Unlock()
	for _, folder := range folders {
		if dirs.Local(folder) && len(folder) < maxPath && len(f.environment.Storages) < maxStorages && !slices.Contains(f.environment.Storages, folder) {
			f.environment.Storages = append(slices.Clone(f.environment.Storages), folder)
			added = true
		}
	}
	return added
}

// places is the environment with the storages that are known by now.
func (f *Finder) places() dirs.Environment {
	f.headsMu.Lock()
	defer f.headsMu.Unlock()
	return f.environment
}

// maxPath is how long a path may be that somebody names.
const maxPath = 4096
