// Copyright The ctx-lsp authors. MIT licence.

//go:build !wasm

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// fork says whether a record does not follow the one that was added last, and from which item on what it follows is
// left: behind the nearest record that both descend from.
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

// summed moves the places of items after a compaction by which the oldest are gone.
func (c *chain) summed(gone int) {
	for id, l := range c.links {
		l.first = max(l.first-int32(gone), 0)
		l.next = max(l.next-int32(gone), 0)
		c.links[id] = l
	}
}
