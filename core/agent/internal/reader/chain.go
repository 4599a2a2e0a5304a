// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxChain is how many records a chain remembers. In a longer transcript, rewinds are no longer detected; everything
// else still works.
const MaxChain = 100_000

// Link is a record's position in the chain of parents, with the items that it added.
type Link struct {
	parent      uint64
	Sequence    int32
	First, Next int32
	left        bool // it descends from an abandoned record
}

// A Chain follows uuid and parentUuid. It distinguishes a prompt's ancestors from records of other branches.
type Chain struct {
	Links     map[uint64]Link
	Sequence  int32
	Last      int64 // time of the newest record
	Since     int64 // time from which on all ids are remembered
	Answer    uint64
	abandoned []span // the parts that a prompt skipped by continuing from before them
	Brief     bool   // the ids are in the fields id and parentId
}

// ID returns the id of a record, 0 if it has none.
func (c *Chain) ID(r json.Value) uint64 {
	if c.Brief {
		return Identity(r.Get("id"))
	}
	return Identity(r.Get("uuid"))
}

// parentOf returns the id of a record's parent.
func (c *Chain) parentOf(r json.Value) uint64 {
	if c.Brief {
		return Identity(r.Get("parentId"))
	}
	return Identity(r.Get("parentUuid"))
}

// span is a range of records by their sequence: after the first, up to the last.
type span struct{ after, last int32 }

// maxSpans bounds the abandoned parts that are remembered.
const maxSpans = 64

// Add stores the items that a record has added. assistant is set for a response.
func (c *Chain) Add(r json.Value, first, next int, assistant bool) {
	if ms, ok := ParseTime(r.Get("timestamp")); ok && ms > c.Last {
		c.Last = ms
	}
	if c.Put(c.ID(r), c.parentOf(r), first, next) && assistant {
		c.Answer = c.ID(r)
	}
}

// Put stores the items that the record with an id has added. It returns false if the id is taken.
func (c *Chain) Put(id, parent uint64, first, next int) bool {
	if _, taken := c.Links[id]; id == 0 || taken || len(c.Links) >= MaxChain {
		return false
	}
	if c.Links == nil {
		c.Links = make(map[uint64]Link)
	}
	c.Sequence++
	c.Links[id] = Link{parent: parent, Sequence: c.Sequence, First: int32(first), Next: int32(next)}
	return true
}

// WasRead reports whether a record was read before: a line that was written twice, with the same parent. A record with
// the same id and another parent is another record; shared is set then.
func (c *Chain) WasRead(r json.Value) (known, shared bool) {
	l, known := c.Links[c.ID(r)]
	if known && l.parent != c.parentOf(r) {
		return false, true
	}
	return known, false
}

// Has reports whether the record with a uuid was read.
func (c *Chain) Has(uuid json.Value) bool {
	_, known := c.Links[Identity(uuid)]
	return known
}

// Clear drops all records.
func (c *Chain) Clear() {
	c.Links, c.Answer, c.abandoned = nil, 0, nil
}

// LeaveAfter marks the records after a prompt's parent as abandoned.
func (c *Chain) LeaveAfter(prompt json.Value) {
	after := c.Links[Identity(prompt.Get("parentUuid"))].Sequence
	for len(c.abandoned) > 0 && c.abandoned[len(c.abandoned)-1].after >= after {
		c.abandoned = c.abandoned[:len(c.abandoned)-1] // it goes back still further
	}
	if len(c.abandoned) == maxSpans {
		c.abandoned = append(c.abandoned[:0], c.abandoned[1:]...)
	}
	c.abandoned = append(c.abandoned, span{after, c.Sequence})
}

// LeaveAll marks everything before the root of a record's chain as abandoned. Only one abandoned chain is remembered.
func (c *Chain) LeaveAll(r json.Value) {
	for id, l := range c.Links {
		if c.isAbandoned(l) {
			delete(c.Links, id)
		}
	}
	last := c.Sequence
	for id, steps := Identity(r.Get("parentUuid")), 0; steps <= len(c.Links); steps++ {
		l, known := c.Links[id]
		if !known {
			break
		}
		last, id = l.Sequence-1, l.parent
	}
	c.abandoned, c.Answer = append(c.abandoned[:0], span{0, last}), 0
}

