// Copyright The ctx-lsp authors. MIT licence.

package core

// pastUnread is why the range of a session is wide whose past could not be read.
const pastUnread = "its past could not be read"

func (s *Session) applyPastUnread(e PastUnread) {
	s.pastUnread = true
	switch {
	case e.SetAside:
		s.warnings.add("Its past could not be read: the saved session was set aside.")
	case e.Process > 0:
		s.warnings.add("Its past could not be read: held by process " + itoa(e.Process) + ".")
	default:
		s.warnings.add("Its past could not be read: held by another process.")
	}
}

// readUnreadPast makes the size of a session unknown whose past could not be
// read, until a request is measured: what is known of it is only a part.
func (s *Session) readUnreadPast(out *Reading) {
	if !s.pastUnread || s.anchor() != nil || out.Mode == ProviderOnly {
		return
	}
	out.Basis, out.RangeCause = BasisUnknown, pastUnread
	out.High = max(out.High, out.Limit)
}
