// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// A Merger cuts the bytes between two piece boundaries into tokens. It owns the memory for this.
type Merger struct {
	v *Merges
	startSymbols
	prepared prepared
	short    shortMerge // for short pieces
	padded   []byte     // for longer ones: the piece, with room behind it
	links    row
	queue    []queued // the merges to do
	heads    []levelQueue
	heap     []uint64 // for unordered merges
	full     []uint64 // bits of the levels that have merges to do
	text     []byte   // a piece made valid
	window   int      // how many bytes of a long piece are cut at a time
	guard    int      // how many tokens of a window the next one cuts again
}

type link struct {
	symbol     uint32
	prev, next int32
}

// A queued merge is done at a symbol, if it still can be.
type queued struct {
	merge
	result   uint32
	at, next int32
}

type levelQueue struct{ first, last int32 }

const (
	noWindow    = 1 << 30 // for kinds of which a seam cannot be checked
	windowBytes = 4096    // longer pieces are cut window by window, in memory that stays near
	windowGuard = 3       // tokens of a window that the next one cuts again
)

// NewMerger returns a merger of its own for one tokenizer.
func NewMerger(v *Merges) *Merger {
	m := &Merger{v: v, window: v.kind.window(), guard: windowGuard}
	m.short.byText, m.short.products = v.kind.byText(), v.kind.products()
	return m
}

// cut leaves the tokens of a piece in symbols. The piece is no longer than a window or is merged whole.
func (m *Merger) cut(piece []byte) {
	m.strict = false
	if j := &m.short; j.cut(m.v, &m.startSymbols, piece) {
		m.symbols = m.symbols[:0]
		for rest := j.begins; rest != 0; rest &= rest - 1 {
			m.symbols = append(m.symbols, j.symbols[bits.TrailingZeros64(rest)%joinable])
		}
		return
	}
	m.cutAtOnce(piece)
}

// cutAtOnce is cut for long pieces.
func (m *Merger) cutAtOnce(piece []byte) {
	m.padded = pad(m.padded, piece)
	m.fill(m.v, m.padded)
	m.v.kind.mergeLong(m)
}

// mergeLong merges level by level. Merges of one level never compete for a symbol, but for those of a symbol with
// itself, which go from left to right; so a level's merges can be done in the order in which they were found.
func (l *levels) mergeLong(m *Merger) {
	n := len(m.symbols)
	if cap(m.links) < n {
		size := max(n, windowBytes)
		m.links = make(row, size)
		m.queue = make([]queued, 0, 3*size)
	}
	if m.heads == nil {
		m.heads = make([]levelQueue, len(l.ends))
		m.full = make([]uint64, len(l.ends)/64+1)
		l.makeLevels(m.v)
	}
	links := m.links[:n]
	m.queue = m.queue[:0]
	for i, s := range m.symbols {
		links[i] = link{s, int32(i) - 1, int32(i) + 1}
	}
	links[n-1].next = -1
	for i := range n - 1 {
		l.pair(m, links, int32(i), -1)
	}
	for word := range m.full {
		for m.full[word] != 0 {
			level := word*64 + bits.TrailingZeros64(m.full[word])
			m.full[word] &= m.full[word] - 1
			for at := m.heads[level].first; at >= 0; at = m.queue[at].next {
				l.mergeAt(m, links, &m.queue[at], level)
			}
		}
	}
	m.symbols = m.symbols[:0]
	for i := int32(0); i >= 0; i = links[i].next {
		m.symbols = append(m.symbols, links[i].symbol)
	}
}

// mergeAt does a merge of a level that was found, if what it joins is still there.
func (l *levels) mergeAt(m *Merger, links row, q *queued, level int) {
	at, left, result := q.at, q.left, q.result
	next := links[at].next
	if next < 0 || links[at].symbol != left || links[next].symbol != q.right {
		return
	}
	first, last := at, at // of the symbols that are new
	if left != q.right {
		links.merge(at, result)
	} else {
		// A row of the symbol is merged from its left end, two by two, all at once.
		for prev := links[at].prev; prev >= 0 && links[prev].symbol == left; prev = links[at].prev {
			at = prev
		}
		first = at
		for {
			links.merge(at, result)
			last = at
			at = links[at].next
			if at < 0 || links[at].symbol != left {
				break
			}
			if next := links[at].next; next < 0 || links[next].symbol != left {
				break
			}
		}
	}
	if before := links[first].prev; before >= 0 {
		l.pair(m, links, before, level)
	}
	for links[first].next >= 0 {
		l.pair(m, links, first, level)
		if first == last {
			break
		}
		first = links[first].next
	}
}

// A row is the symbols of a piece as a list. A symbol stays where the first of what it is made of was.
type row []link

func (r row) merge(at int32, result uint32) {
	next := r[at].next
	after := r[next].next
	r[at].symbol = result
	r[at].next = after
	r[next].symbol = noMerge
	if after >= 0 {
		r[after].prev = at
	}
}

// join looks up what two symbols merge into, which are the text between two places.
func (m *Merger) join(parts merge, from, to int32) uint32 {
	if (parts.left|parts.right)&^127 == 0 {
		return m.v.ascii[parts.left<<7|parts.right] - 1 // it has one more, or 0
	}
	pair := pairOf(parts.left, parts.right)
	slot := m.short.pairs.slot(pair)
	result, known := recall(*slot, pair)
	if !known {
		result = m.v.join(m.padded, from, to, pair, slot)
	}
	return result
}

