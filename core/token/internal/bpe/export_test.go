// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"errors"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
)

// OpenForTest opens the merges of a pack of bytes.
func OpenForTest(pack []byte) (*Merger, error) {
	r := packed.NewReader(pack[len("ctxvocab")+1 : len(pack)-4])
	r.Text()
	r.Text()
	letters := ReadAlphabet(r, r.Text())
	whole, _, _ := r.Texts(), r.Texts(), r.Texts()
	v := Read(r, r.Count(Unordered), letters, whole, nil)
	if r.Failed != "" {
		return nil, errors.New(r.Failed)
	}
	return NewMerger(v), nil
}

// CutShort counts the tokens of a piece of any bytes by scanning all pairs.
func (m *Merger) CutShort(piece []byte) int {
	m.cut(piece)
	return len(m.symbols)
}

// CutLong counts like CutShort, but on the path for long pieces.
func (m *Merger) CutLong(piece []byte) int {
	m.fill(m.v, pad(nil, piece))
	return m.mergeAllLong(piece)
}

func (m *Merger) mergeAllLong(piece []byte) int {
	m.padded = pad(m.padded, piece)
	if len(m.symbols) > 1 {
		m.v.kind.mergeLong(m)
	}
	return len(m.symbols)
}

// CutWindowed counts like CutShort, but in windows of a few bytes.
func (m *Merger) CutWindowed(piece []byte, window, guard int) (int, []int) {
	m.window, m.guard = window, guard
	defer func() { m.window, m.guard = windowBytes, windowGuard }()
	n, ends := m.cutInWindows(piece, 0, nil, true)
	return int(n), ends
}

// CutFromBytes counts like CutLong, but starts from bytes instead of characters.
func (m *Merger) CutFromBytes(piece []byte) int {
	m.room(len(piece))
	m.bytes(piece, 0)
	m.end(len(piece))
	return m.mergeAllLong(piece)
}

// FragileCharacters returns the characters that can be split before they are complete, and the others that are one
// token.
func (m *Merger) FragileCharacters() (fragile, others []rune) {
	k := m.v.kind.(*byteLevels)
	for c := rune(0x80); c < 0x10000; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		switch atom := k.atom(m.v, []byte(string(c))); {
		case atom == noAtom:
		case atom&(fragileHead|fragileTail) != 0:
			fragile = append(fragile, c)
		default:
			others = append(others, c)
		}
	}
	return fragile, others
}

// A SplitException contains the two sides of a merge that joins a part of one character to another, and which side is
// the part.
type SplitException struct {
	Left, Right string
	Head, Tail  bool
}

// SplitExceptions returns the split exceptions of a vocabulary.
func (m *Merger) SplitExceptions() (exceptions []SplitException) {
	v := m.v
	k := v.kind.(*byteLevels)
	k.makeParts(v)
	for _, merge := range k.parts[v.first:] {
		head, tail := k.exceptions.heads.has(merge.right), k.exceptions.tails.has(merge.left)
		if right := v.spelled(merge.right); (head || tail) && right[0]&0xC0 != 0x80 {
			exceptions = append(exceptions, SplitException{v.spelled(merge.left), right, head, tail})
		}
	}
	return exceptions
}
