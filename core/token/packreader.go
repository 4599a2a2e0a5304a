package token

import "strconv"

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
	if len(rest) > 0 && rest[0] < 0x80 {
		r.rest = rest[1:]
		return uint64(rest[0])
	}
	var n uint64
	for i, b := range rest {
		if i == 5 {
			break
		}
		n |= uint64(b&0x7F) << (7 * uint(i))
		if b < 0x80 {
			r.rest = rest[i+1:]
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
