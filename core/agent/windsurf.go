// Copyright The ctx-lsp authors. MIT licence.

package agent

// windsurfEntry is an agent that an editor brings along. Neither its sessions
// nor its rule are read, but its prompt files are.
var windsurfEntry = Entry{
	ID: "windsurf", Name: "Windsurf",
}
