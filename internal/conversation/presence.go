// Copyright The ctx-lsp authors. MIT licence.

package conversation

import "github.com/ctx-lsp/ctx-lsp/core"

// Leaving is why an item is no longer in the next request.
type Leaving uint8

// The reasons.
const (
	Stays     Leaving = iota // it is in the next request
	Compacted                // a compaction replaced it
	Pruned                   // the agent dropped it, or replaced it with a placeholder
	Rewound                  // the user continued from an earlier point
)

func (l Leaving) String() string {
	return [...]string{"", "compaction", "prune", "rewind"}[l]
}

// A Former is a text that a placeholder has replaced.
type Former struct {
	Text        string
	Left        int64 // milliseconds since 1970; 0 if unknown
	LeftRequest int   // number of measured requests before it left
	LeftItem    int   // number of items before it left
}

// measured counts a request once, however often its usage is recorded.
func (c *Conversation) measured(id string) {
	if id == "" || id != c.lastMeasured {
		c.requests++
	}
	c.lastMeasured = id
}

// Requests returns the number of measured requests.
func (c *Conversation) Requests() int { return c.requests }

// Present reports for each item whether it is in the next request.
func (c *Conversation) Present() []bool {
	present := make([]bool, len(c.Items))
	for _, at := range c.live {
		present[at] = !c.Items[at].Dropped
	}
	return present
}

// drop marks an item that is not sent again.
func (c *Conversation) drop(at int, by Leaving) {
	it := &c.Items[at]
	if !it.Dropped {
		it.Dropped = true
		c.leave(it, by)
	}
}

func (c *Conversation) leave(it *Item, by Leaving) {
	it.Left, it.LeftBy, it.LeftRequest, it.LeftItem = c.now, by, c.requests, len(c.Items)
}

// leaveExcept marks the items that a compaction takes out of the prompt.
func (c *Conversation) leaveExcept(kept []int) {
	stays := make(map[int]bool, len(kept))
	for _, at := range kept {
		stays[at] = true
	}
	for _, at := range c.live {
		if it := &c.Items[at]; !stays[at] && !it.Dropped {
			c.leave(it, Compacted)
		}
	}
}

// ItemName returns the name to show for an item: the tool and its subject, for a result those of its call.
func (c *Conversation) ItemName(at int) string {
	it := &c.Items[at]
	if it.Kind == core.ToolResults && it.Call >= 0 {
		it = &c.Items[it.Call]
	}
	return itemName(it, c.Workspace)
}

// Edits reports whether a call changes the file that it names.
func (i *Item) Edits() bool { return edits(i) }

// Reads returns the file that a call reads with the agent's own tool, or "" if it reads none.
func (i *Item) Reads() string { return read(i) }