// Leave marks a record as abandoned.
func (c *Chain) Leave(id uint64) {
	if l, known := c.Links[id]; known {
		l.left = true
		c.Links[id] = l
	}
}

// IsLeft reports whether a record is known and abandoned.
func (c *Chain) IsLeft(id uint64) bool {
	l, known := c.Links[id]
	return known && c.isAbandoned(l)
}

func (c *Chain) isAbandoned(l Link) bool {
	for _, s := range c.abandoned {
		if l.Sequence > s.after && l.Sequence <= s.last {
			return true
		}
	}
	return l.left
}

// Rewound reports whether a prompt continues from a point before the newest response. from is the first item after that
// point.
func (c *Chain) Rewound(r json.Value) (from int, yes bool) {
	parent := c.parentOf(r)
	parentLink, known := c.Links[parent]
	answer, answered := c.Links[c.Answer]
	if !known || !answered || parentLink.Sequence >= answer.Sequence {
		return 0, false
	}
	// The parent is older than the newest response. If that response descends from the parent, the prompt has abandoned
	// it.
	for id, steps := c.Answer, 0; steps <= len(c.Links); steps++ {
		l, ok := c.Links[id]
		if !ok || l.Sequence < parentLink.Sequence {
			return 0, false
		}
		if id == parent {
			return int(parentLink.Next), true
		}
		id = l.parent
	}
	return 0, false
}

// StartsOver reports whether a user's record descends from a root that is newer than the newest response, because the
// conversation was cleared. A response without a parent means that the records of this file are not chained.
func (c *Chain) StartsOver(r json.Value) bool {
	answer, answered := c.Links[c.Answer]
	parent := r.Get("parentUuid")
	if _, chained := c.Links[answer.parent]; !answered || !chained || !parent.Exists() {
		return false
	}
	id := Identity(parent)
	for steps := 0; id != 0 && steps <= len(c.Links); steps++ {
		l, known := c.Links[id]
		if !known || l.Sequence < answer.Sequence {
			return false
		}
		id = l.parent
	}
	return id == 0
}

// OnChain reports for every item whether an ancestor of the prompt has added it. It returns nil if that is unknown.
func (c *Chain) OnChain(r json.Value, items int) []bool {
	if items == 0 || len(c.Links) == 0 || len(c.Links) >= MaxChain {
		return nil
	}
	on := make([]bool, items)
	id := Identity(r.Get("parentUuid"))
	for steps := 0; steps <= len(c.Links); steps++ {
		l, ok := c.Links[id]
		if !ok {
			break
		}
		for i := int(l.First); i < int(l.Next) && i < items; i++ {
			on[i] = true
		}
		id = l.parent
	}
	return on
}

// ItemsOf returns how many items the record with a uuid added.
func (c *Chain) ItemsOf(uuid json.Value) int {
	l := c.Links[Identity(uuid)]
	return int(l.Next - l.First)
}

// ItemsSince returns how many items were added from the record with a uuid on.
func (c *Chain) ItemsSince(uuid json.Value, items int) int {
	l, ok := c.Links[Identity(uuid)]
	if !ok || int(l.First) > items {
		return 0
	}
	return items - int(l.First)
}

// sumOfRanges bounds the items of all links of a chain together, because each prompt after a pause walks them.
const sumOfRanges = 16 * core.MaxItems

