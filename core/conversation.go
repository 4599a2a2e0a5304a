// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// editsKept bounds how many changes of folded items a rewind can undo.
const editsKept = 4096

// conversation holds the items since the last compaction, as counts and labels. Items that the last measured prompt
// contained are folded into rows; the others are pending.
type conversation struct {
	items   []storedItem
	prints  []Print // the first items' prints, if the host sends whole conversations
	labels  labels
	folded  int // how many of the first items are folded
	rows    rows
	pending pending
	draft   storedItem // the message that the user is typing
	// replyOver is set once the user has sent a message after the response to the last request: later output of the
	// model answers a request that was not measured.
	replyOver bool
	left      int // how many of the first items a compaction left
	unawaited int // how many of the first items no longer await a response
	closed    int // items whose reasoning was assigned to turns
	edits     []edit
	sums      sums   // sums of the items with the same name
	place     uint32 // transcript line of the current record
}

// edit is a change to a folded item. requests is how many requests had been measured before it, and texts the item's
// estimate before it, 0 if it was not estimated.
type edit struct {
	index, requests int
	before, after   int64
	texts           int64
	basis           Basis
	why             Text
}

var noDraft = storedItem{flags: slotRemoved}

// measure counts an item and returns the part of it that is stored.
func (c *conversation) measure(it *Item, meter Meter) storedItem {
	n := Count{it.Tokens, Counted}
	if it.Tokens == Unknown {
		n = meter.Item(it)
		if it.Hidden {
			n.Basis = n.Basis.with(Estimated) // it is uncertain whether it was sent like this
		}
	}
	if it.Wrapping != 0 {
		n.Tokens = max(n.Tokens+it.Wrapping, 0)
		if it.Wrapping > 0 {
			n.Basis = Estimated
		}
	}
	out := storedItem{tokens: uint32(min(n.Tokens, 1<<32-1)), kind: it.Kind, basis: n.Basis}
	out.place = c.place
	if call := it.Answers - 1; it.About.What == OfNothing && call >= 0 && call < len(c.items) && c.items[call].kind == ToolCalls {
		out.label = c.items[call].label
	} else {
		out.label = c.labels.labelOf(it)
	}
	if it.Hidden {
		out.flags |= slotHidden
	}
	if it.Tokens == Unknown {
		out.flags |= slotText
	}
	if it.NotReply {
		out.flags |= slotNotReply
	}
	if it.Assumed {
		out.flags |= slotAssumed
	}
	if it.Joins {
		out.flags |= slotJoins
	}
	return out
}

// append adds an item that is not in any measured prompt yet.
func (c *conversation) append(item storedItem) {
	c.items = append(c.items, item)
	c.pending.add(item, 1)
}

// change sets an item's flags.
func (c *conversation) change(i int, flags uint16) {
	c.pending.add(c.items[i], -1)
	c.items[i].flags = flags
	c.pending.add(c.items[i], 1)
}

// answerStart returns the index of the first of the items directly before end that only a model can have produced.
func (c *conversation) answerStart(end int) int {
	for end > c.folded && c.items[end-1].canBeReply() {
		end--
	}
	if end < len(c.items) && c.items[end].canBeReply() && c.items[end].has(slotJoins) {
		for end > c.folded && !c.items[end-1].canBeReply() {
			end--
		}
		return c.answerStart(end)
	}
	return end
}

// answeredUser reports whether the model has responded since the user's last message.
func (c *conversation) answeredUser() bool {
	for i := len(c.items) - 1; i >= 0; i-- {
		switch item := c.items[i]; {
		case item.canBeReply():
			return true
		case item.kind == User && !item.has(slotHidden):
			return false
		}
	}
	return false
}

// answered reports whether later items can no longer be part of the response to r: its items were counted and are
// complete, and a tool result follows them.
func (c *conversation) answered(r *request) bool {
	p := &c.pending
	return p.replyItems > 0 && p.replyCounted == p.replyItems-p.replyReasoningItems && r.out != Unknown && p.replyTotal() >= r.out &&
		!r.has(requestPartial|requestPlaceholder) && c.items[len(c.items)-1].kind == ToolResults
}

// workedAnswer returns the start of the last response if it called tools and their results follow it. ok is false if
// the conversation does not end like that.
func (c *conversation) workedAnswer() (start int, ok bool) {
	end := len(c.items)
	for end > c.folded && (c.items[end-1].kind == ToolResults || c.items[end-1].kind == Media) {
		end--
	}
	start = c.answerStart(end)
	if end == len(c.items) {
		return start, false
	}
	for i := start; i < end; i++ {
		if c.items[i].kind == ToolCalls {
			return start, true
		}
	}
	return start, false
}

