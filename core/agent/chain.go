// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxChain is how many records a chain remembers. In a longer transcript the
// reader notices no more rewinds, and everything else goes on.
const maxChain = 100_000

// link is a record's place in the chain of parents, and the items it added.
type link struct {
	parent      uint64
	sequence    int32
	first, next int32
	left        bool // it hangs on a part of the chain that was left
}

// A chain follows uuid and parentUuid. It tells which records are ancestors of
// a prompt, and which stand on another branch.
type chain struct {
	links     map[uint64]link
	sequence  int32
	last      int64 // time of the newest record
	since     int64 // time of the record since which all ids are remembered
	assistant uint64
	gone      []span // what prompts further back have left
	brief     bool   // the ids are called id and parentId
}

// of is the id of a record, and parentOf that of the record before it.
func (c *chain) of(r json.Value) uint64 {
	if c.brief {
		return identity(r.Get("id"))
	}
	return identity(r.Get("uuid"))
}

func (c *chain) parentOf(r json.Value) uint64 {
	if c.brief {
		return identity(r.Get("parentId"))
	}
	return identity(r.Get("parentUuid"))
}

// span is records by their sequence: after the first, up to the last.
type span struct{ after, last int32 }

// maxSpans bounds the parts of a chain that are known to have been left.
const maxSpans = 64

func (c *chain) add(r json.Value, first, next int, assistant bool) {
	if ms, ok := parseTime(r.Get("timestamp")); ok && ms > c.last {
		c.last = ms
	}
	if c.put(c.of(r), c.parentOf(r), first, next) && assistant {
		c.assistant = c.of(r)
	}
}

// put notes which items the record with an id has added; it is false for an id that is taken.
func (c *chain) put(id, parent uint64, first, next int) bool {
	if _, taken := c.links[id]; id == 0 || taken || len(c.links) >= maxChain {
		return false
	}
	if c.links == nil {
		c.links = make(map[uint64]link)
	}
	c.sequence++
	c.links[id] = link{parent: parent, sequence: c.sequence, first: int32(first), next: int32(next)}
	return true
}

// knows is true of a record that was read before: a line that was written
// twice, with the same parent. If the parent is another, it is another record,
// and shared is true.
func (c *chain) knows(r json.Value) (known, shared bool) {
	l, known := c.links[c.of(r)]
	if known && l.parent != c.parentOf(r) {
		return false, true
	}
	return known, false
}

// has is true of the uuid of a record that was read.
func (c *chain) has(uuid json.Value) bool {
	_, known := c.links[identity(uuid)]
	return known
}

func (c *chain) clear() {
	c.links, c.assistant, c.gone = nil, 0, nil
}

// leaves notes that nobody goes on from the records behind a prompt's parent.
func (c *chain) leaves(prompt json.Value) {
	after := c.links[identity(prompt.Get("parentUuid"))].sequence
	for len(c.gone) > 0 && c.gone[len(c.gone)-1].after >= after {
		c.gone = c.gone[:len(c.gone)-1] // it goes back still further
	}
	if len(c.gone) == maxSpans {
		c.gone = append(c.gone[:0], c.gone[1:]...)
	}
	c.gone = append(c.gone, span{after, c.sequence})
}

// leavesAll notes that nobody goes on from what stands before the root of a
// record's chain. One chain that was left is remembered.
func (c *chain) leavesAll(r json.Value) {
	for id, l := range c.links {
		if c.isGone(l) {
			delete(c.links, id)
		}
	}
	last := c.sequence
	for id, steps := identity(r.Get("parentUuid")), 0; steps <= len(c.links); steps++ {
		l, known := c.links[id]
		if !known {
			break
		}
		last, id = l.sequence-1, l.parent
	}
	c.gone, c.assistant = append(c.gone[:0], span{0, last}), 0
}

// leave notes that a record hangs on a part that was left.
func (c *chain) leave(id uint64) {
	if l, known := c.links[id]; known {
		l.left = true
		c.links[id] = l
	}
}

// left is true for a record that is known, and not on the chain that is
// followed.
func (c *chain) left(id uint64) bool {
	l, known := c.links[id]
	return known && c.isGone(l)
}

func (c *chain) isGone(l link) bool {
	for _, s := range c.gone {
		if l.sequence > s.after && l.sequence <= s.last {
			return true
		}
	}
	return l.left
}

// rewound says whether a prompt continues from a point before the newest
// answer, and from which item on the conversation is gone.
func (c *chain) rewound(r json.Value) (from int, yes bool) {
	parent := c.parentOf(r)
	parentLink, known := c.links[parent]
	answer, answered := c.links[c.assistant]
	if !known || !answered || parentLink.sequence >= answer.sequence {
		return 0, false
	}
	// The parent is older than the newest answer. If that answer descends from the
	// parent, the prompt has left the answer behind.
	for id, steps := c.assistant, 0; steps <= len(c.links); steps++ {
		l, ok := c.links[id]
		if !ok || l.sequence < parentLink.sequence {
			return 0, false
		}
		if id == parent {
			return int(parentLink.next), true
		}
		id = l.parent
	}
	return 0, false
}

// anew says whether a record of the person descends from a root of its own that
// is newer than the newest answer, because the conversation was cleared. An
// answer without a parent means that the records of this file are not chained.
func (c *chain) anew(r json.Value) bool {
	answer, answered := c.links[c.assistant]
	parent := r.Get("parentUuid")
	if _, chained := c.links[answer.parent]; !answered || !chained || !parent.Exists() {
		return false
	}
	id := identity(parent)
	for steps := 0; id != 0 && steps <= len(c.links); steps++ {
		l, known := c.links[id]
		if !known || l.sequence < answer.sequence {
			return false
		}
		id = l.parent
	}
	return id == 0
}

