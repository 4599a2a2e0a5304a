// Copyright The ctx-lsp authors. MIT licence.

// Package assets contains the data that native programs need: the vocabularies of the public encodings, and the files
// that come with the program, such as the WebAssembly module. That module does not import this package: its hosts load
// only the packs they need. A program built with the build tag "beside" has its packs in files next to it.
package assets

import "unsafe"

//go:generate env GOFLAGS=-tags=generator bash ../../mk/tool.sh gen/packs .

// Pack returns the pack of a vocabulary: o200k, cl100k, p50k or r50k. The bytes are part of the program and not a copy,
// because getting fresh memory takes a process longer than unpacking; so they must not be written to.
func Pack(vocabulary string) ([]byte, bool) {
	pack := text(vocabulary)
	if pack == "" {
		return nil, false
	}
	return unsafe.Slice(unsafe.StringData(pack), len(pack)), true
}
