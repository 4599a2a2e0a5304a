// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// An entry describes a symbol. A token of up to seven bytes is stored in it with its length, in the format of
// pieces.Key. A longer token is stored as its length and the two symbols that it consists of, with the highest bit set.
// So comparing the entry alone decides a lookup, and the bytes of tokens take no memory.
type entry uint64

const (
	shortEntryMax = 7
	entryText     = 1<<pieces.LengthAt - 1 // the bytes of a short entry
	wideEntry     = 1 << 63                // marks wide entries: those of longer tokens
	wideLength    = 42                     // bit position of the length in a wide entry
	wideLeft      = 21                     // bit position of its left part
	wideSymbol    = 1<<wideLeft - 1        // mask of its right part, in the lowest bits
)

// A merge contains the two symbols that a symbol consists of. A start symbol consists of itself.
type merge struct{ left, right uint32 }

func pairEntry(size int, left, right uint32) entry {
	return entry(wideEntry | uint64(size)<<wideLength | uint64(left)<<wideLeft | uint64(right))
}

func (e entry) wide() bool { return e&wideEntry != 0 }

// size returns the number of bytes of the symbol.
func (e entry) size() int {
	n := e >> pieces.LengthAt
	if e.wide() {
		n = e >> wideLength & (packed.MaxTokenSize - 1)
	}
	return int(n)
}

// split returns the parts of a wide entry.
func (e entry) split() merge {
	return merge{uint32(e >> wideLeft & wideSymbol), uint32(e & wideSymbol)}
}

// text returns the bytes of a symbol of at most pieces.MaxShort bytes, as a key without the length.
func (v *symbols) text(symbol uint32) pieces.Key {
	e := v.entries[symbol]
	if !e.wide() {
		return pieces.Key{A: uint64(e & entryText)}
	}
	parts := e.split()
	return v.text(parts.left).Followed(uint(v.entries[parts.left].size()), v.text(parts.right))
}

// firstByte returns the first byte of a symbol.
func (v *symbols) firstByte(symbol uint32) byte {
	e := v.entries[symbol]
	for e.wide() {
		e = v.entries[e.split().left]
	}
	return byte(e)
}

func (v *symbols) lastByte(symbol uint32) byte {
	e := v.entries[symbol]
	for e.wide() {
		e = v.entries[e.split().right]
	}
	return byte(e >> (uint(e.size()-1) * 8 & 63))
}
