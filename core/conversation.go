// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// editsKept bounds how many changes of folded items a rewind can undo.
const editsKept = 4096

// conversation is what was said since the last compaction. Its items are kept
// as counts and labels. Those that the last metered prompt held are folded
// into rows; the others are pending.
type conversation struct {
	items   []storedItem
	prints  []Print // the first items' prints, if the host sends whole conversations
	labels  labels
	folded  int // how many of the first items are folded
	rows    rows
	pending pending
	draft   storedItem // what the person is typing
	// replyOver is true once the person has spoken after the answer of the
	// last request: what the model says then answers a request nobody measured.
	replyOver bool
	unawaited int // items that nobody awaits an answer to
	closed    int // items whose reasoning has been divided by turns
	edits     []edit
	sums      sums   // of what has one name
	place     uint32 // of the record that is read
}

// edit is a folded item that was changed after so many requests had been
// measured.
type edit struct {
	index, requests int
	before, after   int64
	basis           Basis
	why             Text
}

var noDraft = storedItem{flags: slotGone}

// measure counts an item and makes of it what is kept of one.
func (c *conversation) measure(it *Item, meter Meter) storedItem {
	n := Count{it.Tokens, Counted}
	if it.Tokens == Unknown {
		n = meter.Item(it)
		if it.Hidden {
			n.Basis = n.Basis.with(Estimated) // whether it was sent like this is not certain
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
		out.label = c.labels.of(it)
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
	return out
}

// append adds an item that is not in any measured prompt yet.
func (c *conversation) append(item storedItem) {
	c.items = append(c.items, item)
	c.pending.add(item, 1)
}

// change gives an item other flags.
func (c *conversation) change(i int, flags uint8) {
	c.pending.add(c.items[i], -1)
	c.items[i].flags = flags
	c.pending.add(c.items[i], 1)
}

// answerStart is where the items begin before an index that only a model can
// have produced.
func (c *conversation) answerStart(end int) int {
	for end > c.folded && c.items[end-1].canBeReply() {
		end--
	}
	return end
}

// answeredPerson is true if a model has said something since the person did.
func (c *conversation) answeredPerson() bool {
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

// answered is true if what follows cannot answer a request any more: the
// items of its answer were counted and are all there, and a result stands
// behind them.
func (c *conversation) answered(r *request) bool {
	p := &c.pending
	return p.replyItems > 0 && p.replyCounted == p.replyItems-p.replyReasoningItems && r.out != Unknown && p.replyTotal() >= r.out &&
		!r.has(requestPartial|requestPlaceholder) && c.items[len(c.items)-1].kind == ToolResults
}

// workedAnswer is where the last answer begins if it called tools and their
// results stand behind it; ok is false where no such answer ends the
// conversation.
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

// without are the pending items before an index.
func (c *conversation) without(from int) pending {
	p := c.pending
	for i := from; i < len(c.items); i++ {
		p.add(c.items[i], -1)
	}
	return p
}

// answer marks the items between the end of a prompt and another position that
// a model produced as its answer.
func (c *conversation) answer(end, until int) {
	for i := end; i < until; i++ {
		if item := c.items[i]; item.canBeReply() && !item.has(slotReply) {
			c.change(i, item.flags|slotReply)
		}
	}
}

// fold moves the items before an index from pending into rows, and returns
// what it moved. A reply's items are left out of the rows: replyShare gives
// them what the reply really cost.
func (c *conversation) fold(end int, mode ReasoningMode) pending {
	var moved pending
	for ; c.folded < end && c.folded < len(c.items); c.folded++ {
		item := c.items[c.folded]
		c.pending.add(item, -1)
		moved.add(item, 1)
		if item.unmeasured() && (mode == ReasoningNever || mode == ReasoningTurn && item.has(slotPast)) {
			c.sums.remove(c.folded, c.items)
			c.items[c.folded].flags |= slotGone
			continue
		}
		if !item.has(slotReply) && !item.has(slotGone) {
			c.rows.add(item)
		}
	}
	if c.folded == len(c.items) {
		c.pending = pending{}
	}
	return moved
}

// closeReasoning makes the reasoning that no usage has counted that of a turn
// gone by.
func (c *conversation) closeReasoning() {
	for i := max(c.closed, c.folded); i < len(c.items); i++ {
		if item := c.items[i]; item.unmeasured() && !item.has(slotPast) {
			c.change(i, item.flags|slotPast)
		}
	}
	c.closed = len(c.items)
}

// clear forgets all items, their names and what they summed to, but not the
// draft.
func (c *conversation) clear() {
	draft := *c.labels.named(c.draft.label)
	*c = conversation{items: c.items[:0], labels: labels{root: c.labels.root, hidePaths: c.labels.hidePaths}, draft: c.draft, place: c.place}
	c.draft.label = c.labels.intern(draft)
}

// keepLast forgets all but the last items, which are pending then, and puts
// others before them.
func (c *conversation) keepLast(n int, head []Appended, meter Meter) {
	from := len(c.items) - min(max(n, 0), len(c.items))
	kept, names, prints := c.items[from:], c.labels, c.prints
	if len(head) > 0 {
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
		if from+i < len(prints) {
			c.setPrint(len(c.items)-1, prints[from+i])
		}
	}
}

// truncate removes the items from an index on. Those before anchored stay
// folded, the others are pending.
func (c *conversation) truncate(from, anchored int) {
	for i := anchored; i < c.folded; i++ {
		if item := c.items[i]; !item.has(slotReply) && !item.has(slotGone) {
			c.rows.remove(item)
		}
	}
	c.sums.truncate(from, c.items)
	c.items = c.items[:from]
	c.prints = c.prints[:min(from, len(c.prints))]
	c.folded, c.closed = min(anchored, from), min(c.closed, from)
	c.unawaited = min(c.unawaited, from)
	c.pending, c.replyOver = pending{}, false
	answered := false // also by what is not sent again
	for _, item := range c.items[c.folded:] {
		answered = answered || item.has(slotReply)
		c.replyOver = c.replyOver || item.kind == User && !item.has(slotHidden) && answered
		c.pending.add(item, 1)
	}
}

// hasReply is true if any item between two indices answers a request.
func (c *conversation) hasReply(from, to int) bool {
	for i := from; i < min(to, len(c.items)); i++ {
		if c.items[i].has(slotReply) {
			return true
		}
	}
	return false
}

// edited remembers a change of a folded item.
func (c *conversation) edited(e edit) {
	if len(c.edits) >= editsKept {
		c.edits = append(c.edits[:0], c.edits[editsKept/2:]...)
	}
	c.edits = append(c.edits, e)
}

// forgetOldest renumbers the edits after so many requests were forgotten.
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
	to.Sizes("folded unawaited", &c.folded, &c.unawaited)
	to.Refuse(c.folded < 0 || c.folded > len(c.items) || c.unawaited < 0)
	c.rows.walk(to.Part("rows"))
	c.pending.walk(to.Part("pending"))
	to.Bools("replyOver", &c.replyOver)
	codec.List(to, "edits", &c.edits, editsKept, (*edit).walk)
}

// sumHidden sums again what a ledger has of each item alone: what was sent
// without a record.
func (c *conversation) sumHidden() {
	for i, item := range c.items {
		switch {
		case item.has(slotGone):
		case i < c.folded:
			c.rows.hidden[item.kind] += item.hidden()
		case !item.unmeasured():
			c.pending.hidden[item.kind] += item.hidden()
		}
	}
}

func (e *edit) walk(c *codec.Codec) {
	c.Sizes("index requests", &e.index, &e.requests)
	c.Ints("before after", &e.before, &e.after)
	codec.Below(c, "basis", &e.basis, bases)
	c.Texts("why", &e.why)
}
