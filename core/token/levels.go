// Copyright The ctx-lsp authors. MIT licence.

package token

import "strconv"

// columns are the two columns of numbers in which a pack has its merges, level by level.
type columns struct{ rights, lefts []byte }

// A mergeReader reads columns.
type mergeReader struct {
	rights, lefts packReader
	left, right   uint64
}

func (c columns) reader() mergeReader {
	return mergeReader{rights: packReader{bytes: c.rights}, lefts: packReader{bytes: c.lefts}}
}

// read reads merges of one level, whose parts are below a limit; first is set for those that it begins with. It answers false if a
// part is not. Where the columns stand is kept out of memory: this is done for each merge that there is.
func (r *mergeReader) read(merges []merge, first bool, limit uint32) bool {
	left, right := r.left, r.right
	if first {
		left, right = ^uint64(0), 0
	}
	rights, atRight := r.rights.bytes, r.rights.at
	lefts, atLeft := r.lefts.bytes, r.lefts.at
	largest := uint64(0)
	for i := range merges {
		var step, l uint64
		if atRight < len(rights) && rights[atRight] < 0x80 { // most have a byte
			step = uint64(rights[atRight])
			atRight++
		} else {
			r.rights.at = atRight
			step = r.rights.number()
			atRight = r.rights.at
		}
		if atLeft <= len(lefts)-4 {
			n := 0
			l, n = leb128(fourBytes(lefts, atLeft))
			atLeft += n
		} else {
			r.lefts.at = atLeft
			l = r.lefts.number()
			atLeft = r.lefts.at
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
	r.rights.at, r.lefts.at = atRight, atLeft
	return largest < uint64(limit)
}

// readLevels reads merges that come level by level.
func (v *Vocabulary) readLevels(r *packReader) {
	n := r.count(maxSymbols - int(v.first))
	levels := r.count(maxLevels)
	total := 0
	for range levels {
		if total += r.count(n); total > n {
			break
		}
		v.ends = append(v.ends, v.first+uint32(total))
	}
	if r.failed == "" && total != n {
		r.fail("its levels do not add up to its merges")
	}
	column := r.count(r.left())
	if r.failed != "" {
		return
	}
	if n > column || n > r.left()-column {
		r.fail("it says that it has more merges than it holds")
		return
	}
	v.columns = columns{r.bytes[r.at : r.at+column], r.bytes[r.at+column:]}
	r.at = len(r.bytes)
	v.makeEntries(n)
	v.makeRoom(n)
	v.merges = v.entries
	if v.byText() {
		v.hazards = newHazards(len(v.entries))
		v.atoms = new([1 << 16]uint32)
	} else {
		v.merges = make([]entry, len(v.entries))
	}
	reader := v.columns.reader()
	id := v.first
	var some newMerges
	for _, end := range v.ends {
		for begin := id; id < end; {
			some.n = int(min(end-id, mergesAtOnce))
			some.id = id
			if !reader.read(some.parts[:some.n], id == begin, begin) {
				r.fail("a merge joins a token that comes after it")
				return
			}
			id += uint32(some.n)
			if !some.measure(v) {
				r.fail("one of its tokens is longer than " + strconv.Itoa(maxTokenSize) + " bytes")
				return
			}
			if !some.enter(v) {
				r.fail(tooAlike)
				return
			}
		}
		if reader.rights.failed != "" || reader.lefts.failed != "" {
			r.fail("it ends in the middle of its merges")
			return
		}
	}
	if reader.rights.left() > 0 || reader.lefts.left() > 0 {
		r.fail("it holds more merges than it says")
	}
}

// newMerges are some merges of a level, which need nothing of each other. They are worked on together, step by step, so that the
// memory of all is asked for before any of it is waited for.
type newMerges struct {
	n      int
	id     uint32 // of the first
	parts  [mergesAtOnce]merge
	sides  [mergesAtOnce][2]entry // of the parts
	hashes [mergesAtOnce]uint64
}

const mergesAtOnce = 64

// measure makes the entries, and what they are looked up by. It answers false if a token is too long.
func (s *newMerges) measure(v *Vocabulary) bool {
	entries := v.entries
	for i, parts := range s.parts[:s.n] {
		s.sides[i] = [2]entry{entries[parts.left], entries[parts.right]}
	}
	bare := !v.byText()
	made := entries[s.id:][:s.n]
	for i := range made {
		i &= mergesAtOnce - 1
		parts := s.parts[i]
		left, right := s.sides[i][0], s.sides[i][1]
		n := left.size()
		size := n + right.size()
		if size >= maxTokenSize {
			return false
		}
		want := pairEntry(size, parts.left, parts.right)
		if bare || size > shortPieceMax {
			made[i] = want
			if bare {
				want = pairEntry(0, parts.left, parts.right)
				v.merges[s.id+uint32(i)] = want
			}
			s.hashes[i] = want.digest()
			continue
		}
		a, b := uint64(left&entryText), uint64(right&entryText)
		key := pieceKey{a | b<<(n*8&63), b >> 1 >> ((63 - n*8) & 63)}
		if (left|right)&wideEntry != 0 {
			key = v.text(parts.left).followed(uint(n), v.text(parts.right))
		}
		key.b |= uint64(size) << shortLength
		if size <= shortEntryMax {
			want = entry(key.a | key.b)
		}
		made[i] = want
		s.hashes[i] = key.digest()
	}
	return true
}

// enter makes the merges findable. It answers false if there are too many like one.
func (s *newMerges) enter(v *Vocabulary) bool {
	for i, hash := range s.hashes[:s.n] {
		id := s.id + uint32(i)
		if !v.put(id, hash) {
			return false
		}
		parts := s.parts[i]
		if parts.left|parts.right < 128 {
			v.ascii[parts.left<<7|parts.right] = id + 1
		}
		if v.byText() && v.hazards.may(parts) != 0 {
			v.hazards.see(v, id, parts)
		}
	}
	return true
}

// makeEntries makes the entries of the symbols to start from, and room for so many that merges make.
func (v *Vocabulary) makeEntries(products int) {
	v.entries = make([]entry, int(v.first)+products)
	for b := range 256 {
		v.entries[b] = 1<<shortLength | entry(b)
	}
	for _, char := range v.characters {
		if char != 0 {
			symbol := uint32(char)
			v.entries[symbol] = pairEntry(runeLength(rune(char>>32)-1), symbol, symbol)
		}
	}
}

// makeParts reads the merges of the pack again, for the parts that entries leave out.
func (v *Vocabulary) makeParts() {
	v.parts = make([]merge, len(v.entries))
	for i := range v.first {
		v.parts[i] = merge{i, i}
	}
	reader := v.columns.reader()
	begin := v.first
	for _, end := range v.ends {
		reader.read(v.parts[begin:end], true, begin)
		begin = end
	}
}

// makeLevels fills in the level of each merge's symbol.
func (v *Vocabulary) makeLevels() {
	v.levels = make([]uint16, len(v.entries))
	id := v.first
	for level, end := range v.ends {
		for ; id < end; id++ {
			v.levels[id] = uint16(level)
		}
	}
}

// longest is how many bytes the longest token has.
func (v *Vocabulary) longest() int {
	longest := 4
	for _, e := range v.entries {
		longest = max(longest, e.size())
	}
	return longest
}
