// Copyright The ctx-lsp authors. MIT licence.

// Package fnv computes FNV-1a hashes of 64 bits. hash/fnv allocates, and boxes its state in an interface.
package fnv

// Empty is the hash of an empty text.
const Empty = uint64(14695981039346656037)

const prime = 1099511628211

// Add returns the hash of a text after one more byte.
func Add(hash uint64, b byte) uint64 { return (hash ^ uint64(b)) * prime }

// Join returns a key made of a key and the hash of a further part.
func Join(key, part uint64) uint64 { return key*prime ^ part }

// Hash returns the hash of a text.
func Hash[T string | []byte](text T) uint64 {
	h := Empty
	for i := 0; i < len(text); i++ {
		h = Add(h, text[i])
	}
	return h
}
