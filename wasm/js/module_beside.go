// Copyright The ctx-lsp authors. MIT licence.

//go:build beside

package js

// Module is nil: the module lies in a file beside this program.
func Module() []byte { return nil }
