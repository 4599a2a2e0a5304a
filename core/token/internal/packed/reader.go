// Copyright The ctx-lsp authors. MIT licence.

// Package packed reads the parts of a pack.
package packed

import (
	"math/bits"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// The limits of a pack, which bound the resources that a hostile one can use.
const (
	MaxTokenSize = 1 << 15
	MaxStrings   = 1 << 16
)

// TooAlike is the error for a pack with tables that would be slow to search.
const TooAlike = "too many of its tokens have the same hash"

// A Reader reads the parts of a pack. It keeps the first error; all reads after it return zero values.
//
// It advances an offset instead of reslicing its bytes: writing a slice a hundred thousand times costs as many write
// barriers while the garbage collector runs (BenchmarkFirstCount).
type Reader struct {
	Bytes  []byte
	At     int    // number of bytes read
	Failed string // the first error, or ""
}

// NewReader returns a reader at the first byte.
func NewReader(bytes []byte) *Reader { return &Reader{Bytes: bytes} }

// Fail records why the pack cannot be used, unless an earlier error is recorded, and skips the rest.
func (r *Reader) Fail(why string) {
	if r.Failed == "" {
		r.Failed = why
	}
	r.At = len(r.Bytes)
}

// Left returns the number of unread bytes.
func (r *Reader) Left() int { return len(r.Bytes) - r.At }

// Number reads a number in groups of seven bits, least significant first.
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

// LEB128 returns the number at the start of four bytes and its size, without a branch that depends on it. From a longer
// number it takes the first four bytes.
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

// Count reads a number that must not exceed most.
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

// Texts reads a list of non-empty strings.
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
