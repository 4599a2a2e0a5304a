// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/stringset"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// An alphabet contains the characters that merging starts from. It is empty for vocabularies of bytes.
type alphabet struct {
	slots      []uint64 // open addressing: code point+1 in the high half, symbol in the low half
	n          int
	underlined bool // spaces are written as U+2581
}

// bytesAlone is the number of symbols before the characters: one for each byte.
const bytesAlone = 256

// ReadAlphabet reads the symbols that are characters, in rising order.
func ReadAlphabet(r *packed.Reader, normalizer string) alphabet {
	a := alphabet{n: r.Count(min(0x110000, r.Left())), underlined: normalizer == split.Underlined}
	if a.n == 0 {
		return a
	}
	size := 2 << bits.Len(uint(a.n))
	a.slots = make([]uint64, size)
	c := uint64(0)
	for i := range a.n {
		c += r.Number()
		if c > 0x10FFFF {
			r.Fail("one of its characters is beyond Unicode")
			return a
		}
		at := uint32(c*word.HashFactor>>32) & uint32(size-1)
		for probes := 0; a.slots[at] != 0; probes++ {
			if probes == stringset.MaxProbes {
				r.Fail(packed.TooAlike)
				return a
			}
			at = (at + 1) & uint32(size-1)
		}
		c++
		a.slots[at] = c<<32 | uint64(bytesAlone+i)
	}
	return a
}

func (a *alphabet) empty() bool { return a.n == 0 }

// each calls yield for every character with its symbol.
func (a *alphabet) each(yield func(c rune, symbol uint32)) {
	for _, slot := range a.slots {
		if slot != 0 {
			yield(rune(slot>>32)-1, uint32(slot))
		}
	}
}

// symbol returns the symbol of a character, if the alphabet contains it.
func (a *alphabet) symbol(c rune) (symbol uint32, ok bool) {
	if len(a.slots) == 0 {
		return 0, false
	}
	mask := uint32(len(a.slots) - 1)
	at := uint32(uint64(c)*word.HashFactor>>32) & mask
	for {
		slot := a.slots[at]
		if uint32(slot>>32) == uint32(c)+1 {
			return uint32(slot), true
		}
		if slot == 0 {
			return 0, false
		}
		at = (at + 1) & mask
	}
}

// written returns the character that the vocabulary uses for c.
func (a *alphabet) written(c rune) rune {
	if c == ' ' && a.underlined {
		return '▁'
	}
	return c
}
