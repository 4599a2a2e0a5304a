// Copyright The ctx-lsp authors. MIT licence.

package core

// pastUnread is why the range of a session is wide whose past could not be read.
const pastUnread = "its past could not be read"

func (s *Session) applyPastUnread(e PastUnread) {
	s.pastUnread = true
	by := "by another process"
	if e.Process > 0 {
		by = "by process " + itoa(e.Process)
	}
	s.warnings.add("Its past could not be read: held " + by + ".")
}

// readUnreadPast makes the size of a session unknown whose past could not be
// read, until a request is measured: what is known of it is only a part.
func (s *Session) readUnreadPast(out *Reading) {
	if !s.pastUnread || s.anchor() != nil || s.Mode == ProviderOnly {
		return
	}
	out.Basis, out.RangeCause = BasisUnknown, pastUnread
	out.High = max(out.High, out.Limit)
}
