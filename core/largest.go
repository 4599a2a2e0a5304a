// Copyright The ctx-lsp authors. MIT licence.

package core

import "slices"

// largestShown is how many entries Reading.Largest has at most.
const largestShown = 10

// Largest is one of the largest entries of a conversation: all items with the same name, or one item without a name.
type Largest struct {
	Index  int // index of its largest item
	Kind   Kind
	What   SubjectKind
	Label  Text
	Times  int64 // how often it was called, read or shown
	Tokens int64
	Basis  Basis
	Share  int64 // share of the window
	Bar    int64 // length relative to the largest entry
	Place  int64 // transcript line of its largest item; Unknown if not known
}

// Largest returns the top largest entries, the largest first, equal ones in their order. Only names and sizes of items
// are known.
func (s *Session) Largest(top int) []Largest {
	limit, _ := s.shownLimit()
	return s.largest(top, limit, nil)
}

func (s *Session) largest(top int, limit int64, out []Largest) []Largest {
	c := &s.conversation
	c.sums.count(c.items)
	alone := c.sums.alone
	if top > largestShown {
		alone = largestAlone(c.items, top)
	}
	for i := range c.sums.byLabel {
		if sum := &c.sums.byLabel[i]; sum.tokens > 0 {
			out = insertLargest(out, top, Largest{Index: int(sum.most), Tokens: sum.tokens, Basis: sum.basis, Times: sum.times()})
		}
	}
	for _, i := range alone {
		item := &c.items[i]
		out = insertLargest(out, top, Largest{Index: int(i), Tokens: int64(item.tokens), Basis: item.shownBasis(), Times: 1})
	}
	for i := range out {
		l, item := &out[i], &c.items[out[i].Index]
		name := c.labels.named(item.label)
		l.Kind, l.What, l.Label, l.Place = item.kind, name.what, name.shown, Unknown
		if l.Label.Empty() {
			l.Label = rowLabels[item.kind].Text()
		}
		if item.place > 0 {
			l.Place = int64(item.place)
		}
	}
	sharesOf(out, limit)
	return out
}

// insertLargest inserts an entry in order if it is one of the top largest.
func insertLargest(list []Largest, top int, entry Largest) []Largest {
	if len(list) >= top {
		if top <= 0 || !entry.before(&list[top-1]) {
			return list
		}
		list = list[:top-1]
	}
	place := len(list)
	for place > 0 && entry.before(&list[place-1]) {
		place--
	}
	list = append(list, entry)
	copy(list[place+1:], list[place:])
	list[place] = entry
	return list
}

// before reports whether l is the larger entry, or the earlier one of two equal ones.
func (l *Largest) before(other *Largest) bool {
	return l.Tokens > other.Tokens || l.Tokens == other.Tokens && l.Index < other.Index
}

// sums are the tokens of the items of each name, and the largest of those without a name. They are updated on request:
// appended items are added, removed ones are subtracted, and everything is recounted if that cannot determine the
// largest (BenchmarkUpdate).
type sums struct {
	counted int // how many items are included
	byLabel []sum
	alone   []int32 // the largest items without a name, in order
	partial bool    // there are more items without a name than alone holds
}

// aloneKept is how many items without a name are kept in order: more than are shown, so that a few can be removed.
const aloneKept = 4 * largestShown

// sum is the sum of the items with one name.
type sum struct {
	tokens                int64
	calls, results, other uint32
	most                  int32 // the index of its largest item
	tokensOfMost          uint32
	basis                 Basis
	mixed                 bool // the bases of its items differ
}

// times returns the number of calls, or of results if no call remains.
func (s *sum) times() int64 {
	if n := max(s.calls, s.results); n > 0 {
		return int64(n)
	}
	return int64(s.other)
}

// counter returns the counter of items of a kind.
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

// invalidate makes the next call of count start over.
func (s *sums) invalidate() { s.counted = 0 }

func (s *sums) count(items []storedItem) {
	if s.counted == 0 || s.counted > len(items) {
		*s = sums{byLabel: s.byLabel[:0], alone: s.alone[:0]}
	}
	for ; s.counted < len(items); s.counted++ {
		if item := items[s.counted]; !item.has(slotRemoved) && item.tokens > 0 {
			s.add(s.counted, item, items)
		}
	}
}

