// Copyright The ctx-lsp authors. MIT licence.

// Package bpe turns pieces into tokens by merging pairs of bytes or characters. docs/tokens.md has the words and the
// proofs.
package bpe

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/stringset"
)

// A Merges is the byte-pair merges of one pack, unpacked for counting. Tables that only some texts need are made when
// the first of these comes; so it belongs to one goroutine at a time.
type Merges struct {
	symbols
	mergeIndex
	kind kind
}

// symbols are what merging knows of each symbol: the bytes, the characters, then what merges make.
type symbols struct {
	first   uint32  // the first that a merge makes
	entries []entry // by symbol
	letters alphabet
	whole   *stringset.Set // tokens that only a whole piece can be
}

// A kind is what one way of listing merges does in its own way. byteLevels, characterLevels and unorderedMerges are the
// three that a pack can have.
type kind interface {
	// byText tells whether merges of up to pieces.MaxShort bytes are found by the bytes that they make, and not by their
	// parts: where that is so, a short piece that is a token can be looked up as a whole.
	byText() bool
	// start puts the symbols that a padded piece starts from into s.
	start(v *Merges, s *startSymbols, padded []byte)
	// key is what the merge of two symbols is looked up by, whatever the text.
	key(v *Merges, left, right uint32) (entry, uint64)
	// mergeLong merges the symbols of m, however many there are.
	mergeLong(m *Merger)
	// staysApart tells whether merging leaves two tokens apart that stand side by side. Only a kind with windows is
	// asked.
	staysApart(v *Merges, left, right uint32) bool
	// window is how many bytes of a long piece are cut at a time.
	window() int
	// reach is how many bytes before the end of a piece its tokens may still change when the piece goes on; bounded is
	// false if any may.
	reach(v *Merges) (bytes int64, bounded bool)
	// products are the symbols that merges make, by the number of the merge; nil if a merge's number is its symbol.
	products() []uint32
}

// The kinds of lists, as a pack numbers them.
const (
	InLevels  = 0 // in levels, parts before wholes
	Unordered = 1 // each with its result and its priority
)

// The limits of a pack. They bound what a hostile one can make the host do.
const (
	maxSymbols = 1<<21 - 1 // a number fits a slot beside the bits of the hash (see slotTag)
	maxLevels  = 1 << 16
)

// Read reads the merges of a pack, which end it. whole are the tokens that only a whole piece can be. crossings
// remembers what merges join, and is nil where text is split.
func Read(r *packed.Reader, order int, letters alphabet, whole []string, crossings *split.Crossings) *Merges {
	v := &Merges{symbols: symbols{first: bytesAlone + uint32(letters.n), letters: letters, whole: stringset.New(whole)}}
	if v.whole.TooAlike() {
		r.Fail(packed.TooAlike)
		return v
	}
	switch {
	case order == Unordered:
		v.kind = readUnordered(v, r, crossings)
	case letters.empty():
		v.kind = readByteLevels(v, r)
	default:
		v.kind = readCharacterLevels(v, r)
	}
	v.filled = nil
	if r.Failed == "" && r.Left() > 0 {
		r.Fail("there are " + strconv.Itoa(r.Left()) + " bytes behind its end")
	}
	return v
}

// Tokens returns how many tokens there are.
func (v *Merges) Tokens() int { return len(v.entries) + v.whole.Len() }

// Texts returns the bytes of each token in an order that merges as the vocabulary does: a pair with an earlier token
// goes first. It returns nil if the pack has characters or whole pieces as tokens, or lists its merges in another way.
func (v *Merges) Texts() []string {
	if _, is := v.kind.(*byteLevels); !is || v.whole.Len() > 0 {
		return nil
	}
	texts := make([]string, len(v.entries))
	for symbol := range texts {
		texts[symbol] = v.spelled(uint32(symbol))
	}
	return texts
}

// spelled returns the bytes of a token.
func (v *Merges) spelled(symbol uint32) string {
	e := v.entries[symbol]
	if e.wide() {
		return v.spelled(e.split().left) + v.spelled(e.split().right)
	}
	text := pieces.Key{A: uint64(e)}.Bytes()
	return string(text[:e.size()])
}

// joins returns the merge of two symbols as find does, whatever the text, or noMerge.
func (v *Merges) joins(left, right uint32) uint32 {
	want, hash := v.kind.key(v, left, right)
	if v.mayMerge(hash) == 0 {
		return noMerge
	}
	return v.find(want, hash)
}

// keyOfPair is what a merge is looked up by where merges are found by their parts.
func keyOfPair(left, right uint32) (entry, uint64) {
	want := pairEntry(0, left, right)
	return want, want.digest()
}

// makeEntries makes the entries of the symbols to start from, and room for so many that merges make.
func (v *Merges) makeEntries(products int) {
	v.entries = make([]entry, int(v.first)+products)
	for b := range bytesAlone {
		v.entries[b] = 1<<pieces.LengthAt | entry(b)
	}
	v.letters.each(func(c rune, symbol uint32) { v.entries[symbol] = pairEntry(split.RuneLength(c), symbol, symbol) })
}

// longest is how many bytes the longest token has.
func (v *Merges) longest() int {
	longest := 4
	for _, e := range v.entries {
		longest = max(longest, e.size())
	}
	return longest
}
