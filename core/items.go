// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Len returns how many items the conversation has since the last compaction.
func (s *Session) Len() int { return len(s.conversation.items) }

func (s *Session) measure(it *Item) storedItem { return s.conversation.measure(it, s.resolved.Meter) }

func (s *Session) fold(end int) pending { return s.conversation.fold(end, s.calibration.mode) }

// redaction replaces a removed text in a transcript.
var redaction = []byte("[REDACTED]")

// applyAppended adds an item at the end of the conversation.
func (s *Session) applyAppended(it *Item) {
	c := &s.conversation
	if len(c.items) >= MaxItems {
		s.warnings.add(phrase.ItemsDropped.Text())
		return
	}
	last := s.anchor()
	inPrompt := last != nil && len(c.items) < last.through
	if it.Kind == User && !it.Hidden {
		s.applyUserMessage(last, inPrompt)
	}
	if !it.Kind.Reply() && !inPrompt && bytes.Contains(it.Text, redaction) {
		s.changes.redacted = true
	}
	item := s.measure(it)
	if item.canBeReply() && last != nil && !inPrompt && !c.replyOver && c.answered(last) {
		c.replyOver = true
	}
	if item.canBeReply() && last != nil && !inPrompt && !c.replyOver && (s.whole && c.worseFit(last, item) || !s.whole && c.thinksAgain(last, item)) {
		c.replyOver = true
	}
	if item.canBeReply() && last != nil && (!inPrompt && !c.replyOver || inPrompt && s.whole) {
		item.flags |= slotReply
		s.cache.extend(lifetime{}, s.now)
	}
	c.append(item)
	c.setPrint(len(c.items)-1, it.Print)
	if inPrompt {
		s.fold(len(c.items))
	}
}

// applyUserMessage applies a user message: it ends the draft, and begins a turn unless turns are reported explicitly.
func (s *Session) applyUserMessage(last *request, inPrompt bool) {
	c := &s.conversation
	c.draft = noDraft
	if !s.turn.explicit && !inPrompt && (!s.turn.phase.awaiting() || c.answeredUser()) {
		s.startTurn()
	}
	c.replyOver = c.replyOver || c.pending.replyItems > 0 || last != nil && last.has(requestCut)
}

// applyReplaced replaces an item with another one.
func (s *Session) applyReplaced(e *Replaced) {
	c := &s.conversation
	if e.Index < 0 || e.Index >= len(c.items) {
		return
	}
	old := c.items[e.Index]
	item := s.measure(&e.Item)
	item.flags |= old.flags & slotReply
	if now, then := c.labels.named(item.label), c.labels.named(old.label); now.subject == "" && (now.tool.Equal(then.tool) || now.tool.Empty()) {
		item.label = old.label // the subject has not changed
	}
	before := int64(old.tokens)
	hidden := old.kind == Reasoning && old.has(slotReply) && !old.has(slotRemoved) && e.Index < c.folded && e.Item.Opaque == 0
	switch {
	case hidden: // its encrypted block is gone, if it had one
		before = s.dropReasoning(e.Index)
	case e.Index < c.folded && !old.has(slotRemoved) && (item.tokens < old.tokens/2 || s.densityOf(e.Index) > 0):
		// Otherwise both are estimates.
		before = s.foldedSize(e.Index)
	}
	c.sums.replaced(e.Index, item, c.items)
	c.items[e.Index] = item
	c.setPrint(e.Index, e.Item.Print)
	if e.Index >= c.folded {
		c.pending.add(old, -1)
		c.pending.add(item, 1)
		if !old.canBeReply() {
			s.arrayEdits.before, s.arrayEdits.after = s.arrayEdits.before+int64(old.tokens), s.arrayEdits.after+int64(item.tokens)
		}
		s.changeReply(old)
		return
	}
	change := edit{index: e.Index, requests: len(s.requests.list), after: int64(item.tokens), basis: item.basis, why: e.Reason}
	if change.why.Empty() {
		change.why = phrase.LeavesReplaced.Text()
	}
	if !old.has(slotRemoved) {
		change.before, change.texts = before, old.estimate()
		s.changes.leaving.add(change.why, change.before)
		if !hidden {
			c.rows.remove(old)
		}
	}
	c.edited(change)
	s.changes.enter(change.after, change.basis)
	c.rows.add(item)
}

// changeReply records that an item of the last response was replaced or removed: the response is not sent again
// unchanged. A whole conversation shows it in all its changes together.
func (s *Session) changeReply(old storedItem) {
	switch {
	case !old.has(slotReply):
	case s.arrayEdits.applying:
		s.arrayEdits.reply = true
	default:
		s.cutReply(old)
	}
}

// replaceReply decides whether the host's last array shows only a part of the last response. It does unless the present
// items fit the measured length at least as well as those before did: a text that was still being written, or another
// attempt.
func (s *Session) replaceReply(then int64) {
	r, c := s.anchor(), &s.conversation
	if r == nil {
		return
	}
	if r.has(requestRetried) {
		r.flags &^= requestRetried
		return
	}
	now, length := c.pending.replyText(), r.out-max(r.reasoning, 0)
	if r.out != Unknown && (distance(now, length) <= distance(then, length) || c.replyEstimated(r) && length >= 400 && distance(now, then) <= length/10) {
		return
	}
	r.flags |= requestCut
}

// cutReply records that a part of the last response was changed or removed, so that the response is not sent again
// unchanged.
func (s *Session) cutReply(part storedItem) {
	if r := s.anchor(); r != nil && part.has(slotReply) {
		r.flags |= requestCut
	}
}

// applyDropped marks an item as no longer sent.
func (s *Session) applyDropped(e Dropped) {
	c := &s.conversation
	if e.Index < 0 || e.Index >= len(c.items) || c.items[e.Index].has(slotRemoved) {
		return
	}
	old := c.items[e.Index]
	if c.printOf(e.Index) != (Print{}) {
		c.setPrint(e.Index, Print{Content: absent})
	}
	if e.Index >= c.folded {
		c.pending.add(old, -1)
		if !old.canBeReply() {
			s.arrayEdits.before += int64(old.tokens)
		}
		s.changeReply(old)
	} else {
		var n int64
		if old.kind == Reasoning && old.has(slotReply) {
			n = s.dropReasoning(e.Index)
		} else {
			n = s.foldedSize(e.Index)
			c.rows.remove(old)
		}
		s.changes.leaving.add(e.Reason, n)
		c.edited(edit{index: e.Index, requests: len(s.requests.list), before: n, texts: old.estimate(), why: e.Reason})
	}
	c.sums.remove(e.Index, c.items)
	c.items[e.Index].flags |= slotRemoved
}

// applyDroppedOldest drops the oldest items that are still sent.
func (s *Session) applyDroppedOldest(e DroppedOldest) {
	items := s.conversation.items
	for i, left := 0, e.Items; i < len(items) && left > 0; i++ {
		if !items[i].has(slotRemoved) {
			s.applyDropped(Dropped{i, phrase.LeavesOldest.Text()})
			left--
		}
	}
}

// applyDrafted counts the message that the user is typing.
func (s *Session) applyDrafted(e *Drafted) {
	if e.Cleared {
		s.conversation.draft = noDraft
		return
	}
	s.conversation.draft = s.measure(&e.Item)
	s.conversation.draft.kind = User
}
