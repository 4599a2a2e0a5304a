// Copyright The ctx-lsp authors. MIT licence.

package bpe

import (
	"math/bits"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
)

// A Merger cuts pieces into tokens, using its own memory.
type Merger struct {
	v *Merges
	startSymbols
	prepared prepared
	short    shortMerge // merges short pieces
	padded   []byte     // longer pieces with padding
	links    row
	queue    []queued // the merges to do
	heads    []levelQueue
	heap     []uint64 // heap for unordered merges
	full     []uint64 // bits of the levels that have merges to do
	text     []byte   // a piece made valid
	window   int      // how many bytes of a long piece are cut at a time
	guard    int      // number of tokens of a window that the next one cuts again
}

type link struct {
	symbol     uint32
	prev, next int32
}

// A queued merge is a merge to be done at a symbol, if that is still possible.
type queued struct {
	merge
	result   uint32
	at, next int32
}

type levelQueue struct{ first, last int32 }

const (
	noWindow    = 1 << 30 // window of kinds whose seams cannot be checked
	windowBytes = 4096    // longer pieces are cut window by window, in memory that stays in the caches
	windowGuard = 3       // number of tokens of a window that the next one cuts again
)

// NewMerger returns a merger for use by one tokenizer.
func NewMerger(v *Merges) *Merger {
	m := &Merger{v: v, window: v.kind.window(), guard: windowGuard}
	m.short.byText, m.short.products = v.kind.byText(), v.kind.products()
	return m
}

// cut cuts a piece and leaves its tokens in symbols. The piece must not be longer than a window, or is merged as a
// whole.
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

// cutAtOnce cuts a long piece, merging all of its symbols at once.
func (m *Merger) cutAtOnce(piece []byte) {
	m.padded = pad(m.padded, piece)
	m.fill(m.v, m.padded)
	m.v.kind.mergeLong(m)
}

// mergeLong merges level by level. Merges of one level never compete for a symbol, except those of a symbol with
// itself, which run from left to right. So the merges of a level can be done in the order of the queue.
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

// mergeAt does a queued merge of a level, if its symbols are still there.
func (l *levels) mergeAt(m *Merger, links row, q *queued, level int) {
	at, left, result := q.at, q.left, q.result
	next := links[at].next
	if next < 0 || links[at].symbol != left || links[next].symbol != q.right {
		return
	}
	first, last := at, at // the range of new symbols
	if left != q.right {
		links.merge(at, result)
	} else {
		// Merge a run of the same symbol in pairs, all at once from its left end.
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

// A row is the linked list of a piece's symbols. A merged symbol takes the position of its first part.
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

// join looks up the merge of two neighboring symbols, which are the bytes from..to of the text.
func (m *Merger) join(parts merge, from, to int32) uint32 {
	if (parts.left|parts.right)&^127 == 0 {
		return m.v.ascii[parts.left<<7|parts.right] - 1 // the table contains one more, or 0
	}
	pair := pairOf(parts.left, parts.right)
	slot := m.short.pairs.slot(pair)
	result, known := recall(*slot, pair)
	if !known {
		result = m.v.join(m.padded, from, to, pair, slot)
	}
	return result
}

// pair adds the merge of a symbol with the next one, if there is one, to the queue of its level. Finished levels are
// skipped: in a valid vocabulary there is nothing left to do in them.
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
	level := int(l.levelOf[result])
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

// size returns how many bytes at the start of text a symbol represents.
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
			return 1 // a byte of a character that the vocabulary does not contain
		}
		at += n
		written += split.RuneLength(letters.written(c))
	}
}

// Count returns the number of tokens of a piece.
func (m *Merger) Count(piece []byte) int64 {
	m.broken = !m.short.byText || m.v.whole.Len() > 0 || len(piece) > windowBytes // fill would detect it too late
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
		case m.broken: // try again, with U+FFFD
		case short:
			return m.short.tokens()
		default:
			return int64(len(m.symbols))
		}
	}
}

// Valid returns the piece with U+FFFD in place of invalid UTF-8.
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

// cutInWindows cuts a valid piece of any length and returns the number of its tokens. If list is true, it also appends
// their ends, counted from base.
//
// A long piece is cut in windows. All tokens of a window except the last few are kept; the rest is cut again as the
// start of the next window. At each seam it is checked whether cutting the whole piece would have given the same
// tokens. If not, the previous window is cut again, with a longer window and more tokens to spare.
func (m *Merger) cutInWindows(piece []byte, base int, ends []int, list bool) (int64, []int) {
	type state struct {
		begin, ends int
		count       int64
		last        uint32 // the token before begin
	}
	type effort struct{ window, guard int }
	var tried effort // the effort to get from before to here
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
			if here.begin == before.begin { // the previous seam was wrong too: merge the whole piece
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

// Reach returns how many bytes before the end of a piece its tokens may still change if the piece continues. bounded is
// false if all may change.
func (m *Merger) Reach() (bytes int64, bounded bool) { return m.v.kind.reach(m.v) }
