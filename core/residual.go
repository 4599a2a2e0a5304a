// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// residual is the part of a prompt that no text shows, as far as earlier
// prompts have shown: a system prompt that nobody records, tools that nobody
// lists.
type residual struct {
	first           prompt // of the session
	afterCompaction prompt // the first one after the last compaction
	// learned and learnedAfter are the residuals of first prompts and of those
	// after a compaction in earlier sessions; Unknown without any.
	learned, learnedAfter int64
	// second is what the second request after a compaction held without a
	// record; Unknown before there was one.
	second int64
	// itemisedLate is true if the first prompt was measured without items.
	itemisedLate bool
	// listed is what the conversation had recorded of each fixed row before the
	// last compaction.
	listed [Summary]int64
	// begunBefore is set if the records of the beginning are not read, until a
	// compaction: the first prompt shows nothing then.
	begunBefore bool
}

// prompt is the length of a measured prompt, and how much of it no row
// explained; Unknown before it was measured.
type prompt struct{ hidden, in int64 }

var noPrompt = prompt{Unknown, Unknown}

func newResidual() residual {
	return residual{first: noPrompt, afterCompaction: noPrompt, learned: Unknown, learnedAfter: Unknown, second: Unknown}
}

// What the second request after a compaction brings again is a listing: a few
// thousand tokens, always the same.
const (
	secondLeast = 500
	secondMost  = 8_000
)

// learnSecond learns what that request held beyond its records.
func (u *residual) learnSecond(unseen int64) {
	u.second = 0
	if unseen >= secondLeast && unseen <= secondMost {
		u.second = unseen
	}
}

// isSecond is true while the second request since a compaction is awaited.
func (s *Session) isSecond() bool {
	list := s.requests.list
	return s.history.compactions > 0 && !s.history.justCompacted && len(list) == 1 && !list[0].has(requestOverflow|requestStated)
}

// secondComes is what the second request after a compaction is expected to
// bring without a record.
func (s *Session) secondComes() int64 {
	if s.residual.second > 0 && s.isSecond() {
		return s.residual.second
	}
	return 0
}

// measured learns from a prompt and how much of it is visible.
func (u *residual) measured(r *request, visible int64, justCompacted bool) {
	p := prompt{max(r.in-visible, 0), r.in}
	if justCompacted {
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

// afterKnown is true where it is known what a compaction leaves without a
// record.
func (u *residual) afterKnown() bool {
	return u.afterCompaction.hidden != Unknown || u.learnedAfter != Unknown
}

// describe subtracts tokens from the residual that a row explains now.
func (u *residual) describe(tokens int64) {
	for _, p := range []*prompt{&u.first, &u.afterCompaction} {
		if p.hidden != Unknown {
			p.hidden = max(p.hidden-tokens, 0)
		}
	}
}

// expected is the residual of the next prompt where no request of this
// conversation tells it.
func (u *residual) expected(justCompacted bool, rule *Rule, fixed *fixedRows) int64 {
	switch {
	case u.afterCompaction.hidden != Unknown:
		return u.afterCompaction.hidden
	case justCompacted && u.learnedAfter != Unknown:
		return u.learnedAfter
	case justCompacted && u.conversationAll(fixed):
		return 0
	case justCompacted && rule.FirstMost > 0 && u.first.hidden > rule.FirstMost:
		return rule.FirstUsual // the rest was conversation, and is part of the summary
	case u.first.hidden != Unknown:
		return u.first.hidden
	}
	return max(u.learned, 0)
}

// conversationAll is true where what the first prompt did not explain was
// conversation: the host had said what surrounds it, and itemised none of it.
func (u *residual) conversationAll(fixed *fixedRows) bool {
	return u.itemisedLate && u.first.in != Unknown && u.afterCompaction.hidden == Unknown && fixed.anySet()
}

// keepListed notes what the conversation has recorded of the fixed rows, just
// before a compaction.
func (s *Session) keepListed() {
	c := &s.conversation
	for k := range s.residual.listed {
		s.residual.listed[k] = c.rows.tokens[k] + c.pending.rows[k]
	}
}

// listedNow returns how much of the fixed rows the agent has recorded since the
// first compaction, and had not before: then it was sent without a record, so
// that the residual contains it. A later compaction is expected to leave as much
// unrecorded as the last one did.
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
	c.Ints("first.hidden first.in", &u.first.hidden, &u.first.in)
	c.Ints("afterCompaction.hidden afterCompaction.in", &u.afterCompaction.hidden, &u.afterCompaction.in)
	c.Ints("second learned learnedAfter", &u.second, &u.learned, &u.learnedAfter)
	c.Bools("itemisedLate begunBefore", &u.itemisedLate, &u.begunBefore)
	c.Array("listed", u.listed[:])
}
