// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Pack returns the source as a pack. docs/tokens.md describes the format.
func (s *Source) Pack() ([]byte, error) {
	if len(s.Merges) > 2_000_000 || len(s.Loose) > 2_000_000 {
		return nil, errTooLarge
	}
	if s.levels == nil && s.Loose == nil {
		if err := s.Level(); err != nil {
			return nil, err
		}
	}
	out := []byte(token.PackMagic)
	out = append(out, token.PackVersion)
	out = appendString(out, []byte(s.Name))
	out = appendString(out, []byte(s.Scanner))
	out = appendString(out, []byte(s.Normalizer))
	out = binary.AppendUvarint(out, uint64(len(s.Characters)))
	previous := rune(-1)
	for _, c := range s.Characters {
		out = binary.AppendUvarint(out, uint64(c-previous-1))
		previous = c
	}
	for _, list := range [][][]byte{s.Whole, s.Specials, s.Added} {
		list = slices.Clone(list)
		slices.SortFunc(list, slices.Compare)
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, text := range list {
			out = appendString(out, text)
		}
	}
	if s.Normalizer == "nfc" {
		out = appendComposition(out)
	}
	if s.Loose != nil {
		out = append(out, token.PackUnordered)
		out = s.appendLoose(out)
	} else {
		out = append(out, token.PackLevels)
		out = s.appendLevels(out)
	}
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out)), nil
}

func (s *Source) appendLevels(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(s.Merges)))
	out = binary.AppendUvarint(out, uint64(len(s.levels)))
	for _, n := range s.levels {
		out = binary.AppendUvarint(out, uint64(n))
	}
	rights, lefts := s.columns()
	out = binary.AppendUvarint(out, uint64(len(rights)))
	out = append(out, rights...)
	return append(out, lefts...)
}

// appendLoose appends each merge with its priority, in the order of the results; the parts of a result have smaller
// numbers.
func (s *Source) appendLoose(out []byte) []byte {
	order := make([]int, len(s.Loose))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if s.Loose[a].Result != s.Loose[b].Result {
			return int(s.Loose[a].Result) - int(s.Loose[b].Result)
		}
		return a - b
	})
	out = binary.AppendUvarint(out, uint64(len(s.Loose)))
	out = binary.AppendUvarint(out, uint64(s.Products))
	result := s.first()
	for _, i := range order {
		m := s.Loose[i]
		out = binary.AppendUvarint(out, uint64(m.Result-result))
		out = binary.AppendUvarint(out, uint64(m.Left))
		out = binary.AppendUvarint(out, uint64(m.Right))
		out = binary.AppendUvarint(out, uint64(i))
		result = m.Result
	}
	return out
}

// columns returns the parts of the merges in two columns. Right parts are written as differences from line to line,
// left parts as differences while the right part stays the same.
func (s *Source) columns() (rights, lefts []byte) {
	next := 0
	for _, n := range s.levels {
		right, left := uint32(0), uint32(0)
		for i, m := range s.Merges[next : next+int(n)] {
			rights = binary.AppendUvarint(rights, uint64(m.Right-right))
			if i > 0 && m.Right == right {
				lefts = binary.AppendUvarint(lefts, uint64(m.Left-left-1))
			} else {
				lefts = binary.AppendUvarint(lefts, uint64(m.Left))
			}
			right, left = m.Right, m.Left
		}
		next += int(n)
	}
	return rights, lefts
}

func appendString(out, text []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}
