// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// residual is the part of a prompt that has no text in the records, as measured from earlier prompts: an unrecorded
// system prompt, unlisted tools.
type residual struct {
	first           prompt // the session's first prompt
	afterCompaction prompt // the first one after the last compaction
	// learned and learnedAfter are the residuals that earlier sessions had in first prompts and in prompts after a
	// compaction; Unknown without any.
	learned, learnedAfter int64
	// second is the size of the unrecorded part that the second request after a compaction added; Unknown before there
	// was one.
	second int64
	// itemisedLate is set if the first prompt was measured before any item was appended.
	itemisedLate bool
	// listed is the size of each fixed row that the conversation had recorded before the last compaction.
	listed [Summary]int64
	// begunBefore is set until a compaction if the first records were not read: the first prompt shows nothing then.
	begunBefore bool
	// bare is set from a compaction until the next request, if that one lacks a part of what is unrecorded. The second
	// one has it.
	bare bool
}

// prompt is the length of a measured prompt, and the part of it that no row explained; Unknown before it was measured.
// texts are the estimates among its rows: hidden contains their error.
type prompt struct {
	hidden, in int64
	texts      estimates
}

var noPrompt = prompt{hidden: Unknown, in: Unknown}

func newResidual() residual {
	return residual{first: noPrompt, afterCompaction: noPrompt, learned: Unknown, learnedAfter: Unknown, second: Unknown}
}

// The second request after a compaction adds a listing again: a few thousand tokens, always the same.
const (
	secondLeast = 500
	secondMost  = 8_000
)

// learnSecond learns the size of the part of that request that has no record.
func (u *residual) learnSecond(unseen int64) {
	u.second = 0
	if unseen >= secondLeast && unseen <= secondMost {
		u.second = unseen
	}
}

// isSecond reports whether the next request is the second one since a compaction.
func (s *Session) isSecond() bool {
	list := s.requests.list
	return s.history.compactions > 0 && !s.history.justCompacted && len(list) == 1 && !list[0].has(requestOverflow|requestStated)
}

// secondComes returns how many unrecorded tokens the next request is expected to add as the second one after a
// compaction, 0 if it is another request or the size is unknown.
func (s *Session) secondComes() int64 {
	if s.residual.second > 0 && s.isSecond() {
		return s.residual.second
	}
	return 0
}

// lacks returns how many unrecorded tokens the next request is without, because it is the first one after a compaction.
func (s *Session) lacks() int64 {
	switch {
	case !s.residual.bare:
		return 0
	case s.residual.second > 0:
		return s.residual.second
	}
	return s.otherHidden()
}

// otherHidden returns how much of the first prompt's unrecorded part is neither system prompt, tools nor memory files,
// 0 if the sizes of these are unknown.
func (s *Session) otherHidden() int64 {
	best, known := s.bestPrefix(0)
	if s.residual.first.hidden == Unknown || !known[System] || !known[Tools] {
		return 0
	}
	tokens, density := s.residual.first.hidden, s.prefix.density
	for i := range s.prefix.parts {
		part := &s.prefix.parts[i]
		if k := part.kind; k != System && k != Tools && k != Memory || part.tokens == 0 || best[k] != part.source {
			continue
		}
		if part.density > 0 && density > 0 && part.density != density {
			tokens -= mulDiv(part.tokens, density, part.density)
		} else {
			tokens -= part.tokens
		}
	}
	return max(tokens, 0)
}

// measured learns from a measured prompt, the size of its visible part and the estimates in that.
func (u *residual) measured(r *request, visible int64, texts estimates, justCompacted bool) {
	p := prompt{max(r.in-visible, 0), r.in, texts}
	if justCompacted {
		if lacks := u.first.hidden - p.hidden; u.bare && lacks > 0 {
			u.second, p.hidden = lacks, u.first.hidden
		}
		u.bare = false
		u.afterCompaction = p
	}
	if justCompacted {
		u.begunBefore = false
	}
	if u.first.in == Unknown && !u.begunBefore {
		u.first = p
		u.itemisedLate = r.through == 0
	}
}

// afterKnown reports whether the size of the unrecorded part after a compaction is known.
func (u *residual) afterKnown() bool {
	return u.afterCompaction.hidden != Unknown || u.learnedAfter != Unknown
}

// describe subtracts tokens that a row now explains from the residual.
func (u *residual) describe(tokens int64) {
	for _, p := range []*prompt{&u.first, &u.afterCompaction} {
		if p.hidden != Unknown {
			p.hidden = max(p.hidden-tokens, 0)
		}
	}
}

// expectedHidden returns the residual of the next prompt if no request of the current conversation shows it.
func (s *Session) expectedHidden() int64 {
	u, justCompacted, rule, fixed := &s.residual, s.history.justCompacted, &s.rule, &s.fixed
	switch {
	case !s.transcribed && u.first.hidden != Unknown && !u.itemisedLate && u.first.texts.texts < u.afterCompaction.texts.texts && s.prefix.density == s.resolved.Meter.Density():
		return s.hiddenIn(&u.first) // it was the same, and fewer estimates hide it
	case u.afterCompaction.hidden != Unknown:
		return s.hiddenIn(&u.afterCompaction)
	case justCompacted && u.learnedAfter != Unknown:
		return u.learnedAfter
	case justCompacted && u.conversationAll(fixed):
		return 0
	case justCompacted && rule.FirstMost > 0 && u.first.hidden > rule.FirstMost:
		return rule.FirstUsual // the rest was conversation, and is part of the summary
	case u.first.hidden != Unknown:
		return s.hiddenIn(&u.first)
	}
	return max(u.learned, 0)
}

// hiddenIn returns the unexplained part of a prompt, with its texts as long as the session's ratio makes them now.
func (s *Session) hiddenIn(p *prompt) int64 {
	if s.transcribed {
		return p.hidden
	}
	return max(p.hidden+p.texts.tokens-s.calibration.scale(p.texts.texts), 0)
}

// conversationAll reports whether the unexplained part of the first prompt was conversation: the host had sent the
// fixed context, but no items yet.
func (u *residual) conversationAll(fixed *fixedRows) bool {
	return u.itemisedLate && u.first.in != Unknown && u.afterCompaction.hidden == Unknown && fixed.anySet()
}

// keepListed stores the sizes of the fixed rows that the conversation has recorded, just before a compaction.
func (s *Session) keepListed() {
	c := &s.conversation
	for k := range s.residual.listed {
		s.residual.listed[k] = c.rows.tokens[k] + c.pending.rows[k]
	}
}

// listedNow returns how much of the fixed rows the agent has recorded since the first compaction and had not recorded
// before: it used to be sent without a record, so the residual contains it. A later compaction is expected to leave as
// much unrecorded as the last one did.
func (s *Session) listedNow() (sum int64) {
	if !s.history.justCompacted || s.residual.afterKnown() {
		return 0
	}
	c := &s.conversation
	for k, before := range s.residual.listed {
		if Kind(k) != Documents { // those come for a turn
			sum += max(c.rows.tokens[k]+c.pending.rows[k]-before, 0)
		}
	}
	return sum
}

func (u *residual) walk(c *codec.Codec) {
	for _, p := range []*prompt{&u.first, &u.afterCompaction} {
		c.Ints("hidden in texts.texts texts.tokens", &p.hidden, &p.in, &p.texts.texts, &p.texts.tokens)
	}
	c.Ints("second learned learnedAfter", &u.second, &u.learned, &u.learnedAfter)
	c.Bools("itemisedLate begunBefore bare", &u.itemisedLate, &u.begunBefore, &u.bare)
	c.Array("listed", u.listed[:])
}
