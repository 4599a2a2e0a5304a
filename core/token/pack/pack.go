// Package pack carries the vocabularies of the public encodings for native programs. The WebAssembly module does not
// import it: there each host loads the one pack that the model at hand needs.
package pack

import "embed"

//go:generate go run -tags generate ./gen .
//go:embed *.ctxv
var packs embed.FS

// Bytes returns the pack of a vocabulary: o200k, cl100k, p50k or r50k.
func Bytes(vocabulary string) ([]byte, bool) {
	pack, err := packs.ReadFile(vocabulary + ".ctxv")
	return pack, err == nil
}