// oneReply reports whether the items from an index on are part of the response to r, because its measured length fits
// them better than the items before them alone.
func (c *conversation) oneReply(r *request, from int) bool {
	if r == nil || r.out == Unknown {
		return false
	}
	length, all, before := r.out-max(r.reasoning, 0), int64(0), int64(0)
	for i := r.through; i < len(c.items); i++ {
		if item := c.items[i]; item.has(slotReply) && item.kind != Reasoning {
			if all += int64(item.tokens); i < from {
				before = all
			}
		}
	}
	return distance(all, length) < distance(before, length)
}

// worseFit reports whether an item after other items cannot be part of the response to r: its measured length fits the
// items so far better than with this one. The reasoning before the item is then not part of the response either.
func (c *conversation) worseFit(r *request, item storedItem) bool {
	p, start := &c.pending, len(c.items)
	for start > 0 && c.items[start-1].kind == Reasoning && c.items[start-1].has(slotReply) {
		start--
	}
	if start == 0 || c.items[start-1].canBeReply() || item.has(slotJoins) && start == len(c.items) || p.replyItems <= len(c.items)-start || r.out == Unknown || item.kind == Reasoning ||
		r.has(requestPartial|requestPlaceholder|requestRetried|requestCut) {
		return false
	}
	length, before := r.out-max(r.reasoning, 0), p.replyText()
	if distance(before+int64(item.tokens), length) <= distance(before, length) {
		return false
	}
	for i := start; i < len(c.items); i++ {
		c.change(i, c.items[i].flags&^slotReply)
	}
	return true
}

// thinksAgain reports whether reasoning after tool results belongs to a later response than that to r, because r's
// reported reasoning is complete without it.
func (c *conversation) thinksAgain(r *request, item storedItem) bool {
	n, p := len(c.items), &c.pending
	if item.kind != Reasoning || n == 0 || c.items[n-1].kind != ToolResults || item.has(slotJoins) || p.replyItems == 0 ||
		r.reasoning == Unknown || r.has(requestPartial|requestPlaceholder|requestRetried|requestCut) {
		return false
	}
	before := p.reply[Reasoning]
	return distance(before+int64(item.tokens), r.reasoning) > distance(before, r.reasoning)
}

// without returns the pending items before an index.
func (c *conversation) without(from int) pending {
	p := c.pending
	for i := from; i < len(c.items); i++ {
		p.add(c.items[i], -1)
	}
	return p
}

// answer marks the items between the end of a prompt and another index that a model produced as its response.
func (c *conversation) answer(end, until int) {
	for i := end; i < until; i++ {
		if item := c.items[i]; item.canBeReply() && !item.has(slotReply) {
			c.change(i, item.flags|slotReply)
		}
	}
}

// fold moves the items before an index from pending into rows, and returns them. A reply's items are left out of the
// rows: replyShare gives them their share of the reply's measured cost.
func (c *conversation) fold(end int, mode ReasoningMode) pending {
	var moved pending
	for ; c.folded < end && c.folded < len(c.items); c.folded++ {
		item := c.items[c.folded]
		c.pending.add(item, -1)
		moved.add(item, 1)
		if item.unmeasured() && (mode == ReasoningNever || mode == ReasoningTurn && item.has(slotPast)) {
			c.sums.remove(c.folded, c.items)
			c.items[c.folded].flags |= slotRemoved
			continue
		}
		if !item.has(slotReply) && !item.has(slotRemoved) {
			c.rows.add(item)
		}
	}
	if c.folded == len(c.items) {
		c.pending = pending{}
	}
	return moved
}

// closeReasoning assigns reasoning that no usage includes to a past turn.
func (c *conversation) closeReasoning() {
	for i := max(c.closed, c.folded); i < len(c.items); i++ {
		if item := c.items[i]; item.unmeasured() && !item.has(slotPast) {
			c.change(i, item.flags|slotPast)
		}
	}
	c.closed = len(c.items)
}

// clear removes all items, their names and their sums, but not the draft.
func (c *conversation) clear() {
	draft := *c.labels.named(c.draft.label)
	*c = conversation{items: c.items[:0], labels: labels{root: c.labels.root, hidePaths: c.labels.hidePaths}, draft: c.draft, place: c.place}
	c.draft.label = c.labels.intern(draft)
}

