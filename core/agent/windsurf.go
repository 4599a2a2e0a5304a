// Copyright The ctx-lsp authors. MIT licence.

package agent

// windsurfEntry is an agent that is part of an editor. Its prompt files are read, but neither its sessions nor its rule
// are.
var windsurfEntry = Entry{
	ID: "windsurf", Name: "Windsurf",
}
