// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// columns contains the two columns of numbers that store a pack's merges, level by level.
type columns struct{ rights, lefts []byte }

// A mergeReader reads columns.
type mergeReader struct {
	rights, lefts packed.Reader
	left, right   uint64
}

func (c columns) reader() mergeReader {
	return mergeReader{rights: packed.Reader{Bytes: c.rights}, lefts: packed.Reader{Bytes: c.lefts}}
}

// read reads merges of one level. Their parts must be below limit, or it returns false. first must be set for the first
// merges of a level. The offsets in the columns are kept in registers, because this loop runs for every merge
// (BenchmarkFirstCount).
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
		if atRight < len(rights) && rights[atRight] < 0x80 { // most take one byte
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

// levels are merges in levels. Lower symbols have priority; within a level the order does not matter.
type levels struct {
	columns columns  // the merges as stored in the pack, for the parts that entries leave out
	ends    []uint32 // the symbol after the last one of each level
	levelOf []uint16 // level of each symbol; computed for the first long piece
	parts   []merge  // parts of each symbol; computed for the first seam
}

// A levelReader builds the entries of merges for one kind of vocabulary.
type levelReader interface {
	// begin is called as soon as the number of merges is known.
	begin(v *Merges)
	// measure sets the entries of some merges and their hashes. It returns false if a token is too long.
	measure(v *Merges, s *newMerges) bool
	// note registers merges after they have been entered.
	note(v *Merges, s *newMerges)
}

// read reads merges in levels.
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

// newMerges are some merges of the same level, which do not depend on each other. Each step processes all of them, so
// that their memory accesses overlap.
type newMerges struct {
	n      int
	id     uint32 // symbol of the first merge
	parts  [mergesAtOnce]merge
	sides  [mergesAtOnce][2]entry // entries of the parts
	hashes [mergesAtOnce]uint64
}

const mergesAtOnce = 64

// enter adds the merges to the index. It returns false if too many have the same hash.
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

// makeParts reads the pack's merges again, for the parts that entries leave out.
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

// makeLevels sets the level of each symbol.
func (l *levels) makeLevels(v *Merges) {
	if l.levelOf != nil {
		return
	}
	l.levelOf = make([]uint16, len(v.entries))
	id := v.first
	for level, end := range l.ends {
		for ; id < end; id++ {
			l.levelOf[id] = uint16(level)
		}
	}
}

func (l *levels) window() int { return windowBytes }

// reach returns the reach of all levels together: one level carries an influence to the left by at most one token.
func (l *levels) reach(v *Merges) (bytes int64, bounded bool) {
	return int64(len(l.ends))*int64(v.longest()) + 64, true
}

// products returns nil: a merge's number is the symbol that it makes.
func (l *levels) products() []uint32 { return nil }
