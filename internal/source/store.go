// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/neutral"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// storeTail returns what package stores tells of a session, and later what is
// told otherwise or in addition.
type storeTail struct {
	session Session
	told    map[string]uint64 // by name: a hash of the record as it was returned
	order   []string          // of the records that are placed

	changed time.Time // of the store when it was last read
	size    int64
	given   int64
	pending queue
}

func (t *storeTail) Position() int64 { return t.given }

func (t *storeTail) Next(ctx context.Context, b *Batch) error {
	if err := t.pending.next(ctx, b, t.query); err != nil {
		return err
	}
	t.given += int64(len(b.body))
	return nil
}

func (t *storeTail) query(ctx context.Context, b *Batch) error {
	changed, size, err := sqlite.Time(t.session.Path)
	if err != nil {
		return err
	}
	if t.told != nil && changed.Equal(t.changed) && size == t.size {
		return nil
	}
	var records []neutral.Record
	err = patiently(ctx, t.session.Path, func(ctx context.Context) (err error) {
		records, err = stores.Tell(ctx, t.session.Agent, t.session.Path, t.session.Key)
		return err
	})
	if err != nil {
		return err
	}
	if len(records) == 0 {
		if t.told == nil {
			return &fs.PathError{Op: "read", Path: t.session.Path, Err: fs.ErrNotExist}
		}
		return nil // it is being written anew, or it is gone; the next search tells
	}
	t.changed, t.size = changed, size
	if t.told != nil && !t.continues(records) {
		t.told, t.order, b.Reset = nil, nil, true
	}
	if t.told == nil {
		t.told = make(map[string]uint64, len(records))
	}
	for _, r := range records {
		hash := maphash.Bytes(hashSeed, r.JSON)
		before, again := t.told[r.Name]
		if again && before == hash {
			continue
		}
		if r.Placed && !again {
			t.order = append(t.order, r.Name)
		}
		t.told[r.Name] = hash
		t.pending = append(t.pending, r.JSON)
	}
	return nil
}

// continues says whether what was placed before still stands first, in the
// order in which it was returned. Otherwise something was undone.
func (t *storeTail) continues(records []neutral.Record) bool {
	next := 0
	for _, r := range records {
		if !r.Placed {
			continue
		}
		if next == len(t.order) {
			return true
		}
		if r.Name != t.order[next] {
			return false
		}
		next++
	}
	return next == len(t.order)
}

// storeSessions lists the sessions of a store.
func storeSessions(ctx context.Context, agent, path string) ([]Session, error) {
	store := stores.Of(agent)
	if store == nil {
		return nil, nil
	}
	var found []stores.Session
	err := patiently(ctx, path, func(ctx context.Context) (err error) {
		found, err = store.List(ctx, path)
		return err
	})
	sessions := make([]Session, 0, len(found))
	for _, s := range found {
		if s.ID != "" {
			sessions = append(sessions, Session{
				Agent: agent, Path: path, kind: kindStore, ID: s.ID, Key: s.ID, Parent: s.Parent, Workspace: s.Workspace,
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
func listStore(root Root, see func(candidate)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return err
	}
	sessions, err := listed(root, kindStore, func() ([]Session, error) {
		return storeSessions(context.Background(), root.Agent, root.Path)
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
		see(candidate{agent: root.Agent, path: root.Path, info: info, kind: kindStore, id: s.ID, parent: s.Parent, alone: s.Parent == "", session: s})
	}
	return nil
}

// storeFiles lists the sessions of a store that has a file for each, below
// folders that a pattern names.
func storeFiles(patterns ...string) lister {
	return func(root Root, see func(candidate)) error {
		if _, err := os.Stat(root.Path); err != nil {
			return err
		}
		for _, pattern := range patterns {
			files, _ := filepath.Glob(filepath.Join(escaped(root.Path), pattern))
			for _, file := range files {
				seeDatabase(candidate{agent: root.Agent, path: file, kind: kindStore, alone: true}, see)
			}
		}
		return nil
	}
}

// seeDatabase makes a candidate of a database, if it is there. Its log is newer than the database itself.
func seeDatabase(c candidate, see func(candidate)) {
	c.changed, _, _ = sqlite.Time(c.path)
	seeFile(c, see)
}

// escaped is a folder in a pattern that matches it alone.
func escaped(folder string) string {
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

// readStoreHead fills in what a store of one session tells about it.
func readStoreHead(s *Session) error {
	sessions, err := storeSessions(context.Background(), s.Agent, s.Path)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return &fs.PathError{Op: "read", Path: s.Path, Err: fs.ErrNotExist} // it holds nothing yet
	}
	modified, size := s.Modified, s.Size
	*s = sessions[0]
	s.Size = size
	if s.Modified.IsZero() {
		s.Modified = modified
	}
	return nil
}

// storeLabel is the name that a store has for a session, and not that of another one in the same store.
func storeLabel(s Session) string {
	sessions, err := storeSessions(context.Background(), s.Agent, s.Path)
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