// Walk saves or restores the chain.
func (c *Chain) Walk(to *codec.Codec) {
	codec.Within(to, "Last", &c.Last, 0, Latest)
	to.Ints("Since", &c.Since)
	to.Hash("Answer", &c.Answer)
	codec.List(to, "abandoned", &c.abandoned, maxSpans, func(s *span, to *codec.Codec) {
		codec.Within(to, "after", &s.after, 0, 1<<31-1)
		codec.Within(to, "last", &s.last, 0, 1<<31-1)
	})
	n := to.Length("links", len(c.Links), MaxChain)
	var links []placed
	switch {
	case to.Saving() && n > 0:
		links = c.inOrder()
	case to.Restoring() && n > 0:
		c.Links = make(map[uint64]Link, n)
	}
	before, last, ranges := uint64(0), Link{}, int64(0)
	for i := 0; i < n && !to.Damaged(); i++ {
		var id uint64
		var l Link
		if to.Saving() {
			id, l = links[i].id, links[i].Link
		}
		to.Hash("id", &id)
		// Most records follow the one before them, and add the items after its items.
		branches := l.parent != before
		to.Bools("branches left", &branches, &l.left)
		if to.When(branches) {
			to.Hash("parent", &l.parent)
		} else {
			l.parent = before
		}
		step, first, items := int64(l.Sequence-last.Sequence), int64(l.First-last.Next), int64(l.Next-l.First)
		codec.Within(to, "step", &step, 1, 1<<31-1)
		codec.Within(to, "first", &first, -core.MaxItems, core.MaxItems)
		codec.Within(to, "items", &items, 0, core.MaxItems)
		sequence, from := int64(last.Sequence)+step, int64(last.Next)+first
		ranges += items
		to.Refuse(sequence > 1<<31-1 || from < 0 || from+items > core.MaxItems || ranges > sumOfRanges)
		l.Sequence, l.First, l.Next = int32(sequence), int32(from), int32(from+items)
		if to.Restoring() {
			c.Links[id] = l
		}
		before, last = id, l
	}
	codec.Within(to, "Sequence", &c.Sequence, 0, 1<<31-1)
	to.Refuse(c.Sequence < last.Sequence)
}

// A placed is a record with its id.
type placed struct {
	id uint64
	Link
}

// inOrder returns the records in the order in which they were read.
func (c *Chain) inOrder() []placed {
	list := make([]placed, len(c.Links))
	n, least, most := 0, int32(1<<31-1), int32(0)
	for id, l := range c.Links {
		list[n] = placed{id, l}
		least, most = min(least, l.Sequence), max(most, l.Sequence)
		n++
	}
	if n == 0 || int(most-least) >= 2*n {
		places := make([]int64, n)
		for i := range list {
			places[i] = int64(list[i].Sequence)<<32 | int64(i)
		}
		slices.Sort(places)
		ordered := make([]placed, n)
		for i, place := range places {
			ordered[i] = list[uint32(place)]
		}
		return ordered
	}
	// Hardly any number is missing, so each number has its own slot.
	places := make([]int32, most-least+1)
	for i := range list {
		places[list[i].Sequence-least] = int32(i) + 1
	}
	ordered := make([]placed, 0, n)
	for _, i := range places {
		if i > 0 {
			ordered = append(ordered, list[i-1])
		}
	}
	return ordered
}

// Fork reports whether a record does not follow the last one. from is the first item after the nearest common ancestor.
func (c *Chain) Fork(r json.Value) (from int, yes bool) {
	mine, other := c.parentOf(r), c.Answer
	if _, known := c.Links[mine]; !known || mine == other {
		return 0, false
	}
	for range 2 * len(c.Links) {
		a, known := c.Links[mine]
		b, answered := c.Links[other]
		switch {
		case !known || !answered:
			return 0, false
		case mine == other:
			return int(a.Next), true
		case a.Sequence > b.Sequence:
			mine = a.parent
		default:
			other = b.parent
		}
	}
	return 0, false
}

// ShiftItems moves the items' indices after a compaction that removed the oldest ones.
func (c *Chain) ShiftItems(removed int) {
	for id, l := range c.Links {
		l.First = max(l.First-int32(removed), 0)
		l.Next = max(l.Next-int32(removed), 0)
		c.Links[id] = l
	}
}
