// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// columns are the two columns of numbers in which a pack has its merges, level by level.
type columns struct{ rights, lefts []byte }

// A mergeReader reads columns.
type mergeReader struct {
	rights, lefts packed.Reader
	left, right   uint64
}

func (c columns) reader() mergeReader {
	return mergeReader{rights: packed.Reader{Bytes: c.rights}, lefts: packed.Reader{Bytes: c.lefts}}
}

// read reads merges of one level, whose parts are below a limit; first is set for those that it begins with. It answers
// false if a part is not. The places in the columns are kept in registers, because this is done for each merge that
// there is (BenchmarkFirstCount).
func (r *mergeReader) read(merges []merge, first bool, limit uint32) bool {
	left, right := r.left, r.right
	if first {
		left, right = ^uint64(0), 0
	}
	rights, atRight := r.rights.Bytes, r.rights.At
	lefts, atLeft := r.lefts.Bytes, r.lefts.At
	largest := uint64(0)
	for i := range merges {
		var step, l uint64
		if atRight < len(rights) && rights[atRight] < 0x80 { // most have a byte
			step = uint64(rights[atRight])
			atRight++
		} else {
			r.rights.At = atRight
			step = r.rights.Number()
			atRight = r.rights.At
		}
		if atLeft <= len(lefts)-4 {
			n := 0
			l, n = packed.LEB128(word.Four(lefts, atLeft))
			atLeft += n
		} else {
			r.lefts.At = atLeft
			l = r.lefts.Number()
			atLeft = r.lefts.At
		}
		right += step
		left++
		if step != 0 {
			left = 0
		}
		left += l
		largest = max(largest, left, right)
		merges[i] = merge{uint32(left), uint32(right)}
	}
	r.left, r.right = left, right
	r.rights.At, r.lefts.At = atRight, atLeft
	return largest < uint64(limit)
}

// levels are merges level by level. Lower symbols go first, and inside of a level the order does not matter.
type levels struct {
	columns columns  // the merges as the pack has them, for what entries leave out
	ends    []uint32 // of each level, the symbol behind its last
	of      []uint16 // the level by symbol; made when a long piece comes
	parts   []merge  // by symbol; made when a seam is checked
}

// A levelReader makes the entries of merges in the way of its kind.
type levelReader interface {
	// begin is called when it is known how many there are.
	begin(v *Merges)
	// measure makes the entries of some merges, and what they are looked up by. It answers false if a token is too
	// long.
	measure(v *Merges, s *newMerges) bool
	// note remembers merges that were entered.
	note(v *Merges, s *newMerges)
}

// read reads merges that come level by level.
func (l *levels) read(v *Merges, r *packed.Reader, by levelReader) {
	n := r.Count(maxSymbols - int(v.first))
	levels := r.Count(maxLevels)
	total := 0
	for range levels {
		if total += r.Count(n); total > n {
			break
		}
		l.ends = append(l.ends, v.first+uint32(total))
	}
	if r.Failed == "" && total != n {
		r.Fail("its levels do not add up to its merges")
	}
	column := r.Count(r.Left())
	if r.Failed != "" {
		return
	}
	if n > column || n > r.Left()-column {
		r.Fail("it says that it has more merges than it holds")
		return
	}
	l.columns = columns{r.Bytes[r.At : r.At+column], r.Bytes[r.At+column:]}
	r.At = len(r.Bytes)
	v.makeEntries(n)
	v.makeRoom(n)
	by.begin(v)
	reader := l.columns.reader()
	id := v.first
	var some newMerges
	for _, end := range l.ends {
		for begin := id; id < end; {
			some.n = int(min(end-id, mergesAtOnce))
			some.id = id
			if !reader.read(some.parts[:some.n], id == begin, begin) {
				r.Fail("a merge joins a token that comes after it")
				return
			}
			id += uint32(some.n)
			if !by.measure(v, &some) {
				r.Fail("one of its tokens is longer than " + strconv.Itoa(packed.MaxTokenSize) + " bytes")
				return
			}
			if !some.enter(v) {
				r.Fail(packed.TooAlike)
				return
			}
			by.note(v, &some)
		}
		if reader.rights.Failed != "" || reader.lefts.Failed != "" {
			r.Fail("it ends in the middle of its merges")
			return
		}
	}
	if reader.rights.Left() > 0 || reader.lefts.Left() > 0 {
		r.Fail("it holds more merges than it says")
	}
}

// newMerges are some merges of a level, which need nothing of each other. They are worked on together, step by step, so
// that the memory of all is asked for before any of it is waited for.
type newMerges struct {
	n      int
	id     uint32 // of the first
	parts  [mergesAtOnce]merge
	sides  [mergesAtOnce][2]entry // of the parts
	hashes [mergesAtOnce]uint64
}

const mergesAtOnce = 64

// enter makes the merges findable. It answers false if there are too many like one.
func (s *newMerges) enter(v *Merges) bool {
	for i, hash := range s.hashes[:s.n] {
		id := s.id + uint32(i)
		if !v.put(id, hash) {
			return false
		}
		parts := s.parts[i]
		if parts.left|parts.right < 128 {
			v.ascii[parts.left<<7|parts.right] = id + 1
		}
	}
	return true
}

// makeParts reads the merges of the pack again, for the parts that entries leave out.
func (l *levels) makeParts(v *Merges) {
	if l.parts != nil {
		return
	}
	l.parts = make([]merge, len(v.entries))
	for i := range v.first {
		l.parts[i] = merge{i, i}
	}
	reader := l.columns.reader()
	begin := v.first
	for _, end := range l.ends {
		reader.read(l.parts[begin:end], true, begin)
		begin = end
	}
}

// makeLevels fills in the level of each merge's symbol.
func (l *levels) makeLevels(v *Merges) {
	if l.of != nil {
		return
	}
	l.of = make([]uint16, len(v.entries))
	id := v.first
	for level, end := range l.ends {
		for ; id < end; id++ {
			l.of[id] = uint16(level)
		}
	}
}

func (l *levels) window() int { return windowBytes }

// reach: one level carries an influence to the left by one token at most.
func (l *levels) reach(v *Merges) (bytes int64, bounded bool) {
	return int64(len(l.ends))*int64(v.longest()) + 64, true
}

// products are nil: a merge's number is the symbol that it makes.
func (l *levels) products() []uint32 { return nil }