func (s *sums) add(index int, item storedItem, items []storedItem) {
	if item.label == 0 {
		s.addAlone(index, item.tokens, items)
		return
	}
	for len(s.byLabel) <= int(item.label) {
		s.byLabel = append(s.byLabel, sum{})
	}
	total := &s.byLabel[item.label]
	if total.tokens > 0 && total.basis != item.shownBasis() {
		total.mixed = true
	}
	total.tokens += int64(item.tokens)
	total.basis = total.basis.with(item.shownBasis())
	*total.counter(item.kind)++
	if item.tokens > total.tokensOfMost {
		total.most, total.tokensOfMost = int32(index), item.tokens
	}
}

// remove subtracts an item that is about to be removed.
func (s *sums) remove(index int, items []storedItem) {
	item := items[index]
	if index >= s.counted || item.has(slotRemoved) || item.tokens == 0 {
		return
	}
	if item.label == 0 {
		s.removeAlone(index)
		return
	}
	total := &s.byLabel[item.label]
	if total.mixed || total.most == int32(index) {
		s.invalidate()
		return
	}
	total.tokens -= int64(item.tokens)
	*total.counter(item.kind)--
}

// truncate subtracts the items from an index on, which are about to be removed.
func (s *sums) truncate(from int, items []storedItem) {
	for i := min(s.counted, len(items)) - 1; i >= from && s.counted > 0; i-- {
		s.remove(i, items)
	}
	s.counted = min(s.counted, from)
}

// replaced updates the sums for an item that replaces another. An item that grew, like a response that is still
// streaming, does not cause a recount.
func (s *sums) replaced(index int, item storedItem, items []storedItem) {
	old := items[index]
	if index >= s.counted {
		return
	}
	if item.label == 0 && old.label == 0 && !item.has(slotRemoved) {
		s.remove(index, items)
		if s.counted > 0 && item.tokens > 0 {
			s.addAlone(index, item.tokens, items)
		}
		return
	}
	if item.label == 0 || item.label != old.label || item.kind != old.kind || item.shownBasis() != old.shownBasis() || item.tokens < old.tokens || old.tokens == 0 || old.has(slotRemoved) {
		s.invalidate()
		return
	}
	total := &s.byLabel[item.label]
	total.tokens += int64(item.tokens - old.tokens)
	if item.tokens > total.tokensOfMost || item.tokens == total.tokensOfMost && int32(index) < total.most {
		total.most, total.tokensOfMost = int32(index), item.tokens
	}
}

// addAlone inserts an item without a name among the largest, equal ones in their order. If not all are known, an item
// that is not larger than the last of them may have larger ones before it, and is left out.
func (s *sums) addAlone(index int, tokens uint32, items []storedItem) {
	place := len(s.alone)
	for place > 0 {
		other := s.alone[place-1]
		if others := items[other].tokens; others > tokens || others == tokens && int(other) < index {
			break
		}
		place--
	}
	if place == len(s.alone) && s.partial {
		return
	}
	s.alone = insertIndex(s.alone, place, int32(index))
	if len(s.alone) > aloneKept {
		s.alone, s.partial = s.alone[:aloneKept], true
	}
}

// removeAlone removes an item without a name.
func (s *sums) removeAlone(index int) {
	place := slices.Index(s.alone, int32(index))
	if place < 0 {
		return
	}
	s.alone = append(s.alone[:place], s.alone[place+1:]...)
	if s.partial && len(s.alone) < largestShown {
		s.invalidate()
	}
}

// largestAlone returns the indices of the largest items without a name.
func largestAlone(items []storedItem, top int) []int32 {
	var list []int32
	for i, item := range items {
		if item.label == 0 && !item.has(slotRemoved) && item.tokens > 0 {
			list = insertAlone(list, top, int32(i), items)
		}
	}
	return list
}

// insertAlone inserts an item among the largest, equal ones in their order.
func insertAlone(list []int32, top int, index int32, items []storedItem) []int32 {
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
	return insertIndex(list, place, index)
}

func insertIndex(list []int32, place int, index int32) []int32 {
	list = append(list, index)
	copy(list[place+1:], list[place:])
	list[place] = index
	return list
}
