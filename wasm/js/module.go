// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

// Package js carries the WebAssembly module in Go programs. The module is built, not committed: `make wasm` writes it
// beside the loader that JavaScript hosts use, and a program built after that holds it. A program built with the tag
// "beside" has the module in a file beside it.
package js

import "embed"

// The pattern always finds the loader, ctx.js, so that a program builds without the module too.
//
//go:embed ctx.*
var files embed.FS

// Module is the WebAssembly module, or nil if there was none when this program was built.
func Module() []byte {
	module, err := files.ReadFile("ctx.wasm")
	if err != nil {
		return nil
	}
	return module
}
