// Copyright The ctx-lsp authors. MIT licence.

// Package bpe turns pieces into tokens by merging pairs of bytes or characters. docs/tokens.md explains the terms and
// contains the proofs.
package bpe

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/stringset"
)

// Merges contains the byte-pair merges of one pack, unpacked for counting. Tables that only some texts need are built
// when first needed, so only one goroutine may use it at a time.
type Merges struct {
	symbols
	mergeIndex
	kind kind
}

// symbols describes all symbols: the bytes, the characters, then the results of merges.
type symbols struct {
	first   uint32  // the first symbol made by a merge
	entries []entry // indexed by symbol
	letters alphabet
	whole   *stringset.Set // tokens that are only matched as whole pieces
}

// A kind implements the differences between the formats of merges that a pack can have: byteLevels, characterLevels and
// unorderedMerges.
type kind interface {
	// byText reports whether merges of up to pieces.MaxShort bytes are looked up by the bytes that they make rather
	// than by their parts. In this case, a short piece can be looked up as a single token.
	byText() bool
	// start sets s to the start symbols of a padded piece.
	start(v *Merges, s *startSymbols, padded []byte)
	// key returns the entry and hash for looking up the merge of two symbols without their text.
	key(v *Merges, left, right uint32) (entry, uint64)
	// mergeLong merges the symbols of m, however many there are.
	mergeLong(m *Merger)
	// staysApart reports whether merging never joins two neighboring tokens. It is called only for kinds with windows.
	staysApart(v *Merges, left, right uint32) bool
	// window returns how many bytes of a long piece are cut at a time.
	window() int
	// reach returns how many bytes before the end of a piece its tokens may still change if the piece continues.
	// bounded is false if all may change.
	reach(v *Merges) (bytes int64, bounded bool)
	// products returns the symbols that merges make, by the number of the merge; nil if a merge's number is its symbol.
	products() []uint32
}

// The formats of merges, with their numbers in packs.
const (
	InLevels  = 0 // in levels, parts before wholes
	Unordered = 1 // each with its result and its priority
)

// The limits of a pack, which bound the resources that a hostile one can use.
const (
	maxSymbols = 1<<21 - 1 // must fit into a slot next to the bits of the hash (see slotTag)
	maxLevels  = 1 << 16
)

// Read reads the merges at the end of a pack. whole contains the tokens that are only matched as whole pieces.
// crossings records which characters merges join; it is nil if text is split by a scanner.
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

// Tokens returns the number of tokens.
func (v *Merges) Tokens() int { return len(v.entries) + v.whole.Len() }

// Texts returns the bytes of each token in an order that gives the same merges: a pair with an earlier result has
// priority. It returns nil if the pack has characters or whole pieces as tokens, or another format of merges.
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

// joins returns the merge of two symbols without using their text, or noMerge.
func (v *Merges) joins(left, right uint32) uint32 {
	want, hash := v.kind.key(v, left, right)
	if v.mayMerge(hash) == 0 {
		return noMerge
	}
	return v.find(want, hash)
}

// keyOfPair returns the entry and hash of a merge that is looked up by its parts.
func keyOfPair(left, right uint32) (entry, uint64) {
	want := pairEntry(0, left, right)
	return want, want.digest()
}

// makeEntries allocates all entries and sets those of the start symbols.
func (v *Merges) makeEntries(products int) {
	v.entries = make([]entry, int(v.first)+products)
	for b := range bytesAlone {
		v.entries[b] = 1<<pieces.LengthAt | entry(b)
	}
	v.letters.each(func(c rune, symbol uint32) { v.entries[symbol] = pairEntry(split.RuneLength(c), symbol, symbol) })
}

// longest returns the number of bytes of the longest token.
func (v *Merges) longest() int {
	longest := 4
	for _, e := range v.entries {
		longest = max(longest, e.size())
	}
	return longest
}
