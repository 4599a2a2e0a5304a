// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// LearnedSchema names the format of the file. A file with another one is treated as missing.
const LearnedSchema = "ctx.learned/1"

// MaxLearnedBytes bounds the file. Core forgets its oldest numbers long before.
const MaxLearnedBytes = 1 << 20

// Learned is the file of learned corrections. It contains no text of a session, only how far estimates were off. The
// content is core's; here it is just the bytes that ctx/learned/get returned and ctx/learned/set accepts. The file is
// one JSON object,
// one JSON object,
//
//	{"schema":"ctx.learned/1","learned":{…}}
//
// replaced at each change, so that a reader sees either the old or the new one in full. Several programs may learn at
// the same time: each [Learned.Update] holds a lock from reading to writing.
type Learned struct{ path string }

// OpenLearned returns the file of a state directory without reading or creating it. With an empty directory nothing is
// kept.
func OpenLearned(stateDir string) *Learned {
	if stateDir == "" {
		return &Learned{}
	}
	return &Learned{filepath.Join(stateDir, "learned.json")}
}

// Path returns the path of the file, "" if nothing is kept.
func (s *Learned) Path() string { return s.path }

// Load returns the learned corrections, nil if there are none. A file that cannot be understood is treated as missing.
func (s *Learned) Load() ([]byte, error) {
	if s.path == "" {
		return nil, nil
	}
	f, err := safefile.OpenShared(s.path, os.O_RDONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the learned corrections cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxLearnedBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the learned corrections cannot be read: %w", err)
	}
	if len(text) > MaxLearnedBytes {
		return nil, nil
	}
	v, err := json.Parse(text)
	if err != nil {
		return nil, nil
	}
	if !v.Get("schema").Is(LearnedSchema) || v.Get("learned").Kind() != json.Object {
		return nil, nil
	}
	return v.Get("learned").Raw(), nil
}

// LoadAt is Load without the corrections that are too old at the given time.
func (s *Learned) LoadAt(now time.Time) ([]byte, error) {
	numbers, err := s.Load()
	if err != nil || numbers == nil {
		return nil, err
	}
	return merge(numbers, nil, now), nil
}

// learnedLockWait is how long a writer waits for another. Tests wait longer, because they may run on a busy machine.
var learnedLockWait = 2 * time.Second

// Update replaces the learned corrections with the result of merge, while a lock keeps other programs from writing.
// merge receives nil if there is no file, and may return nil to leave the file alone.
func (s *Learned) Update(ctx context.Context, merge func(old []byte) ([]byte, error)) error {
	if s.path == "" {
		return nil
	}
	if err := s.update(ctx, merge); err != nil {
		return err
	}
	return safefile.SyncFolder(filepath.Dir(s.path)) // after the lock is released, because syncing takes a while
}

func (s *Learned) update(ctx context.Context, merge func(old []byte) ([]byte, error)) error {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the learned corrections cannot be saved: %w", err)
	}
	lock := flock.New(s.path + ".lock")
	ctx, cancel := context.WithTimeout(ctx, learnedLockWait)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil || !locked {
		return fmt.Errorf("the learned corrections cannot be saved: another program holds %s.lock", s.path)
	}
	defer lock.Close()
	old, err := s.Load()
	if err != nil {
		return err
	}
	merged, err := merge(old)
	if err != nil || merged == nil {
		return err
	}
	var w json.Writer
	w.BeginObject()
	w.Key("schema")
	w.String(LearnedSchema)
	w.Key("learned")
	w.Raw(merged)
	w.EndObject()
	if len(w.Buf) > MaxLearnedBytes {
		return fmt.Errorf("the learned corrections are not saved: they have %d bytes, and at most %d are allowed", len(w.Buf), MaxLearnedBytes)
	}
	return safefile.Replace(s.path, append(w.Buf, '\n'), (*os.File).Sync)
}

// Forget removes the learned corrections, and reports whether there were any. The empty lock file stays, because
// another program may be waiting for it.
func (s *Learned) Forget() (bool, error) {
	if s.path == "" {
		return false, nil
	}
	err := os.Remove(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
