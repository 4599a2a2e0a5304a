// Copyright The ctx-lsp authors. MIT licence.

package fnv

import (
	"hash/fnv"
	"strings"
	"testing"
)

// TestHashesAreThoseOfTheStandardLibrary compares hashes with those of hash/fnv.
func TestHashesAreThoseOfTheStandardLibrary(t *testing.T) {
	for _, text := range []string{"", "a", "session", "\x00\xff", strings.Repeat("ä1", 400)} {
		theirs := fnv.New64a()
		theirs.Write([]byte(text))
		if Hash(text) != theirs.Sum64() || Hash([]byte(text)) != theirs.Sum64() {
			t.Errorf("%q: %x, want %x", text, Hash(text), theirs.Sum64())
		}
	}
}
