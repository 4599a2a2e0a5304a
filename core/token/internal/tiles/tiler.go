// Copyright The ctx-lsp authors. MIT licence.

package tiles

import (
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// A Tiler counts pieces for one tokenizer.
type Tiler struct {
	v      *Vocabulary
	units  []uint8 // cost of each character tiled alone; 0 if not computed yet
	marked []byte  // the current piece with its marks
	first  []byte  // the first piece of a message, with marks added by Seal
	keys   []pieces.Key
	bytes  [16]byte
	costs  [ring]int64 // cost of reaching each offset, up to the longest piece ahead
}

// NewTiler returns a tiler for a vocabulary.
func NewTiler(v *Vocabulary) *Tiler { return &Tiler{v: v, units: make([]uint8, ClassedRunes)} }

// Prepare sets the short pieces for CountPrepared.
func (t *Tiler) Prepare(keys []pieces.Key) { t.keys = keys }

// CountPrepared counts the i-th piece.
func (t *Tiler) CountPrepared(i int) int64 {
	key := t.keys[i]
	t.bytes = key.Bytes()
	return t.Count(t.bytes[:key.Size()])
}

// Count counts a piece followed by its marks, as written by Seal.
func (t *Tiler) Count(piece []byte) int64 {
	v, out := t.v, t.marked[:0]
	marks := byte(0)
	if last := len(piece) - 1; piece[last] >= sides {
		piece, marks = piece[:last], piece[last]&3
	}
	class, _ := v.at(piece, 0)
	switch {
	case in(class, setWord):
		out = v.mark(out, piece)
	case marks == 0 && v.contraction(piece, 0) > 0:
		out = append(append(out, piece...), End)
	default:
		if marks&1 != 0 {
			out = append(out, Begin)
		}
		out = append(out, piece...)
		if marks&2 != 0 {
			out = append(out, End)
		}
	}
	t.marked = out
	if len(out) > longRun {
		shorter, n := t.shorten(out)
		return n + t.tile(shorter)
	}
	return t.tile(out)
}

// Seal appends the marks of a piece, as expected by Count.
func Seal(piece []byte, marks byte) []byte { return append(piece, sides|marks) }

// Sealed returns the key of a short piece of n bytes with its marks.
func Sealed(key pieces.Key, n int, marks byte) pieces.Key {
	if n < 8 {
		key.A |= uint64(sides|marks) << (8 * uint(n))
	} else {
		key.B |= uint64(sides|marks) << (8 * uint(n-8))
	}
	key.B += 1 << pieces.LengthAt
	return key
}

// mark appends a word with its marks. Capitals become marks only if the word begins with its only capital, or has no
// letters but capitals.
func (v *Vocabulary) mark(out, word []byte) []byte {
	characters, capitals := 0, 0
	all, dotted := true, false // all letters with case are capitals; some letter is dotted
	first, other := uint8(0), false
	literal := false
	for i := 0; i < len(word); characters++ {
		class, size := v.at(word, i)
		class &= kindOf
		if i == 0 {
			first = class
		}
		switch class {
		case Capital, Fixed:
			capitals++
			other = other || i > 0
			all = all && class == Capital
		case Neutral:
		case Dotted:
			dotted, all = true, false
		case Sharp:
			literal = true
		default:
			all = false
		}
		i += size
	}
	begins := first == Capital || first == Fixed && dotted
	switch {
	case literal, first == Stray:
	case all && capitals > 0 && v.capsMin > 0 && characters >= v.capsMin:
		return v.lower(append(out, Caps, Begin), word)
	case begins && !other:
		return v.lower(append(out, Shift, Begin), word)
	}
	return append(append(append(out, Begin), word...), End)
}

// lower appends a word in small letters, and its end mark.
func (v *Vocabulary) lower(out, word []byte) []byte {
	for i := 0; i < len(word); {
		if b := word[i]; b < 0x80 {
			if b >= 'A' && b <= 'Z' {
				b |= 0x20
			}
			out = append(out, b)
			i++
			continue
		}
		char, size := split.DecodeRune(word, i)
		if v.class[char&(ClassedRunes-1)]&kindOf == Dotted {
			out = utf8.AppendRune(out, char)
		} else {
			out = utf8.AppendRune(out, v.small(char))
		}
		i += size
	}
	return append(out, End)
}

// unit returns the cost of a character that is tiled alone.
func (t *Tiler) unit(char rune, bytes []byte) int64 {
	if char >= ClassedRunes {
		return t.tile(bytes)
	}
	if n := t.units[char]; n > 0 {
		return int64(n)
	}
	n := t.tile(bytes)
	t.units[char] = uint8(n)
	return n
}

// ring is the number of costs kept: twice the longest piece, rounded to a power of two.
const ring = 512

// tile returns the minimum number of pieces that cover a marked text. A byte not covered by any piece is a token.
func (t *Tiler) tile(text []byte) int64 {
	v, costs := t.v, &t.costs
	for i := range min(len(text)+1, maxPiece+1) {
		costs[i] = int64(i)
	}
	for i := range text {
		cost := costs[i&(ring-1)] + 1
		if ahead := i + maxPiece; ahead <= len(text) {
			costs[ahead&(ring-1)] = costs[i&(ring-1)] + maxPiece
		}
		arrival := v.first[text[i]]
		for end := i + 1; ; end++ {
			if arrival&endsPiece != 0 {
				place := &costs[end&(ring-1)]
				*place = min(*place, cost)
			}
			if arrival&leadsOn == 0 || end == len(text) {
				break
			}
			arrival = v.follow(arrival>>nodeAt, text[end])
		}
		next := &costs[(i+1)&(ring-1)]
		*next = min(*next, cost)
	}
	return costs[len(text)&(ring-1)]
}

// longRun is the length above which runs of one character are shortened.
const longRun = 4 * maxPiece

// shorten removes characters from long runs of one character, in units of the largest piece of that character, and
// counts these pieces. It may overwrite the text.
//
// Inside such a run, fewer pieces than the size of the largest, M, are smaller: among any M of them, some make a
// multiple of M together, which takes no more of the largest. So M² characters, and those that pieces across the ends
// may cover, are enough.
func (t *Tiler) shorten(text []byte) ([]byte, int64) {
	out, total := text[:0], int64(0)
	for i := 0; i < len(text); {
		_, size := split.DecodeRune(text, i)
		if text[i] >= Begin {
			size = 1
		}
		end := i + size
		for end+size <= len(text) && string(text[end:end+size]) == string(text[i:i+size]) {
			end += size
		}
		most, cost := 1, int64(0)
		if end-i > longRun {
			arrival := uint32(0)
			for j := range min(end-i, maxPiece) {
				if arrival = t.v.follow(arrival>>nodeAt, text[i+j]); arrival == 0 {
					break
				}
				if arrival&endsPiece != 0 && (j+1)%size == 0 {
					most, cost = (j+1)/size, 1
				}
			}
			if cost == 0 {
				cost = t.tile(text[i : i+size])
			}
			if spare := (end-i)/size - most*most - 2*maxPiece; spare >= most {
				i += spare / most * most * size
				total += int64(spare/most) * cost
			}
		}
		out = append(out, text[i:end]...)
		i = end
	}
	return out, total
}

// Ends appends the end of the piece once for each token, because the other ends of tokens are unknown for these models.
func (t *Tiler) Ends(piece []byte, base int, dst []int) []int {
	for range t.Count(piece) {
		dst = append(dst, base+len(piece))
	}
	return dst
}

// Valid returns the piece unchanged: Normal has already replaced invalid UTF-8.
func (t *Tiler) Valid(piece []byte) []byte { return piece }

// Reach reports that it is unbounded: a piece is tiled as a whole.
func (t *Tiler) Reach() (bytes int64, bounded bool) { return 0, false }
