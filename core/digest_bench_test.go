// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

// BenchmarkDigest computes the print of a message of 6 KB.
func BenchmarkDigest(b *testing.B) {
	it := &Item{Text: make([]byte, 6<<10), Tokens: Unknown}
	var key PrintKey
	for b.Loop() {
		key.PrintOf(it, nil, 0)
	}
}
