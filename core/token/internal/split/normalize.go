// Copyright The ctx-lsp authors. MIT licence.

package split

import "slices"

// Normalizers of packs.
const (
	Underlined = "underline" // spaces are written as U+2581, like in SentencePiece
	Composed   = "nfc"       // Unicode's canonical composition
)

// Normalizers lists the names of normalizers, which change text before it is split.
var Normalizers = []string{"", Underlined, Composed}

// KnownNormalizer reports whether name is a normalizer that a pack can use.
func KnownNormalizer(name string) bool { return slices.Contains(Normalizers, name) }
