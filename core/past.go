// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

func (s *Session) applyPastUnread(e PastUnread) {
	s.pastUnread = true
	s.residual.begunBefore = s.residual.first.in == Unknown
	switch {
	case e.SetAside:
		s.warnings.add(phrase.PastSetAside.Text())
	case e.Process > 0:
		s.warnings.add(phrase.PastHeld.Text(phrase.Name(itoa(e.Process))))
	default:
		s.warnings.add(phrase.PastHeldByAnother.Text())
	}
}

// applyPastOlder marks a session that was restored from an older state. The items that are lost with the newer one are
// in the next prompt, so neither a first prompt nor the size after a compaction can be learned from it.
func (s *Session) applyPastOlder() {
	s.pastOlder = true
	s.residual.begunBefore = s.residual.first.in == Unknown
}

// pastKnown reports whether the session's items and its last measured prompt explain its next prompt.
func (s *Session) pastKnown() bool { return !s.pastOlder && (!s.pastUnread || s.anchor() != nil) }

// readUnreadPast makes the size unknown until a request is measured, if the session's past could not be read: the known
// items are only a part. A number of an older state is an estimate of the present one.
func (s *Session) readUnreadPast(out *Reading) {
	if s.pastOlder && out.Basis != BasisUnknown {
		out.Basis, out.RangeCause = out.Basis.plus(Estimated), phrase.RangePast.Text()
		out.High = max(out.High, out.Limit)
	}
	if !s.pastUnread || s.anchor() != nil || out.Mode == ProviderOnly {
		return
	}
	out.Basis, out.RangeCause = BasisUnknown, phrase.RangePast.Text()
	out.High = max(out.High, out.Limit)
}
