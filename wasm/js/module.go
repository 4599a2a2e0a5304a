// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

// Package js carries the WebAssembly module in Go programs. The module is built, not committed: `make wasm` writes it
// next to the loader that JavaScript hosts use, and compressed for Go programs, which include it if it is there when
// they are built. A program built with the tag "beside" has the module in a file beside it.
package js

import (
	"embed"

	"github.com/klauspost/compress/zstd"
)

// The pattern finds ctx.js if ctx.zst is missing, so that a program builds without the module too.
//
//go:embed ctx.[jz]*
var files embed.FS

// Module returns the WebAssembly module, unpacked, or nil if this program was built without it.
func Module() []byte {
	packed, err := files.ReadFile("ctx.zst")
	if err != nil {
		return nil
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil
	}
	defer decoder.Close()
	module, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil // its own build is damaged, like one without the module
	}
	return module
}
