// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/provider"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// messages takes the whole conversation from a host, and changes the session by the differences. Everything is read and
// checked before anything is applied.
func (c *Core) messages(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p messagesParams
	p.unset()
	if err := c.fillMessagesParams(v, &p); err != nil {
		return err
	}
	switch {
	case !p.Messages.Exists():
		return invalid("messages", "is missing: send all messages of the conversation, the oldest first.")
	case e.feed.reader != nil:
		return invalid("messages", "cannot be set, because the session is read from the records of a transcript.")
	}
	a := arrayed{Core: c, entry: e, session: e.session, list: p.Messages}
	c.odd, c.failed = c.odd[:0], json.Value{}
	if err := a.read(); err != nil {
		return err
	}
	failed := c.failed
	a.align()
	a.findGaps()
	if p.Compacted.Value.Exists() {
		reported := false
		if err := readBool(&p.Compacted, &reported); err != nil {
			return err
		}
		a.mayCompact, a.mustCompact = reported, reported
	} else {
		a.mayCompact = true
	}
	a.findCompaction()
	a.findRewind()
	c.odd = c.odd[:0]
	if err := a.reread(); err != nil {
		return err
	}
	if p.At != core.Unknown {
		e.session.Apply(core.At{Milliseconds: p.At})
	}
	a.apply()
	c.applyRefusal(e, failed)
	for _, sentence := range c.odd {
		e.session.Apply(core.Warned{Sentence: sentence})
	}
	c.writeReading(e)
	return nil
}

// arrayed compares a host's array with the items of a session.
type arrayed struct {
	*Core
	entry   *entry
	session *core.Session
	list    json.Value

	items     []arrayItem
	used      []messageUsage  // usages in their messages, by the indexes of items
	readTwice []core.Appended // the items needed, read a second time
	live      []liveItem
	match     []int32 // the live item of each item of the array, or -1
	gaps      []gap

	unsent int32 // the number of messages at the beginning that the host keeps but does not send

	mayCompact, mustCompact bool
	head                    int  // items of the array that a compaction left at the beginning; 0 without one
	headGap                 int  // the gap that contains the summary
	rewind                  int  // the first gap whose items are removed and appended again; at most the last one
	unpaired                bool // true if no item from that gap on is treated as an edit
}

// arrayItem is an item of the array.
type arrayItem struct {
	core.Print
	kind    core.Kind
	summary bool  // its message is marked as a summary
	message int32 // the index of its message
	size    int64 // its tokens, if sizes are compared; otherwise an estimate from its length
	needed  bool
	at      int32 // its index among the items that are read again
}

// liveItem is an item of the session that the host has sent so far.
type liveItem struct {
	core.ReceivedItem
	at int
}

// gap is a difference between two common items: the array contains its items from a0 to a1 instead of the live ones
// from s0 to s1.
type gap struct{ a0, a1, s0, s1 int }

// read lists the items of the array with their prints, and those of the session.
func (a *arrayed) read() *Error {
	s := a.session
	unsure := false
	for i := range s.Len() {
		if live := s.Received(i); !live.Absent {
			a.live = append(a.live, liveItem{live, i})
			unsure = unsure || live.Print.Content == 0
		}
	}
	a.counter = nil
	if unsure {
		a.counter = s.Meter() // items without a print are compared by size
	}
	a.items = make([]arrayItem, 0, min(a.list.Len(), itemsPerCall))
	message, compaction := int32(0), -1
	for el := a.list.Elements(); el.Next(); message++ {
		a.added, a.arena, a.messageUsages = a.added[:0], a.arena[:0], a.messageUsages[:0]
		if err := a.readAppendix(el.Value, s.Key()); err != nil {
			return cmp.Or(messageError(el.Value), err).within(element("messages", int(message)))
		}
		if len(a.items)+len(a.added) > itemsPerCall {
			return tooManyItems("messages", "Send a longer conversation with append.")
		}
		summary := isSummary(el.Value)
		from := len(a.items)
		for _, usage := range a.messageUsages {
			usage.after, usage.through = from+usage.after, from+usage.through
			a.used = append(a.used, usage)
		}
		if hasPart(el.Value, "compaction") {
			compaction = len(a.items)
		}
		if summary && compaction >= 0 { // OpenCode keeps the earlier messages, but does not send them
			a.items = slices.Delete(a.items, 0, compaction)
			a.forgetUsages(compaction)
			compaction = -1
			if a.unsent = message; len(a.items) > 0 {
				a.unsent = a.items[0].message
			}
		}
		for i := range a.added {
			it := &a.added[i].Item
			size := int64(len(it.Text)) / 4
			if unsure {
				size = s.SizeOf(it)
			} else if it.Tokens != core.Unknown {
				size = it.Tokens
			}
			a.items = append(a.items, arrayItem{Print: it.Print, kind: it.Kind, summary: summary, message: message, size: size})
		}
		if n := el.Value.Path("metadata", "originalMessageCount"); summary && n.Kind() == json.Number {
			a.dextoSummary(from, message, n)
		}
	}
	return nil
}

