// Copyright The ctx-lsp authors. MIT licence.

// Package pack carries the vocabularies of the public encodings for native programs. The WebAssembly module does not
// import it: there each host loads the one pack that the model at hand needs.
package pack

import (
	_ "embed"
	"unsafe"
)

//go:generate go run -tags generator ../../tools/gen/packs .

var (
	//go:embed o200k.ctxv
	o200k string
	//go:embed cl100k.ctxv
	cl100k string
	//go:embed p50k.ctxv
	p50k string
	//go:embed r50k.ctxv
	r50k string
)

// Bytes returns the pack of a vocabulary: o200k, cl100k, p50k or r50k. The bytes are part of the program and not a
// copy, because a process waits longer for fresh memory than for unpacking; so they must not be written to.
func Bytes(vocabulary string) ([]byte, bool) {
	var pack string
	switch vocabulary {
	case "o200k":
		pack = o200k
	case "cl100k":
		pack = cl100k
	case "p50k":
		pack = p50k
	case "r50k":
		pack = r50k
	default:
		return nil, false
	}
	return unsafe.Slice(unsafe.StringData(pack), len(pack)), true
}
