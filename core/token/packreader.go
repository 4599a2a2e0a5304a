package token

import (
	"math/bits"
	"strconv"
)

// A packReader reads the parts of a pack. The first thing that is wrong is kept, and all reads after it answer nothing.
type packReader struct {
	rest   []byte
	failed string
}

func (r *packReader) fail(why string) {
	if r.failed == "" {
		r.failed = why
	}
	r.rest = nil
}

// number reads a number in groups of seven bits, the low ones first.
func (r *packReader) number() uint64 {
	rest := r.rest
	if len(rest) >= 4 {
		// Of four bytes at once, without a branch that depends on how long the number is.
		w := uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24
		if last := ^w & 0x80808080; last != 0 {
			n := bits.TrailingZeros32(last)
			r.rest = rest[n>>3+1:]
			w &= 1<<uint(n&31) - 1
			return uint64(w&0x7F | w>>1&0x3F80 | w>>2&0x1FC000 | w>>3&0xFE00000)
		}
	}
	return r.numberByByte()
}

func (r *packReader) numberByByte() uint64 {
	var n uint64
	for i, b := range r.rest {
		if i == 5 {
			break
		}
		n |= uint64(b&0x7F) << (7 * uint(i))
		if b < 0x80 {
			r.rest = r.rest[i+1:]
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
	if n > len(r.rest) {
		r.fail("it ends in the middle of a string")
	}
	if r.failed != "" {
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

func (r *packReader) texts() []string {
	n := r.count(min(len(r.rest), maxStrings))
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
