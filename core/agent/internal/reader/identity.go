// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// scrubbed lists words that secret removers write in place of an id.
var scrubbed = []string{"redact", "removed", "masked", "scrubbed", "filtered", "omitted"}

// Identity returns the hash of a record's id, 0 if it has none. An id that a secret remover has replaced is treated as
// missing, because many records share it.
func Identity(v json.Value) uint64 {
	n := v.TextLen()
	if v.Kind() != json.String || n == 0 {
		return 0
	}
	if n <= 128 && !distinct(v.Raw()) {
		return 0
	}
	return Hash(v)
}

// distinct reports whether a text may be a unique id: it contains at least two different characters, unless it is
// short, and none of the words of secret removers.
func distinct(raw []byte) bool {
	digits, first, varied := false, byte(0), len(raw) < 8
	for _, c := range raw[1 : len(raw)-1] {
		digits = digits || c-'0' < 10
		switch {
		case c == '-' || c == '_':
		case first == 0:
			first = c
		case c != first:
			varied = true
		}
	}
	if !varied {
		return false
	}
	if digits && len(raw) < 12 {
		return true // too short for a word and a number
	}
	var small [130]byte
	word := small[:0]
	for _, c := range raw {
		if c-'A' < 26 {
			c |= 0x20
		}
		word = append(word, c)
	}
	for _, w := range scrubbed {
		if strings.Contains(string(word), w) {
			return false
		}
	}
	return true
}

// Mix returns one key for two keys.
func Mix(a, b uint64) uint64 {
	h := (a^b*0x9e3779b97f4a7c15)*1099511628211 ^ b>>7
	if h == 0 {
		h = 1
	}
	return h
}

// WarnOfSharedID emits a warning about two records with the same id.
func (t *Transcript) WarnOfSharedID() { t.Emit(core.Warned{Sentence: phrase.SameID.Text()}) }
