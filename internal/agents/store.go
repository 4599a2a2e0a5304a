// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// StoreSessions lists the sessions of a store.
func StoreSessions(ctx context.Context, agent, path string) ([]transcript.Session, error) {
	store := stores.Of(agent)
	if store == nil {
		return nil, nil
	}
	var found []stores.Session
	err := transcript.Patiently(ctx, path, func(ctx context.Context) (err error) {
		found, err = store.List(ctx, path)
		return err
	})
	sessions := make([]transcript.Session, 0, len(found))
	for _, s := range found {
		if s.ID != "" {
			sessions = append(sessions, transcript.Session{
				Agent: agent, Path: path, Form: transcript.Store, ID: s.ID, Key: s.ID, Parent: s.Parent, Workspace: s.Workspace,
				Label: s.Label, Version: s.Version, Started: s.Started, Modified: s.Modified,
			})
		}
	}
	if err == nil && len(found) > 0 && len(sessions) == 0 {
		err = fmt.Errorf("%s has an unsupported version, so its sessions have no names", path)
	}
	return sessions, err
}

// listStore lists the sessions of a store that is one file with many of them.
func listStore(root Root, see func(Candidate)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return err
	}
	sessions, err := listed(root, transcript.Store, func() ([]transcript.Session, error) {
		return StoreSessions(context.Background(), root.Agent, root.Path)
	})
	if err != nil {
		return err
	}
	changed, _, _ := sqlite.Time(root.Path)
	for i := range sessions {
		s := &sessions[i]
		if s.Modified.IsZero() {
			s.Modified = changed
		}
		see(Candidate{Agent: root.Agent, Path: root.Path, Info: info, Kind: transcript.Store, ID: s.ID, Parent: s.Parent, Alone: s.Parent == "", Session: s})
	}
	return nil
}

// storeFiles lists the sessions of a store that has a file for each, below
// folders that a pattern names.
func storeFiles(patterns ...string) lister {
	return func(root Root, see func(Candidate)) error {
		if _, err := os.Stat(root.Path); err != nil {
			return err
		}
		for _, pattern := range patterns {
			files, _ := filepath.Glob(filepath.Join(Escaped(root.Path), pattern))
			for _, file := range files {
				seeDatabase(Candidate{Agent: root.Agent, Path: file, Kind: transcript.Store, Alone: true}, see)
			}
		}
		return nil
	}
}

// seeDatabase makes a candidate of a database, if it is there. Its log is newer than the database itself.
func seeDatabase(c Candidate, see func(Candidate)) {
	c.changed, _, _ = sqlite.Time(c.Path)
	seeFile(c, see)
}

// Escaped is a folder in a pattern that matches it alone.
func Escaped(folder string) string {
	out := make([]byte, 0, len(folder))
	for i := range len(folder) {
		switch c := folder[i]; c {
		case '*', '?', '[':
			out = append(out, '[', c, ']')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
