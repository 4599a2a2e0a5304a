// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// Ends appends the ends of a piece's tokens, counted from base.
func (m *Merger) Ends(piece []byte, base int, dst []int) []int {
	valid := m.Valid(piece)
	if m.v.whole.Has(valid) {
		return append(dst, base+len(piece))
	}
	mark := len(dst)
	_, dst = m.cutInWindows(valid, base, dst, true)
	if len(valid) == len(piece) {
		return dst
	}
	// Convert ends in the valid text, which may contain U+FFFD, to ends in the original bytes.
	raw, fixed := 0, 0
	for k := mark; k < len(dst); {
		size, width := 0, 0
		if raw < len(piece) {
			var c rune
			c, size = split.DecodeRune(piece, raw)
			width = split.RuneLength(c)
		}
		if end := dst[k] - base; end > fixed+width && size > 0 {
			raw, fixed = raw+size, fixed+width
		} else {
			dst[k] = base + min(len(piece), raw+min(size, end-fixed))
			k++
		}
	}
	return dst
}