// messageError returns the error for an element that is neither a message nor an item, in the words of messages; nil
// for others.
func messageError(v json.Value) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be a message with a role and its content, not "+v.Kind().String()+".")
	}
	if isMessage(v) || v.Get("kind").Exists() {
		return nil
	}
	known := []string{"user", "assistant", "system", "developer", "tool"}
	e := invalid("role", "is missing; known are "+strings.Join(known, ", ")+".")
	e.Known = known
	return e
}

// dextoSummary orders the items as Dexto sends them: Dexto keeps all messages and appends the summary, which replaces
// the first n of them and is sent before the others.
func (a *arrayed) dextoSummary(from int, message int32, n json.Value) {
	summed, fault := n.Int64()
	if fault != 0 || summed < 0 || summed > int64(message) {
		summed = int64(message)
	}
	a.unsent, a.used = int32(summed), a.used[:0] // the usages so far are for prompts before it
	items := slices.Clone(a.items[from:])
	for _, item := range a.items[:from] {
		if item.message >= a.unsent {
			items = append(items, item)
		}
	}
	a.items = items
}

// forgetUsages removes the usages of messages whose first items were removed.
func (a *arrayed) forgetUsages(items int) {
	kept := a.used[:0]
	for _, usage := range a.used {
		if usage.after -= items; usage.after > 0 {
			usage.through = max(usage.through-items, 0)
			kept = append(kept, usage)
		}
	}
	a.used = kept
}

// hasPart reports whether an OpenCode message has a part of a type.
func hasPart(v json.Value, kind string) bool {
	if v.Get("info").Kind() != json.Object {
		return false
	}
	for e := v.Get("parts").Elements(); e.Next(); {
		if e.Value.Get("type").Is(kind) {
			return true
		}
	}
	return false
}

// isSummary reports whether a message is marked as the summary of others.
func isSummary(v json.Value) bool {
	for _, from := range []json.Value{v, v.Get("metadata"), v.Get("info")} {
		if from.Get("isSummary").Bool() || from.Get("isSessionSummary").Bool() || from.Get("summary").Kind() == json.Bool && from.Get("summary").Bool() || from.Get("isCompactSummary").Bool() {
			return true
		}
	}
	return v.Get("type").Is("compaction") || v.Get("type").Is("compaction_summary")
}

// readAppendix reads an item, or the items of a message, into added.
func (c *Core) readAppendix(v json.Value, key core.PrintKey) *Error {
	from, id := len(c.added), []byte(nil)
	c.key = key
	if isMessage(v) {
		if err := c.readMessage(v); err != nil {
			return err
		}
		if given := firstOf(v, "id"); given.Kind() == json.String && given.TextLen() <= maxString {
			id, _ = given.Text(nil)
		}
	} else {
		c.added = append(c.added, core.Appended{})
		if err := c.readItem(v, &c.added[from].Item); err != nil {
			return err
		}
	}
	for i := from; i < len(c.added); i++ {
		it := &c.added[i].Item
		it.Print = key.PrintOf(it, id, i-from)
	}
	return nil
}

// same reports whether an item of the array equals a live one.
func (a *arrayed) same(i, j int) bool {
	item, live := &a.items[i], &a.live[j]
	if live.Print.Content == 0 {
		return item.kind == live.Kind && item.size == live.Tokens
	}
	return item.Content == live.Print.Content && (item.kind == live.Kind || live.Kind == core.Summary)
}

