// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"hash/maphash"
	"io/fs"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

// storeTail returns the records of a session in a store, and afterwards those that are new or have changed.
type storeTail struct {
	session  Session
	read     func(context.Context) ([]StoreRecord, error) // returns the session as records
	returned map[string]uint64                            // hashes of the returned records, by name
	order    []string                                     // names of the placed records

	state   func() State // of the store with the files that belong to it; nil if it is one file
	seen    sqlite.Seen  // the store's state when it was last read
	given   int64
	pending Queue
}

func (t *storeTail) Position() int64 { return t.given }

func (t *storeTail) Next(ctx context.Context, b *Batch) error {
	if err := t.pending.Next(ctx, b, t.query); err != nil {
		return err
	}
	t.given += int64(len(b.Body))
	return nil
}

func (t *storeTail) query(ctx context.Context, b *Batch) error {
	now, err := sqlite.SeenAt(t.session.Path)
	if err != nil {
		return err
	}
	if t.state != nil {
		all := t.state()
		now = sqlite.SeenAs(all.Modified, all.Size)
	}
	if t.returned != nil && t.seen.IsCurrent(now) {
		return nil
	}
	var records []StoreRecord
	err = Patiently(ctx, t.session.Path, func(ctx context.Context) (err error) {
		records, err = t.read(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if len(records) == 0 {
		if t.returned == nil {
			return &fs.PathError{Op: "read", Path: t.session.Path, Err: fs.ErrNotExist}
		}
		return nil // it is being rewritten or was removed; the next search shows which
	}
	t.seen = now
	if t.returned != nil && !t.continues(records) {
		t.returned, t.order, b.Reset = nil, nil, true
	}
	if t.returned == nil {
		t.returned = make(map[string]uint64, len(records))
	}
	for _, r := range records {
		hash := maphash.Bytes(HashSeed, r.JSON)
		before, again := t.returned[r.Name]
		if again && before == hash {
			continue
		}
		if r.Placed && !again {
			t.order = append(t.order, r.Name)
		}
		t.returned[r.Name] = hash
		t.pending = append(t.pending, r.JSON)
	}
	return nil
}

// continues reports whether the records begin with those placed before, in the same order. Otherwise something was
// undone.
func (t *storeTail) continues(records []StoreRecord) bool {
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

// OpenStore returns a tail at the beginning of a session in a store. read returns all records of the session, and state
// the store's if that is more than one file, otherwise it is nil.
func OpenStore(s Session, read func(context.Context) ([]StoreRecord, error), state func() State) Tail {
	return &storeTail{session: s, read: read, state: state}
}
