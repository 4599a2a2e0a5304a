// Copyright The ctx-lsp authors. MIT licence.

// Package word reads and writes several bytes of a text at once.
package word

// HashFactor is the multiplier of all hashes here: 2^64 divided by the golden ratio.
const HashFactor = 0x9E3779B97F4A7C15

// PageBytes is the size of a page of memory.
const PageBytes = 4096

// At reads eight bytes of p; compilers turn it into one load.
func At(p []byte, i int) uint64 {
	b := p[i : i+8 : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Put writes eight bytes; compilers turn it into one store.
func Put(p []byte, w uint64) {
	_ = p[7]
	p[0], p[1], p[2], p[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	p[4], p[5], p[6], p[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}

// Padded reads eight bytes of p, with 0 for those past its end.
func Padded(p []byte, i int) uint64 {
	if i+8 <= len(p) {
		return At(p, i)
	}
	var w uint64
	for j := min(i+8, len(p)) - 1; j >= i; j-- {
		w = w<<8 | uint64(p[j])
	}
	return w
}

// Four reads four bytes of p; compilers turn it into one load.
func Four(p []byte, i int) uint32 {
	b := p[i : i+4 : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
