// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"encoding/binary"

	"golang.org/x/text/unicode/norm"
)

// appendComposition writes the tables for Unicode's normalization form C: combining classes and canonical
// decompositions.
func appendComposition(out []byte) []byte {
	var classes, parts []byte
	classCount, partCount := uint64(0), uint64(0)
	lastClass, lastPart := rune(0), rune(0)
	for c := rune(0x80); c < 0x110000; c++ {
		if c >= 0xAC00 && c < 0xE000 { // Hangul syllables are composed by arithmetic, and surrogates are not characters
			continue
		}
		text := string(c)
		p := norm.NFC.PropertiesString(text)
		if ccc := p.CCC(); ccc != 0 {
			classes = binary.AppendUvarint(classes, uint64(c-lastClass))
			classes = binary.AppendUvarint(classes, uint64(ccc))
			classCount++
			lastClass = c
		}
		whole := norm.NFD.PropertiesString(text).Decomposition()
		if whole == nil {
			continue
		}
		// A character that form C leaves unchanged is written as two parts: everything before the last character of its
		// full decomposition, composed to one character, and that last character. A character that form C decomposes is
		// written with all its parts.
		all := []rune(string(whole))
		composes := uint64(0)
		if norm.NFC.String(text) == text {
			composes = 1
			if n := len(all); n > 1 {
				all = append([]rune(norm.NFC.String(string(all[:n-1]))), all[n-1])
			}
		}
		if composes == 1 && len(all) != 2 || len(all) > 3 {
			panic("a decomposition of another kind: " + text)
		}
		for len(all) < 3 {
			all = append(all, 0)
		}
		parts = binary.AppendUvarint(parts, uint64(c-lastPart))
		for _, part := range all {
			parts = binary.AppendUvarint(parts, uint64(part))
		}
		parts = binary.AppendUvarint(parts, composes)
		partCount++
		lastPart = c
	}
	out = append(binary.AppendUvarint(out, classCount), classes...)
	return append(binary.AppendUvarint(out, partCount), parts...)
}
