// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

// Package js contains the WebAssembly module for Go programs. The module is built, not committed: `make wasm` writes it
// next to the loader for JavaScript hosts, and compressed for Go programs, which include it if it exists when they are
// built. A program built with the build tag "beside" has the module in a file next to it.
package js

import (
	"embed"
	"encoding/binary"
	"io"
)

// The pattern matches ctx.js if ctx.zst is missing, so that a program also builds without the module.
//
//go:embed ctx.[jz]*
var files embed.FS

// Packed returns the WebAssembly module, compressed with zstd, or nil if this program was built without it.
func Packed() []byte {
	packed, err := files.ReadFile("ctx.zst")
	if err != nil {
		return nil
	}
	return packed
}

// Compiler returns the name of the module's compiler, or "" if this program was built without the module. The name is
// in a frame before the compressed module, so nothing is unpacked.
func Compiler() string {
	file, err := files.Open("ctx.zst")
	if err != nil {
		return ""
	}
	defer file.Close()
	var head [8]byte // a magic number and the length
	if _, err := io.ReadFull(file, head[:]); err != nil || binary.LittleEndian.Uint32(head[:4]) != 0x184D2A50 {
		return ""
	}
	name := make([]byte, min(binary.LittleEndian.Uint32(head[4:]), 256))
	if _, err := io.ReadFull(file, name); err != nil {
		return ""
	}
	return string(name)
}
