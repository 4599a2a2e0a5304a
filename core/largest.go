// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

// largestShown is how many of the largest things a Reading has.
const largestShown = 10

// Largest is one of the largest things of a conversation: all items that have
// one name, or one item without a name.
type Largest struct {
	Index  int // of the largest of its items
	Kind   Kind
	What   What
	Label  string
	Times  int64 // how often it was called, read or shown
	Tokens int64
	Basis  Basis
	Share  int64 // of used, in hundredths of a percent
	Place  int64 // where the largest of its items is in the transcript; Unknown where nobody told
}

// Largest lists what takes most, the largest first, equals in their order.
// Names and sizes are all that is known of it.
func (s *Session) Largest(top int) []Largest {
	return s.largest(top, s.predictNext().used, nil)
}

func (s *Session) largest(top int, used int64, out []Largest) []Largest {
	c := &s.conversation
	c.sums.count(c.items)
	alone := c.sums.alone
	if top > largestShown {
		alone = largestAlone(c.items, top)
	}
	for i := range c.sums.of {
		if at := &c.sums.of[i]; at.tokens > 0 {
			out = insertLargest(out, top, Largest{Index: int(at.most), Tokens: at.tokens, Basis: at.basis, Times: at.times()})
		}
	}
	for _, i := range alone {
		at := &c.items[i]
		out = insertLargest(out, top, Largest{Index: int(i), Tokens: int64(at.tokens), Basis: at.basis, Times: 1})
	}
	for i := range out {
		l, at := &out[i], &c.items[out[i].Index]
		name := c.labels.at(at.label)
		l.Kind, l.What, l.Label, l.Place = at.kind, name.what, name.shown, Unknown
		if l.Label == "" {
			l.Label = rowLabels[at.kind]
		}
		if at.place > 0 {
			l.Place = int64(at.place)
		}
		l.Share = hundredths(l.Tokens, used)
	}
	return out
}

// insertLargest puts a thing in its place among the largest, if it has one.
func insertLargest(list []Largest, top int, at Largest) []Largest {
	if len(list) >= top {
		if top <= 0 || !at.before(&list[top-1]) {
			return list
		}
		list = list[:top-1]
	}
	place := len(list)
	for place > 0 && at.before(&list[place-1]) {
		place--
	}
	return slices.Insert(list, place, at)
}

// before is true for the larger of two things, of equals for the earlier.
func (l *Largest) before(other *Largest) bool {
	return l.Tokens > other.Tokens || l.Tokens == other.Tokens && l.Index < other.Index
}

// sums are what the items of each name take together, and the largest of
// those without a name. They are brought up to date when they are asked for:
// what was appended is added, and everything is counted anew after something
// went (BenchmarkUpdate).
type sums struct {
	counted int // how many items they are of
	of      []sum
	alone   []int32
}

// sum is what the items of one name take.
type sum struct {
	tokens                int64
	calls, results, other uint32
	most                  int32 // the index of its largest item
	tokensOfMost          uint32
	basis                 Basis
}

// times is how often something was called or, where no call is there any
// more, has answered.
func (s *sum) times() int64 {
	if n := max(s.calls, s.results); n > 0 {
		return int64(n)
	}
	return int64(s.other)
}

// anew has everything counted again.
func (s *sums) anew() { s.counted = 0 }

func (s *sums) count(items []slot) {
	if s.counted == 0 || s.counted > len(items) {
		*s = sums{of: s.of[:0], alone: s.alone[:0]}
	}
	for ; s.counted < len(items); s.counted++ {
		if at := items[s.counted]; !at.is(slotGone) && at.tokens > 0 {
			s.add(s.counted, at, items)
		}
	}
}

func (s *sums) add(index int, at slot, items []slot) {
	if at.label == 0 {
		s.alone = insertAlone(s.alone, largestShown, int32(index), items)
		return
	}
	for len(s.of) <= int(at.label) {
		s.of = append(s.of, sum{})
	}
	of := &s.of[at.label]
	of.tokens += int64(at.tokens)
	of.basis = of.basis.with(at.basis)
	switch at.kind {
	case ToolCalls:
		of.calls++
	case ToolResults:
		of.results++
	default:
		of.other++
	}
	if at.tokens > of.tokensOfMost {
		of.most, of.tokensOfMost = int32(index), at.tokens
	}
}

// replaced notes another item in the place of one. One that grew, as an answer
// does while it comes, is no reason to count everything anew.
func (s *sums) replaced(index int, old, at slot) {
	if index >= s.counted {
		return
	}
	if at.label == 0 || at.label != old.label || at.kind != old.kind || at.basis != old.basis || at.tokens < old.tokens || old.tokens == 0 || old.is(slotGone) {
		s.anew()
		return
	}
	of := &s.of[at.label]
	of.tokens += int64(at.tokens - old.tokens)
	if at.tokens > of.tokensOfMost {
		of.most, of.tokensOfMost = int32(index), at.tokens
	}
}

// largestAlone are the largest items without a name.
func largestAlone(items []slot, top int) []int32 {
	var list []int32
	for i, at := range items {
		if at.label == 0 && !at.is(slotGone) && at.tokens > 0 {
			list = insertAlone(list, top, int32(i), items)
		}
	}
	return list
}

// insertAlone puts an item in its place among the largest, equals in their
// order.
func insertAlone(list []int32, top int, index int32, items []slot) []int32 {
	tokens := items[index].tokens
	if len(list) >= top {
		if items[list[top-1]].tokens >= tokens {
			return list
		}
		list = list[:top-1]
	}
	place := len(list)
	for place > 0 && items[list[place-1]].tokens < tokens {
		place--
	}
	return slices.Insert(list, place, index)
}