// align finds the items that the array and the session have in common, in the same order: first at both ends, then as
// many as possible between them.
func (a *arrayed) align() {
	n, m := len(a.items), len(a.live)
	a.match = make([]int32, n)
	first := 0
	for first < n && first < m && a.same(first, first) {
		a.match[first] = int32(first)
		first++
	}
	for n > first && m > first && a.same(n-1, m-1) {
		n, m = n-1, m-1
		a.match[n] = int32(m)
	}
	for i := first; i < n; i++ {
		a.match[i] = -1
	}
	if first == n || first == m {
		a.slide(first, m)
		return
	}
	pairs := a.candidates(first, n, m)
	for _, i := range increasing(pairs) {
		a.match[pairs[i].item] = pairs[i].live
	}
	a.findGaps()
	for _, g := range a.gaps { // texts that occur several times
		for ; g.a0 < g.a1 && g.s0 < g.s1 && a.same(g.a0, g.s0); g.a0, g.s0 = g.a0+1, g.s0+1 {
			a.match[g.a0] = int32(g.s0)
		}
		for ; g.a0 < g.a1 && g.s0 < g.s1 && a.same(g.a1-1, g.s1-1); g.a1, g.s1 = g.a1-1, g.s1-1 {
			a.match[g.a1-1] = int32(g.s1 - 1)
		}
	}
}

// slide matches the first items of the array with later live ones of the same texts if only live items between two
// indexes are missing: hosts drop the oldest ones.
func (a *arrayed) slide(from, to int) {
	if from == 0 || from >= to || len(a.items)+to-from != len(a.live) {
		return
	}
	for i := range from {
		if !a.same(i, i+to-from) || a.live[i].Folded != a.live[i+to-from].Folded {
			return
		}
	}
	for i := range from {
		a.match[i] = int32(i + to - from)
	}
}

type candidate struct {
	content, id uint64
	item, live  int32
}

