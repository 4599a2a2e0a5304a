// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// These are the names of the data folders of VS Code and of the editors that are made from it.
var editors = []string{
	"Code", "Code - Insiders", "Code - OSS", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
	"Trae", "Trae CN", "Antigravity", "Positron", "Kiro",
}

// These are the folders in which an editor keeps its data on the machine to which a window is connected: over SSH, in
// WSL, in a container, or in a codespace.
var remotes = []string{
	".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server", ".cursor-server", ".windsurf-server",
	".trae-server", ".antigravity-server", ".positron-server", ".kiro-server",
}

// A storage is a folder in which an editor's extensions keep their files.
type storage struct{ path, from string }

// storages lists all such folders, whether they exist or not. Those that an editor has named come first.
func storages(e dirs.Environment) []storage {
	base := e.Applications()
	var out []storage
	seen := map[string]bool{}
	add := func(path, from string) {
		if path != "" && !seen[path] {
			seen[path] = true
			out = append(out, storage{path, from})
		}
	}
	for _, path := range e.Storages {
		add(path, "")
	}
	in := func(from string, parts ...string) { add(e.Join(append(parts, "User", "globalStorage")...), from) }
	if v := e.Variable("VSCODE_PORTABLE"); e.Absolute(v) {
		in("VSCODE_PORTABLE", v, "user-data")
	}
	if v := e.Variable("VSCODE_AGENT_FOLDER"); e.Absolute(v) {
		in("VSCODE_AGENT_FOLDER", v, "data")
	}
	for _, editor := range editors {
		in("", base, editor)
	}
	in("", e.DataHome(), "code-server")
	for _, remote := range remotes {
		in("", e.Home, remote, "data")
	}
	return out
}

// maxStorages is how many storages editors may name.
const maxStorages = 32

// AlsoIn adds the storages of an editor, in which sessions of extensions are then found too. A storage is the folder
// above each extension's own, which an extension knows on every editor. It must be a full path on this machine.
func (f *Finder) AlsoIn(folders ...string) (added bool) {
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
