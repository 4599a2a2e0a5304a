// Copyright The ctx-lsp authors. MIT licence.

//go:build beside

package conformance

import "io/fs"

// Files returns nil: an editor's package does not run vectors.
func Files() fs.FS { return nil }
