// Copyright The ctx-lsp authors. MIT licence.

//go:build !tinygo

package main

import "runtime/debug"

// What lives long here, the vocabularies, is large and free of pointers: collecting early is cheap, and a WebAssembly
// memory that has grown never shrinks.
func init() { debug.SetGCPercent(25) }
