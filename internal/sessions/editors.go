// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// maxStorages is how many storages editors may add.
const maxStorages = 32

// AddStorage adds the storages of an editor, so that sessions of its extensions are found too. A storage is the parent
// of each extension's own directory, which extensions of all editors know. It must be an absolute path on this machine.
// AddStorage reports whether any is new.
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

// places returns the environment with the storages added so far.
func (f *Finder) places() dirs.Environment {
	f.headsMu.Lock()
	defer f.headsMu.Unlock()
	return f.environment
}

// maxPath is the maximum length of a path added by an editor.
const maxPath = 4096