// onChain says for every item whether an ancestor of the prompt has added it.
// It is nil when that cannot be known.
func (c *chain) onChain(r json.Value, items int) []bool {
	if items == 0 || len(c.links) == 0 || len(c.links) >= maxChain {
		return nil
	}
	on := make([]bool, items)
	id := identity(r.Get("parentUuid"))
	for steps := 0; steps <= len(c.links); steps++ {
		l, ok := c.links[id]
		if !ok {
			break
		}
		for i := int(l.first); i < int(l.next) && i < items; i++ {
			on[i] = true
		}
		id = l.parent
	}
	return on
}

// itemsOf is how many items the record with this uuid added.
func (c *chain) itemsOf(uuid json.Value) int {
	l := c.links[identity(uuid)]
	return int(l.next - l.first)
}

// itemsSince is how many items were added from the record with this uuid on.
func (c *chain) itemsSince(uuid json.Value, items int) int {
	l, ok := c.links[identity(uuid)]
	if !ok || int(l.first) > items {
		return 0
	}
	return items - int(l.first)
}

// sumOfRanges bounds how many items all links of a chain together may name,
// because each prompt after a pause walks them.
const sumOfRanges = 16 * core.MaxItems

func (c *chain) walk(to *codec.Codec) {
	codec.Within(to, "last", &c.last, 0, latest)
	to.Ints("since", &c.since)
	to.Hash("assistant", &c.assistant)
	codec.List(to, "gone", &c.gone, maxSpans, func(s *span, to *codec.Codec) {
		codec.Within(to, "after", &s.after, 0, 1<<31-1)
		codec.Within(to, "last", &s.last, 0, 1<<31-1)
	})
	n := to.Length("links", len(c.links), maxChain)
	var links []placed
	switch {
	case to.Saving() && n > 0:
		links = c.inOrder()
	case to.Restoring() && n > 0:
		c.links = make(map[uint64]link, n)
	}
	before, last, ranges := uint64(0), link{}, int64(0)
	for i := 0; i < n && !to.Damaged(); i++ {
		var id uint64
		var l link
		if to.Saving() {
			id, l = links[i].id, links[i].link
		}
		to.Hash("id", &id)
		// Most records follow the one before them, and add the items after its
		// items.
		branches := l.parent != before
		to.Bools("branches left", &branches, &l.left)
		if to.When(branches) {
			to.Hash("parent", &l.parent)
		} else {
			l.parent = before
		}
		step, first, items := int64(l.sequence-last.sequence), int64(l.first-last.next), int64(l.next-l.first)
		codec.Within(to, "step", &step, 1, 1<<31-1)
		codec.Within(to, "first", &first, -core.MaxItems, core.MaxItems)
		codec.Within(to, "items", &items, 0, core.MaxItems)
		sequence, from := int64(last.sequence)+step, int64(last.next)+first
		ranges += items
		to.Refuse(sequence > 1<<31-1 || from < 0 || from+items > core.MaxItems || ranges > sumOfRanges)
		l.sequence, l.first, l.next = int32(sequence), int32(from), int32(from+items)
		if to.Restoring() {
			c.links[id] = l
		}
		before, last = id, l
	}
	codec.Within(to, "sequence", &c.sequence, 0, 1<<31-1)
	to.Refuse(c.sequence < last.sequence)
}

// A placed is a record with its place.
type placed struct {
	id uint64
	link
}

// inOrder lists the records in the order in which they were read.
func (c *chain) inOrder() []placed {
	list := make([]placed, len(c.links))
	n, least, most := 0, int32(1<<31-1), int32(0)
	for id, l := range c.links {
		list[n] = placed{id, l}
		least, most = min(least, l.sequence), max(most, l.sequence)
		n++
	}
	if n == 0 || int(most-least) >= 2*n {
		places := make([]int64, n)
		for i := range list {
			places[i] = int64(list[i].sequence)<<32 | int64(i)
		}
		slices.Sort(places)
		ordered := make([]placed, n)
		for i, place := range places {
			ordered[i] = list[uint32(place)]
		}
		return ordered
	}
	// Hardly any number is missing, so each number has its own place in a slice.
	places := make([]int32, most-least+1)
	for i := range list {
		places[list[i].sequence-least] = int32(i) + 1
	}
	ordered := make([]placed, 0, n)
	for _, i := range places {
		if i > 0 {
			ordered = append(ordered, list[i-1])
		}
	}
	return ordered
}

// fork reports whether a record does not follow the one that was added last, and the first item after the nearest
// record from which both descend.
func (c *chain) fork(r json.Value) (from int, yes bool) {
	mine, other := c.parentOf(r), c.assistant
	if _, known := c.links[mine]; !known || mine == other {
		return 0, false
	}
	for range 2 * len(c.links) {
		a, known := c.links[mine]
		b, answered := c.links[other]
		switch {
		case !known || !answered:
			return 0, false
		case mine == other:
			return int(a.next), true
		case a.sequence > b.sequence:
			mine = a.parent
		default:
			other = b.parent
		}
	}
	return 0, false
}

// summed moves the places of items after a compaction that removed the oldest ones.
func (c *chain) summed(gone int) {
	for id, l := range c.links {
		l.first = max(l.first-int32(gone), 0)
		l.next = max(l.next-int32(gone), 0)
		c.links[id] = l
	}
}
