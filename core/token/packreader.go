// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"math/bits"
	"strconv"
)

// A packReader reads the parts of a pack. The first thing that is wrong is kept, and all reads after it answer nothing.
//
// It moves by a number and not by cutting its bytes: a slice that is written a hundred thousand times costs a collector that is
// at work as many looks.
type packReader struct {
	bytes  []byte
	at     int
	failed string
}

func (r *packReader) fail(why string) {
	if r.failed == "" {
		r.failed = why
	}
	r.at = len(r.bytes)
}

// left is how many bytes have not been read.
func (r *packReader) left() int { return len(r.bytes) - r.at }

// number reads a number in groups of seven bits, the low ones first.
func (r *packReader) number() uint64 {
	if at := r.at; at <= len(r.bytes)-4 {
		if w := fourBytes(r.bytes, at); w&0x80808080 != 0x80808080 {
			n, size := leb128(w)
			r.at = at + size
			return n
		}
	}
	return r.numberByByte()
}

// leb128 is the number that four bytes begin with, and its size, without a branch that depends on it. Of a longer number it
// takes four bytes.
func leb128(w uint32) (n uint64, size int) {
	last := ^w&0x80808080 | 1<<31
	w &= last&-last - 1
	return uint64(w&0x7F | w>>1&0x3F80 | w>>2&0x1FC000 | w>>3&0xFE00000), bits.TrailingZeros32(last)>>3 + 1
}

func (r *packReader) numberByByte() uint64 {
	var n uint64
	for i, b := range r.bytes[r.at:] {
		if i == 5 {
			break
		}
		n |= uint64(b&0x7F) << (7 * uint(i))
		if b < 0x80 {
			r.at += i + 1
			return n
		}
	}
	r.fail("it ends in the middle of a number")
	return 0
}

// count reads a number that may be no larger than most.
func (r *packReader) count(most int) int {
	n := r.number()
	if n > uint64(max(most, 0)) {
		r.fail("it holds the number " + strconv.FormatUint(n, 10) + " where no more than " + strconv.Itoa(most) + " can be")
		return 0
	}
	return int(n)
}

func (r *packReader) text() string {
	n := r.count(maxTokenSize)
	if n > r.left() {
		r.fail("it ends in the middle of a string")
	}
	if r.failed != "" {
		return ""
	}
	text := string(r.bytes[r.at : r.at+n])
	r.at += n
	return text
}

func (r *packReader) texts() []string {
	n := r.count(min(r.left(), maxStrings))
	if r.failed != "" || n == 0 {
		return nil
	}
	texts := make([]string, n)
	for i := range texts {
		if texts[i] = r.text(); texts[i] == "" {
			r.fail("one of its strings is empty or cut off")
			return nil
		}
	}
	return texts
}
