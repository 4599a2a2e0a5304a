// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// Print identifies an item by keyed digests of its content and of its call's or message's ID; 0 if unknown. They are
// used to compare a host's whole conversation with the session.
type Print struct{ Content, ID uint64 }

// absent is the content of an item that the host no longer has.
const absent = 1

// PrintKey is the secret that makes prints unguessable. Without one, prints are
// not saved, because short texts could be guessed from them.
type PrintKey struct{ low, high uint64 }

// KeyOf returns the key for a secret; the zero key for an empty one.
func KeyOf(secret string) (k PrintKey) {
	if secret == "" {
		return k
	}
	for i, to := range []*uint64{&k.low, &k.high} {
		d := newDigest(PrintKey{low: uint64(i + 1)})
		addTo(&d, secret)
		*to = d.sum()
	}
	return k
}

// check returns a digest that is saved with prints, so that prints made with another key are not used.
func (k PrintKey) check() uint64 {
	if k == (PrintKey{}) {
		return 0
	}
	d := newDigest(k)
	addTo(&d, "check")
	return d.sum()
}

// PrintOf returns the print of an item, the nth of the message with this ID unless the item has an ID of its own. It
// does not include the item's kind, because hosts also send summaries as user messages.
func (k PrintKey) PrintOf(it *Item, id []byte, nth int) (p Print) {
	d := newDigest(k)
	d.number(int64(len(it.Text)))
	addTo(&d, it.Text)
	addTo(&d, it.Name)
	if it.Text == nil {
		d.number(it.Tokens)
	}
	for _, n := range []int64{it.Opaque, it.Width, it.Height, it.Pages, it.Seconds} {
		if n != 0 {
			d.number(n)
		}
	}
	addTo(&d, it.MediaType)
	p.Content = max(d.sum(), absent+1)
	if p.ID = it.Print.ID; p.ID == 0 {
		p.ID = k.IDOf(id, nth)
	}
	return p
}

// IDOf returns the digest that identifies an item: the nth one of the message or the call with this ID. It is 0 without
// an ID.
func (k PrintKey) IDOf(id []byte, nth int) uint64 {
	if len(id) == 0 {
		return 0
	}
	d := newDigest(k)
	addTo(&d, id)
	d.number(int64(nth))
	return max(d.sum(), 1)
}

// setPrint stores the print of an item.
func (c *conversation) setPrint(i int, p Print) {
	if p == (Print{}) && i >= len(c.prints) {
		return
	}
	for len(c.prints) <= i {
		c.prints = append(c.prints, Print{})
	}
	c.prints[i] = p
}

func (c *conversation) printOf(i int) Print {
	if i < len(c.prints) {
		return c.prints[i]
	}
	return Print{}
}

// UseKey sets the key of the session's prints, and drops those of another one.
func (s *Session) UseKey(k PrintKey) {
	s.key = k
	if check := k.check(); check != s.keyCheck {
		s.conversation.prints, s.keyCheck = nil, check
	}
}

// Key returns the key of the session's prints.
func (s *Session) Key() PrintKey { return s.key }

// ReceivedItem is an item as the session received it from the host.
type ReceivedItem struct {
	Kind   Kind
	Print  Print
	Tokens int64
	Folded bool // a measured prompt contained it
	Absent bool // the host no longer has it
}

// Received returns the item at an index of the conversation.
func (s *Session) Received(i int) ReceivedItem {
	c := &s.conversation
	p, item := c.printOf(i), c.items[i]
	return ReceivedItem{Kind: item.kind, Print: p, Tokens: int64(item.tokens), Folded: i < c.folded, Absent: c.isAbsent(i)}
}

// isAbsent reports whether the host does not have an item, or not any more.
func (c *conversation) isAbsent(i int) bool {
	p, item := c.printOf(i), c.items[i]
	return p.Content == absent || p == Print{} && (item.has(slotRemoved) || item.kind == Reasoning && item.has(slotHidden))
}

// SentBefore returns how many of the conversation's items come before the nth of those that the host has.
func (s *Session) SentBefore(n int) int {
	i := 0
	for ; n > 0 && i < len(s.conversation.items); i++ {
		if !s.conversation.isAbsent(i) {
			n--
		}
	}
	return i
}

// SizeOf returns the tokens that an item would have if it were added.
func (s *Session) SizeOf(it *Item) int64 {
	if it.Tokens != Unknown {
		return it.Tokens
	}
	return s.resolved.Meter.Item(it).Tokens
}

// walkPrints saves and restores prints if they have a key and the host sends its whole conversation. For other hosts
// they would double the ledger's size.
func (s *Session) walkPrints(c *codec.Codec) {
	kept := s.conversation.prints
	if c.Saving() && (s.keyCheck == 0 || !s.whole) {
		s.conversation.prints = nil
	}
	c.Hash("keyCheck", &s.keyCheck)
	codec.List(c, "conversation.prints", &s.conversation.prints, MaxItems, (*Print).walk)
	c.Refuse(len(s.conversation.prints) > len(s.conversation.items))
	if c.Saving() {
		s.conversation.prints = kept
	}
}

func (p *Print) walk(c *codec.Codec) {
	c.Hash("Content", &p.Content)
	named := p.ID != 0
	c.Bools("named", &named)
	if c.When(named) {
		c.Hash("ID", &p.ID)
	}
}

// insert inserts an item at an index. Later indices move.
func (c *conversation) insert(at int, item storedItem, p Print) {
	c.sums.invalidate()
	c.items = slices.Insert(c.items, at, item)
	if at < len(c.prints) {
		c.prints = slices.Insert(c.prints, at, p)
	} else {
		c.setPrint(at, p)
	}
	for i := range c.edits {
		if c.edits[i].index >= at {
			c.edits[i].index++
		}
	}
	for _, end := range []*int{&c.folded, &c.closed, &c.unawaited} {
		if *end > at {
			*end++
		}
	}
}

// applyInserted inserts an item between others. If it is part of a response right after a measured prompt, the usage
// already includes it.
func (s *Session) applyInserted(e *Inserted) {
	c := &s.conversation
	if e.Index < 0 || e.Index >= len(c.items) || len(c.items) >= MaxItems {
		if e.Index == len(c.items) {
			s.applyAppended(&e.Item)
		}
		return
	}
	item := s.measure(&e.Item)
	for i := range s.requests.list {
		r := &s.requests.list[i]
		if item.canBeReply() && (r.through == e.Index || r.through < e.Index && i == len(s.requests.list)-1 && c.items[e.Index].has(slotReply)) {
			item.flags |= slotReply
		}
		if r.through > e.Index {
			r.through++
		}
	}
	inside := e.Index < c.folded
	c.insert(e.Index, item, e.Item.Print)
	switch {
	case !inside:
		c.pending.add(item, 1)
	case item.has(slotReply):
	case e.InPrompt:
		c.rows.add(item)
	default:
		c.edited(edit{index: e.Index, requests: len(s.requests.list), after: int64(item.tokens), basis: item.basis})
		s.changes.enter(int64(item.tokens), item.basis)
		c.rows.add(item)
	}
}