// keepLast removes all but the last items and the remaining ones, makes those pending, and puts others before them.
func (c *conversation) keepLast(n int, remaining []int, head []Appended, meter Meter) {
	from := len(c.items) - min(max(n, 0), len(c.items))
	kept, prints, names := c.items[from:], c.prints[min(from, len(c.prints)):], c.labels
	if len(remaining) > 0 {
		kept, prints = make([]storedItem, 0, len(remaining)+len(kept)), nil
		keep := func(i int) {
			kept = append(kept, c.items[i])
			prints = append(prints, c.printOf(i))
		}
		for _, i := range remaining {
			if i >= 0 && i < from {
				keep(i)
			}
		}
		for i := from; i < len(c.items); i++ {
			keep(i)
		}
	} else if len(head) > 0 {
		kept = slices.Clone(kept) // the head takes its place
	}
	c.clear()
	for i := range head {
		c.append(c.measure(&head[i].Item, meter))
		c.setPrint(i, head[i].Item.Print)
	}
	for i, item := range kept {
		item.flags &^= slotReply
		item.label = c.labels.intern(*names.named(item.label))
		c.append(item)
		if i < len(prints) {
			c.setPrint(len(c.items)-1, prints[i])
		}
	}
}

// truncate removes the items from an index on. Those before anchored stay folded; the others are pending.
func (c *conversation) truncate(from, anchored int) {
	for i := anchored; i < c.folded; i++ {
		if item := c.items[i]; !item.has(slotReply) && !item.has(slotRemoved) {
			c.rows.remove(item)
		}
	}
	c.sums.truncate(from, c.items)
	c.items = c.items[:from]
	c.prints = c.prints[:min(from, len(c.prints))]
	c.folded, c.closed = min(anchored, from), min(c.closed, from)
	c.unawaited, c.left = min(c.unawaited, from), min(c.left, from)
	c.pending, c.replyOver = pending{}, false
	answered := false // also by items that are not sent again
	for _, item := range c.items[c.folded:] {
		answered = answered || item.has(slotReply)
		c.replyOver = c.replyOver || item.kind == User && !item.has(slotHidden) && answered
		c.pending.add(item, 1)
	}
}

// hasReply reports whether any item between two indices is part of a reply.
func (c *conversation) hasReply(from, to int) bool {
	for i := from; i < min(to, len(c.items)); i++ {
		if c.items[i].has(slotReply) {
			return true
		}
	}
	return false
}

// edited records a change to a folded item.
func (c *conversation) edited(e edit) {
	if len(c.edits) >= editsKept {
		c.edits = append(c.edits[:0], c.edits[editsKept/2:]...)
	}
	c.edits = append(c.edits, e)
}

// forgetOldest renumbers the edits after the n oldest requests were dropped.
func (c *conversation) forgetOldest(requests int) {
	for i := range c.edits {
		c.edits[i].requests -= requests
	}
}

func (c *conversation) walk(to *codec.Codec) {
	c.labels.walk(to.Part("labels"))
	codec.List(to, "items", &c.items, MaxItems, (*storedItem).walk)
	c.draft.walk(to.Part("draft"))
	named := int(c.draft.label)
	for i := range c.items {
		named = max(named, int(c.items[i].label))
	}
	to.Refuse(named > len(c.labels.list))
	to.Sizes("folded unawaited left", &c.folded, &c.unawaited, &c.left)
	to.Refuse(c.folded < 0 || c.folded > len(c.items) || c.unawaited < 0 || c.left < 0 || c.left > MaxItems)
	c.rows.walk(to.Part("rows"))
	c.pending.walk(to.Part("pending"))
	to.Bools("replyOver", &c.replyOver)
	codec.List(to, "edits", &c.edits, editsKept, (*edit).walk)
}

// sumHidden recomputes the sums of unrecorded tokens, which a ledger stores only by item.
func (c *conversation) sumHidden() {
	for i, item := range c.items {
		switch {
		case item.has(slotRemoved):
		case i < c.folded:
			c.rows.hidden[item.kind] += item.hidden()
		case !item.unmeasured():
			c.pending.hidden[item.kind] += item.hidden()
		}
	}
}

func (e *edit) walk(c *codec.Codec) {
	c.Sizes("index requests", &e.index, &e.requests)
	c.Ints("before after texts", &e.before, &e.after, &e.texts)
	codec.Below(c, "basis", &e.basis, bases)
	c.Texts("why", &e.why)
}
