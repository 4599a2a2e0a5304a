// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// maxChain bounds the records a chain remembers; beyond it the reader no
// longer notices rewinds, and everything else goes on.
const maxChain = 100_000

// link is a record's place in the chain of parents, and the items it added.
type link struct {
	parent      uint64
	sequence    int32
	first, next int32
}

// chain follows uuid and parentUuid: which records are ancestors of a prompt,
// and which hang beside the way.
type chain struct {
	links     map[uint64]link
	sequence  int32
	last      int64 // time of the newest record
	assistant uint64
}

func (c *chain) add(r json.Value, first, next int, assistant bool) {
	if ms, ok := parseTime(r.Get("timestamp")); ok && ms > c.last {
		c.last = ms
	}
	id := identity(r.Get("uuid"))
	if _, taken := c.links[id]; id == 0 || taken || len(c.links) >= maxChain {
		return
	}
	if c.links == nil {
		c.links = make(map[uint64]link)
	}
	c.sequence++
	c.links[id] = link{identity(r.Get("parentUuid")), c.sequence, int32(first), int32(next)}
	if assistant {
		c.assistant = id
	}
}

// knows is true for a record that was read before: a line written twice, which
// has the same parent too. With another parent it is another record, and
// shared is true.
func (c *chain) knows(r json.Value) (known, shared bool) {
	l, known := c.links[identity(r.Get("uuid"))]
	if known && l.parent != identity(r.Get("parentUuid")) {
		return false, true
	}
	return known, false
}

// has is true for the uuid of a record that was read.
func (c *chain) has(uuid json.Value) bool {
	_, known := c.links[identity(uuid)]
	return known
}

func (c *chain) clear() {
	c.links, c.assistant = nil, 0
}

// rewound tells whether a prompt continues from a point before the newest
// answer, and from which item on the conversation is gone.
func (c *chain) rewound(r json.Value) (from int, yes bool) {
	parent := identity(r.Get("parentUuid"))
	at, known := c.links[parent]
	answer, answered := c.links[c.assistant]
	if !known || !answered || at.sequence >= answer.sequence {
		return 0, false
	}
	// The parent is older than the newest answer. If that answer descends
	// from it, the prompt has left the answer behind.
	for id, steps := c.assistant, 0; steps <= len(c.links); steps++ {
		l, ok := c.links[id]
		if !ok || l.sequence < at.sequence {
			return 0, false
		}
		if id == parent {
			return int(at.next), true
		}
		id = l.parent
	}
	return 0, false
}

// anew tells whether a record of the person descends from a root of its own,
// newer than the newest answer: the conversation was cleared. An answer
// without a parent says that this file's records are not chained.
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

// onChain tells of every item whether an ancestor of the prompt added it; nil
// when that cannot be told.
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
