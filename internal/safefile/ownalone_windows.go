// Copyright The ctx-lsp authors. MIT licence.

package safefile

import "io/fs"

// ownAlone accepts every file: secrets are in the user's own profile.
func ownAlone(string, fs.FileInfo) error { return nil }
