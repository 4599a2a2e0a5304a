// Copyright The ctx-lsp authors. MIT licence.

//go:build beside

package js

// Packed returns nil: the module is in a file next to this program.
func Packed() []byte { return nil }

// Compiler returns "": the name of the compiler is in that file.
func Compiler() string { return "" }