// pair puts the merge of a symbol with the next, if there is one, into the queue of its level. Finished levels are
// never revisited: in a vocabulary that was made as it should be there is nothing left to do in them.
func (l *levels) pair(m *Merger, links row, at int32, done int) {
	next := links[at].next
	end := links[next].next
	if end < 0 {
		end = int32(len(links))
	}
	pair := merge{links[at].symbol, links[next].symbol}
	result := m.join(pair, m.places[at], m.places[end])
	if result == noMerge {
		return
	}
	level := int(l.of[result])
	if level <= done {
		return
	}
	queue := &m.heads[level]
	entry := int32(len(m.queue))
	m.queue = append(m.queue, queued{pair, result, at, -1})
	if bit := uint64(1) << (level & 63); m.full[level>>6]&bit == 0 {
		m.full[level>>6] |= bit
		queue.first = entry
	} else {
		m.queue[queue.last].next = entry
	}
	queue.last = entry
}

// size returns how many bytes a symbol stands for that a text begins with.
func (m *Merger) size(symbol uint32, text []byte) int {
	size := m.v.entries[symbol].size()
	letters := &m.v.letters
	if !letters.underlined {
		return size
	}
	written := 0
	for at := 0; ; {
		if written >= size || at >= len(text) {
			return at
		}
		c, n := split.DecodeRune(text, at)
		if _, whole := letters.symbol(letters.written(c)); !whole && size == 1 {
			return 1 // a byte of a character that the vocabulary does not have
		}
		at += n
		written += split.RuneLength(letters.written(c))
	}
}

// Count returns how many tokens a piece has.
func (m *Merger) Count(piece []byte) int64 {
	m.broken = !m.short.byText || m.v.whole.Len() > 0 || len(piece) > windowBytes // where fill does not find out in time
	for {
		if m.broken {
			piece = m.Valid(piece)
			m.broken = false
		}
		if len(piece) > windowBytes {
			n, _ := m.cutInWindows(piece, 0, nil, false)
			return n
		}
		if m.v.whole.Has(piece) {
			return 1
		}
		m.strict = true
		short := m.short.cut(m.v, &m.startSymbols, piece)
		if !short && !m.broken {
			m.cutAtOnce(piece)
		}
		switch {
		case m.broken: // once more, with U+FFFD
		case short:
			return m.short.tokens()
		default:
			return int64(len(m.symbols))
		}
	}
}

// Valid returns the piece with U+FFFD in place of what is not UTF-8.
func (m *Merger) Valid(piece []byte) []byte {
	if utf8.Valid(piece) {
		return piece
	}
	m.text = m.text[:0]
	for i := 0; i < len(piece); {
		c, size := split.DecodeRune(piece, i)
		m.text = utf8.AppendRune(m.text, c)
		i += size
	}
	return m.text
}

// cutInWindows cuts a valid piece of any length and returns the number of its tokens; with list, it appends their ends,
// counted from base.
//
// A long piece is cut in windows. All but the last tokens of a window are kept, the rest is cut again as the beginning
// of the next. That this is what cutting the whole would have given is checked at each seam; where it is not so, the
// window before is cut again, longer and with more to spare.
func (m *Merger) cutInWindows(piece []byte, base int, ends []int, list bool) (int64, []int) {
	type state struct {
		begin, ends int
		count       int64
		last        uint32 // the token before begin
	}
	type effort struct{ window, guard int }
	var tried effort // to get from before to here
	start := state{ends: len(ends)}
	here, before := start, start
	window, guard := m.window, m.guard
	for {
		stop := min(here.begin+window, len(piece))
		if !m.v.letters.empty() {
			for stop < len(piece) && piece[stop]&0xC0 == 0x80 {
				stop++
			}
		}
		m.cut(piece[here.begin:stop])
		if here.begin > 0 && !m.v.kind.staysApart(m.v, here.last, m.symbols[0]) {
			if here.begin == before.begin { // it was cut apart in the wrong place before that, too: merge it whole
				here, tried.window = start, len(piece)
			} else {
				here = before
			}
			before = here
			window, guard = 4*tried.window, 4*tried.guard
			continue
		}
		keep := len(m.symbols)
		if stop < len(piece) {
			if keep -= guard; keep < 1 {
				window *= 4
				continue
			}
		}
		before, tried = here, effort{window, guard}
		ends = ends[:here.ends]
		here.count += int64(keep)
		for _, s := range m.symbols[:keep] {
			here.begin += m.size(s, piece[here.begin:])
			if list {
				ends = append(ends, base+here.begin)
			}
		}
		if stop == len(piece) {
			return here.count, ends
		}
		here.last, here.ends = m.symbols[keep-1], len(ends)
		window, guard = m.window, m.guard
	}
}

// Reach is how many bytes before the end of a piece its tokens may still change when the piece goes on; bounded is
// false if any may.
func (m *Merger) Reach() (bytes int64, bounded bool) { return m.v.kind.reach(m.v) }

// Warm touches the memory that a long text will need.
func (m *Merger) Warm() { m.short.pairs.warm() }
