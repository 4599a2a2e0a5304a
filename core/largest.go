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
// what was appended is added, what went is taken off, and everything is
// counted anew where that does not tell the largest (BenchmarkUpdate).
type sums struct {
	counted int // how many items they are of
	of      []sum
	alone   []int32 // the largest without a name, in order
	partial bool    // there are more without a name than alone holds
}

// aloneKept is how many items without a name are known in order: more than are
// shown, so that a few can go.
const aloneKept = 4 * largestShown

// sum is what the items of one name take.
type sum struct {
	tokens                int64
	calls, results, other uint32
	most                  int32 // the index of its largest item
	tokensOfMost          uint32
	basis                 Basis
	mixed                 bool // its items are known in different ways
}

// times is how often something was called or, where no call is there any
// more, has answered.
func (s *sum) times() int64 {
	if n := max(s.calls, s.results); n > 0 {
		return int64(n)
	}
	return int64(s.other)
}

// counter is where items of a kind are counted.
func (s *sum) counter(kind Kind) *uint32 {
	switch kind {
	case ToolCalls:
		return &s.calls
	case ToolResults:
		return &s.results
	default:
		return &s.other
	}
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
		s.addAlone(index, at.tokens, items)
		return
	}
	for len(s.of) <= int(at.label) {
		s.of = append(s.of, sum{})
	}
	of := &s.of[at.label]
	if of.tokens > 0 && of.basis != at.basis {
		of.mixed = true
	}
	of.tokens += int64(at.tokens)
	of.basis = of.basis.with(at.basis)
	*of.counter(at.kind)++
	if at.tokens > of.tokensOfMost {
		of.most, of.tokensOfMost = int32(index), at.tokens
	}
}

// remove takes an item off that is about to go.
func (s *sums) remove(index int, items []slot) {
	at := items[index]
	if index >= s.counted || at.is(slotGone) || at.tokens == 0 {
		return
	}
	if at.label == 0 {
		s.removeAlone(index)
		return
	}
	of := &s.of[at.label]
	if of.mixed || of.most == int32(index) {
		s.anew()
		return
	}
	of.tokens -= int64(at.tokens)
	*of.counter(at.kind)--
}

// truncate takes the items from an index on off, which are about to go.
func (s *sums) truncate(from int, items []slot) {
	for i := min(s.counted, len(items)) - 1; i >= from && s.counted > 0; i-- {
		s.remove(i, items)
	}
	s.counted = min(s.counted, from)
}

// replaced notes another item in the place of one. One that grew, as an answer
// does while it comes, is no reason to count everything anew.
func (s *sums) replaced(index int, at slot, items []slot) {
	old := items[index]
	if index >= s.counted {
		return
	}
	if at.label == 0 && old.label == 0 && !at.is(slotGone) {
		s.remove(index, items)
		if s.counted > 0 && at.tokens > 0 {
			s.addAlone(index, at.tokens, items)
		}
		return
	}
	if at.label == 0 || at.label != old.label || at.kind != old.kind || at.basis != old.basis || at.tokens < old.tokens || old.tokens == 0 || old.is(slotGone) {
		s.anew()
		return
	}
	of := &s.of[at.label]
	of.tokens += int64(at.tokens - old.tokens)
	if at.tokens > of.tokensOfMost || at.tokens == of.tokensOfMost && int32(index) < of.most {
		of.most, of.tokensOfMost = int32(index), at.tokens
	}
}

// addAlone puts an item without a name in its place among the largest, equals
// in their order. Where not all are known, one that is no larger than the last
// of them may have larger ones before it, and stays out.
func (s *sums) addAlone(index int, tokens uint32, items []slot) {
	place := len(s.alone)
	for place > 0 {
		other := s.alone[place-1]
		if is := items[other].tokens; is > tokens || is == tokens && int(other) < index {
			break
		}
		place--
	}
	if place == len(s.alone) && s.partial {
		return
	}
	s.alone = slices.Insert(s.alone, place, int32(index))
	if len(s.alone) > aloneKept {
		s.alone, s.partial = s.alone[:aloneKept], true
	}
}

// removeAlone takes an item without a name off.
func (s *sums) removeAlone(index int) {
	place := slices.Index(s.alone, int32(index))
	if place < 0 {
		return
	}
	s.alone = slices.Delete(s.alone, place, place+1)
	if s.partial && len(s.alone) < largestShown {
		s.anew()
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
