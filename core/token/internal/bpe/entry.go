// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
)

// An entry is what is kept of a symbol. Up to seven bytes are stored in it, with their length, in the format of
// pieces.Key. A longer token stores its length and the two symbols that it is made of, with the highest bit set. So one
// look at the entry tells whether it is what is looked for, and no memory goes to the bytes of tokens.
type entry uint64

const (
	shortEntryMax = 7
	entryText     = 1<<pieces.LengthAt - 1 // where a short entry has its bytes
	wideEntry     = 1 << 63                // marks the other kind
	wideLength    = 42                     // where that has its length,
	wideLeft      = 21                     // its left part, and its right part
	wideSymbol    = 1<<wideLeft - 1        // in the lowest bits
)

// A merge is the two symbols that a symbol is made of; a symbol to start from is made of itself.
type merge struct{ left, right uint32 }

func pairEntry(size int, left, right uint32) entry {
	return entry(wideEntry | uint64(size)<<wideLength | uint64(left)<<wideLeft | uint64(right))
}

func (e entry) wide() bool { return e&wideEntry != 0 }

// size is how many bytes the symbol has.
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

// text returns the bytes of a symbol that has no more than pieces.MaxShort, as a key without the length.
func (v *symbols) text(symbol uint32) pieces.Key {
	e := v.entries[symbol]
	if !e.wide() {
		return pieces.Key{A: uint64(e & entryText)}
	}
	parts := e.split()
	return v.text(parts.left).Followed(uint(v.entries[parts.left].size()), v.text(parts.right))
}

// firstByte and lastByte are the bytes at the ends of a symbol.
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
