// Copyright The ctx-lsp authors. MIT licence.

// Package vocabulary makes vocabulary packs from .tiktoken rank files and Hugging Face tokenizer.json files, some of
// which it downloads. It is used by the generator of the embedded packs and by `ctx-lsp vocab`; counting does not need
// it.
package vocabulary

import (
	"errors"
	"fmt"
	"slices"
)

// A Source is a vocabulary before it is packed: symbols to start from, and merges in order of priority. Symbols are
// numbered: first the 256 bytes, then Characters, then the results of merges.
type Source struct {
	Name       string   // the name inside the pack
	Scanner    string   // how text is split before merging: one of token.Scanners
	Normalizer string   // how the text is changed first: one of token.Normalizers
	Characters []rune   // characters that are symbols of their own, in ascending order; empty for a byte-level vocabulary
	Merges     []Merge  // each makes the next symbol; earlier merges have priority
	Loose      []Loose  // instead of Merges, if a merge may have priority over those that make its parts
	Products   int      // number of symbols that the Loose merges make
	Whole      [][]byte // tokens that no sequence of merges makes; only a whole piece can be one
	Specials   [][]byte // control strings, which are counted as text unless the caller requests otherwise
	Added      [][]byte // strings that are always one token, found before anything else

	levels []uint32 // set by Level: the number of merges in each level
}

// A Merge joins two neighboring symbols into a new one.
type Merge struct{ Left, Right uint32 }

// A Loose merge states the symbol that it makes. Its priority is its position in the list.
type Loose struct{ Left, Right, Result uint32 }

// first returns the number of the first merge's result.
func (s *Source) first() uint32 { return 256 + uint32(len(s.Characters)) }

// Check returns an error for a merge that comes before its own parts, or that occurs twice.
func (s *Source) Check() error {
	seen := make(map[Merge]struct{}, len(s.Merges))
	for i, m := range s.Merges {
		id := s.first() + uint32(i)
		if m.Left >= id || m.Right >= id {
			return fmt.Errorf("merge %d joins a token that a later merge makes; this order is not supported", i)
		}
		if _, again := seen[m]; again {
			return fmt.Errorf("merge %d occurs twice", i)
		}
		seen[m] = struct{}{}
	}
	return nil
}

// Level renumbers the merges so that they pack small, without changing how any text is split.
//
// The order matters only for merges that can compete for a token between them, (x,b) and (b,y), and for a merge and its
// own parts. The longest chain of such constraints gives each merge a level. Within a level any order works, so the one
// with the smallest differences from line to line is used: by right part, then by left part. docs/tokens.md contains
// the proof.
func (s *Source) Level() error {
	if err := s.Check(); err != nil {
		return err
	}
	first := s.first()
	symbols := int(first) + len(s.Merges)
	level := make([]uint32, symbols)
	asLeft := make([]uint32, symbols)
	asRight := make([]uint32, symbols)
	var top uint32
	for i, m := range s.Merges {
		l := 1 + max(level[m.Left], level[m.Right], asRight[m.Left], asLeft[m.Right])
		level[int(first)+i] = l
		asLeft[m.Left] = max(asLeft[m.Left], l)
		asRight[m.Right] = max(asRight[m.Right], l)
		top = max(top, l)
	}
	members := make([][]int, top+1)
	for i := range s.Merges {
		l := level[int(first)+i]
		members[l] = append(members[l], i)
	}
	renamed := make([]uint32, symbols)
	for i := range first {
		renamed[i] = i
	}
	sorted := make([]Merge, 0, len(s.Merges))
	s.levels = s.levels[:0]
	type line struct {
		Merge
		old int
	}
	for _, group := range members[1:] {
		lines := make([]line, len(group))
		for i, old := range group {
			m := s.Merges[old]
			lines[i] = line{Merge{renamed[m.Left], renamed[m.Right]}, old}
		}
		slices.SortFunc(lines, func(a, b line) int {
			if a.Right != b.Right {
				return int(a.Right) - int(b.Right)
			}
			return int(a.Left) - int(b.Left)
		})
		for _, l := range lines {
			renamed[int(first)+l.old] = first + uint32(len(sorted))
			sorted = append(sorted, l.Merge)
		}
		s.levels = append(s.levels, uint32(len(lines)))
	}
	s.Merges = sorted
	return nil
}

var errTooLarge = errors.New("the vocabulary has more than 2,000,000 tokens, the maximum for a pack")
