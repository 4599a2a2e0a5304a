// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"hash/maphash"
	"io/fs"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/neutral"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// storeTail returns what package stores tells of a session, and later what is
// told otherwise or in addition.
type storeTail struct {
	session transcript.Session
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
	err = transcript.Patiently(ctx, t.session.Path, func(ctx context.Context) (err error) {
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
		hash := maphash.Bytes(transcript.HashSeed, r.JSON)
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

// readStoreHead fills in what a store of one session tells about it.
func readStoreHead(s *transcript.Session) error {
	sessions, err := agents.StoreSessions(context.Background(), s.Agent, s.Path)
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
func storeLabel(s transcript.Session) string {
	sessions, err := agents.StoreSessions(context.Background(), s.Agent, s.Path)
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
