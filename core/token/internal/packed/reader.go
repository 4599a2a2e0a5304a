// Copyright The ctx-lsp authors. MIT licence.

// Package packed reads the parts of a pack.
package packed

import (
	"math/bits"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// The limits of a pack. They bound what a hostile one can make the host do.
const (
	MaxTokenSize = 1 << 15
	MaxStrings   = 1 << 16
)

// TooAlike is said of a pack whose tables would be slow to look things up in.
const TooAlike = "too many of its tokens have the same hash"

// A Reader reads the parts of a pack. The first thing that is wrong is kept, and all reads after it answer nothing.
//
// It moves by a number and not by cutting its bytes: a slice that is written a hundred thousand times costs a collector
// at work as many write barriers (BenchmarkFirstCount).
type Reader struct {
	Bytes  []byte
	At     int    // how many bytes have been read
	Failed string // what was wrong first; "" while nothing is
}

// NewReader begins at the first byte.
func NewReader(bytes []byte) *Reader { return &Reader{Bytes: bytes} }

// Fail keeps why the pack cannot be used, if nothing was wrong before.
func (r *Reader) Fail(why string) {
	if r.Failed == "" {
		r.Failed = why
	}
	r.At = len(r.Bytes)
}

// Left is how many bytes have not been read.
func (r *Reader) Left() int { return len(r.Bytes) - r.At }

// Number reads a number in groups of seven bits, the low ones first.
func (r *Reader) Number() uint64 {
	if at := r.At; at <= len(r.Bytes)-4 {
		if w := word.Four(r.Bytes, at); w&0x80808080 != 0x80808080 {
			n, size := LEB128(w)
			r.At = at + size
			return n
		}
	}
	return r.numberByByte()
}

// LEB128 is the number that four bytes begin with, and its size, without a branch that depends on it. Of a longer
// number it has four bytes.
func LEB128(w uint32) (n uint64, size int) {
	last := ^w&0x80808080 | 1<<31
	w &= last&-last - 1
	return uint64(w&0x7F | w>>1&0x3F80 | w>>2&0x1FC000 | w>>3&0xFE00000), bits.TrailingZeros32(last)>>3 + 1
}

func (r *Reader) numberByByte() uint64 {
	var n uint64
	for i, b := range r.Bytes[r.At:] {
		if i == 5 {
			break
		}
		n |= uint64(b&0x7F) << (7 * uint(i))
		if b < 0x80 {
			r.At += i + 1
			return n
		}
	}
	r.Fail("it ends in the middle of a number")
	return 0
}

// Count reads a number that may be no larger than most.
func (r *Reader) Count(most int) int {
	n := r.Number()
	if n > uint64(max(most, 0)) {
		r.Fail("it holds the number " + strconv.FormatUint(n, 10) + " where no more than " + strconv.Itoa(most) + " can be")
		return 0
	}
	return int(n)
}

// Text reads a string.
func (r *Reader) Text() string {
	n := r.Count(MaxTokenSize)
	if n > r.Left() {
		r.Fail("it ends in the middle of a string")
	}
	if r.Failed != "" {
		return ""
	}
	text := string(r.Bytes[r.At : r.At+n])
	r.At += n
	return text
}

// Texts reads a list of strings, of which none is empty.
func (r *Reader) Texts() []string {
	n := r.Count(min(r.Left(), MaxStrings))
	if r.Failed != "" || n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		if texts[i] = r.Text(); texts[i] == "" {
			r.Fail("one of its strings is empty or cut off")
			return nil
		}
	}
	return texts
}