// candidates pairs items of equal content between two common ends: of several, those with the same ID. The pairs are in
// the order of the array.
func (a *arrayed) candidates(first, n, m int) []candidate {
	byContent := func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.content, y.content), cmp.Compare(x.id, y.id), cmp.Compare(x.item, y.item), cmp.Compare(x.live, y.live))
	}
	var ours, theirs []candidate
	for i := first; i < n; i++ {
		ours = append(ours, candidate{a.items[i].Content + uint64(a.items[i].kind), a.items[i].ID, int32(i), 0})
	}
	for j := first; j < m; j++ {
		theirs = append(theirs, candidate{a.live[j].Print.Content + uint64(a.live[j].Kind), a.live[j].Print.ID, 0, int32(j)})
	}
	slices.SortFunc(ours, byContent)
	slices.SortFunc(theirs, byContent)
	out := make([]candidate, 0, min(len(ours), len(theirs)))
	for len(ours) > 0 && len(theirs) > 0 {
		x, y := equal(ours, false), equal(theirs, false)
		switch cmp.Compare(x[0].content, y[0].content) {
		case -1:
			ours = ours[len(x):]
		case 1:
			theirs = theirs[len(y):]
		default:
			ours, theirs = ours[len(x):], theirs[len(y):]
			if len(x) == 1 && len(y) == 1 {
				out = a.pairEquals(out, x, y)
				continue
			}
			for len(x) > 0 && len(y) > 0 {
				n, m := len(equal(x, true)), len(equal(y, true))
				switch cmp.Compare(x[0].id, y[0].id) {
				case -1:
					x = x[n:]
				case 1:
					y = y[m:]
				default:
					out = a.pairEquals(out, x[:n], y[:m])
					x, y = x[n:], y[m:]
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y candidate) int { return int(x.item - y.item) })
	return out
}

// equal returns the first candidates that have the same content, and the same ID if that is to be the same.
func equal(list []candidate, id bool) []candidate {
	n := 1
	for n < len(list) && list[n].content == list[0].content && (!id || list[n].id == list[0].id) {
		n++
	}
	return list[:n]
}

// pairEquals pairs items of the same content and ID: in their order if there are as many on both sides, otherwise those
// at the same place, otherwise the last ones, because hosts drop the oldest.
func (a *arrayed) pairEquals(out, ours, theirs []candidate) []candidate {
	if !a.same(int(ours[0].item), int(theirs[0].live)) {
		return out
	}
	from := len(out)
	if len(ours) != len(theirs) {
		for i, j := 0, 0; i < len(ours) && j < len(theirs); {
			switch x, y := &ours[i], &theirs[j]; {
			case x.item == y.live:
				out = append(out, candidate{x.content, x.id, x.item, y.live})
				i, j = i+1, j+1
			case x.item < y.live:
				i++
			default:
				j++
			}
		}
	}
	if len(out) > from {
		return out
	}
	n := min(len(ours), len(theirs))
	ours, theirs = ours[len(ours)-n:], theirs[len(theirs)-n:]
	for i := range ours {
		out = append(out, candidate{ours[i].content, ours[i].id, ours[i].item, theirs[i].live})
	}
	return out
}

// increasing returns the indexes of the longest series of pairs whose live items are in order.
func increasing(pairs []candidate) []int {
	var ends []int // the pair with the lowest end of a series, by the series' length
	before := make([]int, len(pairs))
	for i := range pairs {
		n, _ := slices.BinarySearchFunc(ends, pairs[i].live, func(end int, live int32) int { return int(pairs[end].live - live) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	series := make([]int, len(ends))
	for n := len(ends) - 1; n >= 0; n-- {
		if n == len(ends)-1 {
			series[n] = ends[n]
		} else {
			series[n] = before[series[n+1]]
		}
	}
	return series
}

// findGaps lists the differences between array and session. The last gap is what follows the last common item, and may
// be empty.
func (a *arrayed) findGaps() {
	a.gaps = a.gaps[:0]
	at := gap{}
	for i, j := range a.match {
		if j < 0 {
			continue
		}
		at.a1, at.s1 = i, int(j)
		if at.a0 < at.a1 || at.s0 < at.s1 {
			a.gaps = append(a.gaps, at)
		}
		at = gap{a0: i + 1, s0: int(j) + 1}
	}
	at.a1, at.s1 = len(a.items), len(a.live)
	a.gaps = append(a.gaps, at)
}

// Limits for an unreported compaction: a few items replace many, which were much larger.
const (
	compactedLeast   = 4  // items that it removes
	summaryMost      = 3  // items that replace them
	summaryLeast     = 50 // tokens, if it keeps nothing
	compactedByTimes = 2
)

// findCompaction finds the gap that a compaction has left, if any.
func (a *arrayed) findCompaction() {
	a.headGap = -1
	if !a.mayCompact {
		return
	}
	for n, g := range a.gaps {
		last := n == len(a.gaps)-1
		removed, sum := int64(0), int64(0)
		for _, item := range a.live[g.s0:g.s1] {
			removed += item.Tokens
		}
		end := g.a1
		if last {
			end = a.summaryEnd(g)
		}
		marked := false
		for _, item := range a.items[g.a0:end] {
			sum += item.size
			marked = marked || item.summary || item.kind == core.Summary
		}
		switch {
		case end == g.a0 || g.s1 == g.s0:
			continue
		case marked, a.mustCompact:
		case g.s1-g.s0 < compactedLeast, end-g.a0 > summaryMost, end-g.a0 >= g.s1-g.s0, removed < sum*compactedByTimes:
			continue
		case last && (sum < summaryLeast || a.followsMessages(g)):
			continue // a rewind
		case a.moved(g):
			continue
		}
		a.headGap, a.head = n, end
		return
	}
}

// moved reports whether most of the items missing in a gap are elsewhere in the array.
func (a *arrayed) moved(g gap) bool {
	lacking := make(map[uint64]bool, g.s1-g.s0)
	for _, item := range a.live[g.s0:g.s1] {
		lacking[item.Print.Content] = true
	}
	found := 0
	for i := range a.items {
		if a.match[i] < 0 && lacking[a.items[i].Content] {
			found++
		}
	}
	return found*2 > g.s1-g.s0
}

// followsMessages reports whether anything but a system prompt precedes a gap.
func (a *arrayed) followsMessages(g gap) bool {
	return slices.ContainsFunc(a.items[:g.a0], func(item arrayItem) bool { return item.kind != core.System })
}

// summaryEnd returns the end of the summary in the last gap: after the last message that is marked as one, otherwise
// after the first message that is not a system message.
func (a *arrayed) summaryEnd(g gap) int {
	end := g.a0
	for i := g.a0; i < g.a1; i++ {
		if a.items[i].summary || a.items[i].kind == core.Summary {
			end = i + 1
		}
	}
	for i := g.a0; i < g.a1 && end == g.a0; i++ {
		if a.items[i].kind != core.System {
			for end = i + 1; end < g.a1 && a.items[end].message == a.items[i].message; {
				end++
			}
		}
	}
	return end
}

// findRewind finds the first gap after all measured prompts that adds or removes a user's message. The items from there
// on are removed and appended again, because turns follow the order of the messages.
func (a *arrayed) findRewind() {
	a.rewind = len(a.gaps) - 1
	last := a.gaps[a.rewind]
	if changed := a.rewind > 0 || last.s0 < last.s1; changed && a.headGap < 0 && !a.session.MeasuredAny() && a.thinks() {
		// Whether reasoning is sent again depends on the turns.
		a.gaps, a.rewind, a.unpaired = []gap{{0, len(a.items), 0, len(a.live)}}, 0, true
		return
	}
	for n, g := range a.gaps[:a.rewind] {
		if n <= a.headGap || g.s0 < len(a.live) && a.live[g.s0].Folded {
			continue
		}
		users := false
		for _, item := range a.items[g.a0:g.a1] {
			users = users || item.kind == core.User
		}
		for _, item := range a.live[g.s0:g.s1] {
			users = users || item.Kind == core.User
		}
		if users {
			a.rewind, a.unpaired = n, true
			return
		}
	}
}

// thinks reports whether any item is reasoning.
func (a *arrayed) thinks() bool {
	return slices.ContainsFunc(a.items, func(item arrayItem) bool { return item.kind == core.Reasoning }) ||
		slices.ContainsFunc(a.live, func(item liveItem) bool { return item.Kind == core.Reasoning })
}

// reread reads the messages again whose items have to be counted.
func (a *arrayed) reread() *Error {
	for i := range a.items {
		a.items[i].needed = a.match[i] < 0 || i < a.head || i >= a.gaps[a.rewind].a0
	}
	a.counter = a.session.Meter()
	a.arena = a.arena[:0]
	start := make([]int, a.list.Len()) // one more than the index of a message's first item, 0 without items
	for i := len(a.items) - 1; i >= 0; i-- {
		start[a.items[i].message] = i + 1
	}
	message, i := int32(0), 0
	for el := a.list.Elements(); el.Next(); message++ {
		if message < a.unsent {
			continue
		}
		if start[message] > 0 {
			i = start[message] - 1
		}
		from, needed := i, false
		for i < len(a.items) && a.items[i].message == message {
			needed = needed || a.items[i].needed
			i++
		}
		if !needed && from < i {
			continue
		}
		a.added, a.messageUsages = a.added[:0], a.messageUsages[:0]
		if err := a.readAppendix(el.Value, a.session.Key()); err != nil {
			return err.within(element("messages", int(message)))
		}
		for n := range a.added {
			a.items[from+n].at = int32(len(a.readTwice) + n)
		}
		a.readTwice = append(a.readTwice, a.added...)
	}
	return nil
}

// item returns an item of the array that was read again.
func (a *arrayed) item(i int) core.Appended { return a.readTwice[a.items[i].at] }

// apply changes the session.
func (a *arrayed) apply() {
	s, moved := a.session, 0
	inPrompt := !s.Whole()
	var changes []core.Event
	if a.headGap >= 0 {
		var compacted core.Compacted
		compacted, moved = a.compaction()
		changes = append(changes, compacted)
	}
	tail := a.gaps[len(a.gaps)-1]
	if a.rewind < len(a.gaps)-1 {
		tail = gap{a0: a.gaps[a.rewind].a0, a1: tail.a1, s0: a.gaps[a.rewind].s0, s1: tail.s1}
	}
	var edits []core.Event
	var appended int
	if a.headGap == len(a.gaps)-1 {
		appended = a.head // nothing else is left
	} else {
		edits, appended = a.tailEdits(tail, moved)
	}
	for n := a.rewind - 1; n > a.headGap; n-- {
		edits = a.edits(edits, a.gaps[n], moved, inPrompt)
	}
	var added []core.Appended
	for i := appended; i < len(a.items); i++ {
		added = append(added, a.item(i))
	}
	var prompts []core.SyncedPrompt
	for _, usage := range a.used {
		if usage.through < appended {
			continue
		}
		if m, _, err := provider.Usage(s.Provider, usage.usage, nil); err == nil && m.In > 0 && !m.Sum {
			prompts = append(prompts, core.SyncedPrompt{Items: usage.through - appended, In: m.In})
		}
	}
	s.Apply(core.Synced{Edits: append(changes, edits...), Items: added, Prompts: prompts})
	next := 0
	report := func(sent int) { // the usages of messages of which this many items are in the session
		for ; next < len(a.used) && a.used[next].after <= sent; next++ {
			a.report(&a.used[next])
		}
	}
	report(appended)
	for i := range added {
		s.Apply(&added[i])
		report(appended + i + 1)
	}
	s.Apply(core.SyncEnded{})
}

// report applies the usage in a message. Its prompt contained the messages before it.
func (a *arrayed) report(usage *messageUsage) {
	from, end := a.session.SentBefore(usage.through), a.session.SentBefore(usage.after)
	a.applyUsage(a.entry, usage, from, end)
}

// compaction returns a compaction, and by how much it moves the remaining items.
func (a *arrayed) compaction() (event core.Compacted, moved int) {
	g := a.gaps[a.headGap]
	event = core.Compacted{Tokens: core.Unknown, Before: core.Unknown}
	for i := range a.items[:a.head] {
		head := a.item(i)
		if j := a.match[i]; j >= 0 {
			head.Item.Kind = a.live[j].Kind
		} else if head.Item.Kind != core.System {
			head.Item.Kind = core.Summary
		}
		event.Head = append(event.Head, head)
	}
	if g.s1 < len(a.live) {
		event.Kept = a.session.Len() - a.live[g.s1].at
		moved = a.head - a.live[g.s1].at
	}
	return event, moved
}

// tailEdits returns the changes at the end of the session: edited items, and a rewind if items were removed. appended
// is the index of the first item of the array to append.
func (a *arrayed) tailEdits(g gap, moved int) (edits []core.Event, appended int) {
	i, j := g.a0, g.s0
	for !a.unpaired && i < g.a1 && j < g.s1 && a.pairs(i, j) && (a.items[i].kind != core.User || a.sameID(i, j)) {
		i, j = i+1, j+1
	}
	if j < g.s1 {
		edits = append(edits, core.Truncated{From: a.live[j].at + moved})
	}
	for k := j - 1; k >= g.s0; k-- {
		edits = append(edits, core.Replaced{Index: a.live[k].at + moved, Item: a.item(g.a0 + k - g.s0).Item})
	}
	return edits, i
}

// pairs reports whether an item of the array may be an edited live one.
func (a *arrayed) pairs(i, j int) bool {
	if a.items[i].ID != 0 && a.live[j].Print.ID != 0 {
		return a.sameID(i, j)
	}
	return a.items[i].kind == a.live[j].Kind
}

func (a *arrayed) sameID(i, j int) bool {
	return a.items[i].ID != 0 && a.items[i].ID == a.live[j].Print.ID
}

// pairedWithin is how many live items are searched for the one that was edited.
const pairedWithin = 64

// edits adds the changes of a gap, last ones first, so that the positions of earlier ones do not change.
func (a *arrayed) edits(to []core.Event, g gap, moved int, inPrompt bool) []core.Event {
	from := len(to)
	reason := phrase.Leaves.Text()
	if g.a0 == g.a1 && g.s0 == 0 {
		reason = phrase.LeavesOldest.Text()
	}
	drop := func(j int) {
		to = append(to, core.Dropped{Index: a.live[j].at + moved, Reason: reason})
	}
	j := g.s0
	for i := g.a0; i < g.a1; i++ {
		k := j
		for k < g.s1 && k < j+pairedWithin && !a.pairs(i, k) {
			k++
		}
		item := a.item(i).Item
		if k == g.s1 || k == j+pairedWithin {
			to = append(to, core.Inserted{Index: a.live[j].at + moved, Item: item, InPrompt: inPrompt})
			continue
		}
		for ; j < k; j++ {
			drop(j)
		}
		to = append(to, core.Replaced{Index: a.live[j].at + moved, Item: item})
		j++
	}
	for ; j < g.s1; j++ {
		drop(j)
	}
	slices.Reverse(to[from:])
	return to
}
