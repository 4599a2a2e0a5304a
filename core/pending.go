// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// pending sums the items that the last measured prompt did not contain, with estimates as they were made: only a
// prediction scales them. The reply to that prompt is summed separately: once the provider has reported its length, its
// text only explains rows and is no longer part of any total.
type pending struct {
	rows     [kinds]int64 // new items
	basis    [kinds]Basis
	hidden   [kinds]int64 // the part of rows that was sent without a record
	certain  int64        // part of rows whose size was given or counted
	unscaled int64        // part of rows that was estimated, before the session's ratio scales it
	items    int
	results  int // tool results counted from text
	users    int // user messages counted from text
	assumed  assumedSizes

	unmeasured unmeasuredReasoning

	reply               [kinds]int64
	replyItems          int
	replyCounted        int // texts and calls that the caller counted
	replyReasoningItems int
}

// unmeasuredReasoning is reasoning that no reported usage includes.
type unmeasuredReasoning struct {
	tokens int64
	items  int64
	past   int64 // the part from earlier turns
	basis  Basis
}

// assumedSizes are items of a usual size, such as definitions that no text shows.
type assumedSizes struct {
	tokens int64
	items  int
}

// doubt returns by how much assumed sizes may be off together: a single one by all of it, several by less, because
// their errors differ.
func (a *assumedSizes) doubt() int64 {
	if a.items <= 0 {
		return 0
	}
	return a.tokens * (int64(a.items) + 1) / (2 * int64(a.items))
}

// resent returns how much of the reasoning the next prompt will contain.
func (u *unmeasuredReasoning) resent(mode ReasoningMode) int64 {
	switch mode {
	case ReasoningNever:
		return 0
	case ReasoningTurn:
		return u.tokens - u.past
	}
	return u.tokens
}

// add adds an item if sign is 1, and removes it if sign is -1.
func (p *pending) add(s storedItem, sign int64) {
	if s.has(slotRemoved) {
		return
	}
	n := int64(s.tokens) * sign
	if s.has(slotReply) {
		p.addReply(s, n, int(sign))
		return
	}
	if s.unmeasured() {
		p.unmeasured.tokens += n
		p.unmeasured.items += sign
		if s.has(slotPast) {
			p.unmeasured.past += n
		}
		p.unmeasured.basis = p.unmeasured.basis.with(s.basis)
		return
	}
	if p.rows[s.kind] == 0 {
		p.basis[s.kind] = s.basis
	} else {
		p.basis[s.kind] = p.basis[s.kind].plus(s.basis)
	}
	p.rows[s.kind] += n
	p.hidden[s.kind] += s.hidden() * sign
	if s.basis == Estimated {
		p.unscaled += n
	} else {
		p.certain += n
	}
	if !s.has(slotHidden) {
		p.items += int(sign)
	}
	if s.has(slotAssumed) {
		p.assumed.tokens += n
		p.assumed.items += int(sign)
	}
	if s.has(slotText) && s.kind == ToolResults {
		p.results += int(sign)
	}
	if s.has(slotText) && s.kind == User {
		p.users += int(sign)
	}
}

func (p *pending) addReply(s storedItem, tokens int64, sign int) {
	p.reply[s.kind] += tokens
	p.replyItems += sign
	switch {
	case s.kind == Reasoning:
		p.replyReasoningItems += sign
	case s.basis == Counted && !s.has(slotText):
		p.replyCounted += sign
	}
}

func (p *pending) replyTotal() int64 {
	return p.reply[Assistant] + p.reply[ToolCalls] + p.reply[Reasoning]
}

// replyText returns the tokens of the reply without its reasoning.
func (p *pending) replyText() int64 { return p.reply[Assistant] + p.reply[ToolCalls] }

// walk saves or restores the sums.
func (p *pending) walk(c *codec.Codec) {
	c.Array("rows", p.rows[:])
	c.Array("reply", p.reply[:])
	for k := range p.basis {
		codec.Below(c, "basis", &p.basis[k], bases)
	}
	c.Ints("unmeasured.tokens unmeasured.items unmeasured.past", &p.unmeasured.tokens, &p.unmeasured.items, &p.unmeasured.past)
	codec.Below(c, "unmeasured.basis", &p.unmeasured.basis, bases)
	c.Ints("certain unscaled assumed.tokens", &p.certain, &p.unscaled, &p.assumed.tokens)
	c.Sizes("items results users assumed.items replyItems replyCounted replyReasoningItems",
		&p.items, &p.results, &p.users, &p.assumed.items, &p.replyItems, &p.replyCounted, &p.replyReasoningItems)
}
