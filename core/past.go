// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

func (s *Session) applyPastUnread(e PastUnread) {
	s.pastUnread = true
	switch {
	case e.SetAside:
		s.warnings.add(phrase.PastSetAside.Text())
	case e.Process > 0:
		s.warnings.add(phrase.PastHeld.Text(phrase.Name(itoa(e.Process))))
	default:
		s.warnings.add(phrase.PastHeldByAnother.Text())
	}
}

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
