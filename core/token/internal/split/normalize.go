// Copyright The ctx-lsp authors. MIT licence.

package split

import "slices"

// What a pack may ask to be done to text.
const (
	Underlined = "underline" // spaces are written as U+2581, as SentencePiece does
	Composed   = "nfc"       // Unicode's canonical composition
)

// Normalizers are the names that a pack may give for what is done to text before it is split.
var Normalizers = []string{"", Underlined, Composed}

// KnownNormalizer tells whether a pack may give this name.
func KnownNormalizer(name string) bool { return slices.Contains(Normalizers, name) }
