// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

// Package js contains the WebAssembly module for Go programs. The module is built, not committed: `make wasm` writes it
// next to the loader for JavaScript hosts, and compressed for Go programs, which include it if it exists when they are
// built. A program built with the build tag "beside" has the module in a file next to it.
package js

import (
	"embed"

	"github.com/klauspost/compress/zstd"
)

// The pattern matches ctx.js if ctx.zst is missing, so that a program also builds without the module.
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
		return nil // a damaged module is treated as missing
	}
	return module
}
