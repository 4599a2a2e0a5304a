// Copyright The ctx-lsp authors. MIT licence.

package lsp

import "context"

// opening returns the beginning of a session's first prompt, or "" for a session without a transcript.
func (s *Server) opening(of *session) string {
	of.mu.Lock()
	if of.origin == nil {
		of.mu.Unlock()
		return ""
	}
	from := of.origin.Session
	of.mu.Unlock()
	return s.openings.Of(context.Background(), from)
}
