// Copyright The ctx-lsp authors. MIT licence.

package token

const (
	underlined = "underline" // spaces are written as U+2581, as SentencePiece does
	composed   = "nfc"       // Unicode's canonical composition
)

// Normalizers are the names that a pack may give for what is done to text before it is split.
var Normalizers = []string{"", underlined, composed}

func knownNormalizer(name string) bool {
	for _, n := range Normalizers {
		if n == name {
			return true
		}
	}
	return false
}
