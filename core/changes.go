// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// changes are the known differences from the last measured prompt, apart from its reply, the items appended since and
// the fixed rows. The next measurement ends them all.
type changes struct {
	leaving       reasons
	adjusted      int64 // tokens without an item that an agent reported as added
	replaced      int64 // tokens that replaced folded items
	replacedBasis Basis
	converted     int64 // tokens that leave, by the size that another tokenizer measured
	// toolsChanged and resumed are possible causes of a prediction error.
	toolsChanged, resumed bool
	// steered is set if the user sent a message during the running turn.
	steered bool
	// reloaded is set if the prompt is rebuilt from the records.
	reloaded bool
	// redacted is set if a new text was redacted in the transcript: its real length is unknown.
	redacted bool
	// ownEstimate is the agent's own estimate of the new items; 0 if it is unknown.
	ownEstimate int64
}

// forget drops all changes, and keeps the memory of their list for reuse.
func (c *changes) forget() { *c = changes{leaving: c.leaving[:0]} }

// adjust records tokens that are added, or that leave if they are negative.
func (c *changes) adjust(tokens int64, reason Text) {
	if tokens < 0 {
		c.leaving.add(reason, -tokens)
	} else {
		c.adjusted += tokens
	}
}

// enter records tokens that replace others.
func (c *changes) enter(tokens int64, basis Basis) {
	c.replaced += tokens
	c.replacedBasis = c.replacedBasis.with(basis)
}

// add adds the changes of items in another set of changes, or takes them out if sign is -1.
func (c *changes) add(other *changes, sign int64) {
	for _, r := range other.leaving {
		c.leaving.add(r.why, r.amount*sign)
	}
	if other.replaced != 0 {
		c.enter(other.replaced*sign, other.replacedBasis)
	}
}

// sum returns how many tokens the changes of items add to the prompt.
func (c *changes) sum() int64 { return c.replaced - c.leaving.total() }

func (c *changes) walk(to *codec.Codec) {
	c.leaving.walk(to.Part("leaving"))
	to.Ints("adjusted replaced converted ownEstimate", &c.adjusted, &c.replaced, &c.converted, &c.ownEstimate)
	codec.Below(to, "replacedBasis", &c.replacedBasis, bases)
	to.Bools("resumed toolsChanged steered reloaded redacted", &c.resumed, &c.toolsChanged, &c.steered, &c.reloaded, &c.redacted)
}

// applyResumed records that the conversation continues after a pause.
func (s *Session) applyResumed(e Resumed) {
	s.changes.resumed, s.changes.reloaded = true, s.changes.reloaded || e.Reloaded
	if e.Reloaded {
		s.forgetUnseen()
	}
}

// forgetUnseen drops unrecorded content that entered the prompt after the first one: files added again after a
// compaction, reminders.
func (s *Session) forgetUnseen() {
	r := s.anchor()
	if r == nil || s.residual.first.hidden == Unknown {
		return
	}
	unseen := r.in - sumRows(&s.fixed.measured)
	for _, n := range s.conversation.rows.tokens {
		unseen -= n
	}
	// Underestimated text is not unseen: allow for it.
	if unseen -= r.in / 50; unseen > s.residual.first.hidden {
		s.changes.leaving.add(phrase.LeavesUnrecorded.Text(), unseen-s.residual.first.hidden)
	}
}
