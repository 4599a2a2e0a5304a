// Copyright The ctx-lsp authors. MIT licence.

// Package assets has what native programs need beside their code: the vocabularies of the public encodings, and the
// files that come with the program, such as the WebAssembly module. That module does not import it: there each host
// loads the one pack that the model at hand needs. A program built with the tag "beside" has its packs in files next to
// it.
package assets

import "unsafe"

//go:generate go run -tags generator ../../tools/gen/packs .

// Pack returns the pack of a vocabulary: o200k, cl100k, p50k or r50k. The bytes are part of the program and not a
// copy, because a process waits longer for fresh memory than for unpacking; so they must not be written to.
func Pack(vocabulary string) ([]byte, bool) {
	pack := text(vocabulary)
	if pack == "" {
		return nil, false
	}
	return unsafe.Slice(unsafe.StringData(pack), len(pack)), true
}
