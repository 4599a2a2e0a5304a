package build

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Pack writes the source as a pack. docs/tokens.md describes the format.
func (s *Source) Pack() ([]byte, error) {
	if len(s.Merges) > 2_000_000 {
		return nil, errTooLarge
	}
	if s.levels == nil {
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
	out = binary.AppendUvarint(out, uint64(len(s.Merges)))
	out = binary.AppendUvarint(out, uint64(len(s.levels)))
	for _, n := range s.levels {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for _, list := range [][][]byte{s.Whole, s.Specials, s.Added} {
		list = slices.Clone(list)
		slices.SortFunc(list, slices.Compare)
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, text := range list {
			out = appendString(out, text)
		}
	}
	rights, lefts := s.columns()
	out = binary.AppendUvarint(out, uint64(len(rights)))
	out = append(out, rights...)
	out = append(out, lefts...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out)), nil
}

// columns writes the parts of the merges: right parts as steps from line to line, left parts as steps
// while the right part stays the same.
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

// Bytes returns the text of every symbol, for tests and for lists of tokens.
func (s *Source) Bytes() [][]byte {
	all := make([][]byte, 0, int(s.first())+len(s.Merges))
	for b := range 256 {
		all = append(all, []byte{byte(b)})
	}
	for _, c := range s.Characters {
		all = append(all, utf8.AppendRune(nil, c))
	}
	for _, m := range s.Merges {
		all = append(all, slices.Concat(all[m.Left], all[m.Right]))
	}
	return all
}
