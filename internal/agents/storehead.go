// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"io/fs"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// ReadStoreHead sets the fields of a session that a store of one session contains.
func ReadStoreHead(s *transcript.Session) error {
	sessions, err := StoreSessions(context.Background(), s.Agent, s.Path)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return &fs.PathError{Op: "read", Path: s.Path, Err: fs.ErrNotExist} // it is empty so far
	}
	modified, size := s.Modified, s.Size
	*s = sessions[0]
	s.Size = size
	if s.Modified.IsZero() {
		s.Modified = modified
	}
	return nil
}

// StoreLabel returns the name that a store has for a session, "" if it does not contain the session.
func StoreLabel(s transcript.Session) string {
	sessions, err := StoreSessions(context.Background(), s.Agent, s.Path)
	if err != nil {
		return ""
	}
	for i := range sessions {
		if sessions[i].ID == s.ID || s.ID == "" && len(sessions) == 1 {
			return sessions[i].Label
		}
	}
	return ""
}
