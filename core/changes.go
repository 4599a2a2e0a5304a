// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// changes are what is known to differ from the last metered prompt beside its
// reply, the items appended since and the fixed rows. The next measurement
// ends them all.
type changes struct {
	leaving       reasons
	adjusted      int64 // tokens that agents know to come without an item
	replaced      int64 // tokens that entered in place of folded items
	replacedBasis Basis
	// toolsChanged and resumed name causes of a prediction that misses.
	toolsChanged, resumed bool
	// steered is true if the person spoke into the running turn.
	steered bool
	// reloaded is true if the prompt is built anew from what is recorded.
	reloaded bool
	// redacted is true if a text that is new was redacted in the transcript: its
	// real length is not known.
	redacted bool
	// ownEstimate is the agent's own estimate of the new items; 0 if it is not
	// known.
	ownEstimate int64
}

// forget drops all changes, and keeps the memory of their list.
func (c *changes) forget() { *c = changes{leaving: c.leaving[:0]} }

// adjust counts tokens that come, or leave where they are negative.
func (c *changes) adjust(tokens int64, reason Text) {
	if tokens < 0 {
		c.leaving.add(reason, -tokens)
	} else {
		c.adjusted += tokens
	}
}

// enter counts tokens that stand in the place of others.
func (c *changes) enter(tokens int64, basis Basis) {
	c.replaced += tokens
	c.replacedBasis = c.replacedBasis.with(basis)
}

func (c *changes) walk(to *codec.Codec) {
	c.leaving.walk(to.Part("leaving"))
	to.Ints("adjusted replaced ownEstimate", &c.adjusted, &c.replaced, &c.ownEstimate)
	codec.Below(to, "replacedBasis", &c.replacedBasis, bases)
	to.Bools("resumed toolsChanged steered reloaded redacted", &c.resumed, &c.toolsChanged, &c.steered, &c.reloaded, &c.redacted)
}

// applyResumed notes that the conversation goes on after a pause.
func (s *Session) applyResumed(e Resumed) {
	s.changes.resumed, s.changes.reloaded = true, s.changes.reloaded || e.Reloaded
	if e.Reloaded {
		s.forgetUnseen()
	}
}

// forgetUnseen lets go what came into the prompt without a record after the
// first one: files put back after a compaction, reminders.
func (s *Session) forgetUnseen() {
	r := s.anchor()
	if r == nil || s.residual.first.hidden == Unknown {
		return
	}
	unseen := r.in - sumRows(&s.fixed.measured)
	for _, n := range s.conversation.rows.tokens {
		unseen -= n
	}
	// Text that was estimated too short is not unseen: allow for it.
	if unseen -= r.in / 50; unseen > s.residual.first.hidden {
		s.changes.leaving.add(phrase.LeavesUnrecorded.Text(), unseen-s.residual.first.hidden)
	}
}
