// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
)

// DatabasePatience limits how long one read of a database may take: a malicious file may contain a table that is really
// an endless view.
var DatabasePatience = StorePatience

// StorePatience limits how long a store may take to respond; a slower one is left out and reported.
const StorePatience = 5 * time.Second

// Limits of what is read of a database: rows of a list of sessions, rows of one session, and their bytes.
const (
	MostSessions = 100_000
	MostRows     = 1 << 20
	MostBytes    = 256 << 20
)

// ErrLate is the error for a path that did not respond in time.
var ErrLate = errors.New("it did not respond within 5 seconds and is not shown")

// slowFor is how long a slow database is not read again: a store with hundreds of sessions would otherwise block a
// command for an hour, one deadline at a time.
const slowFor = time.Minute

var slow = struct {
	sync.Mutex
	since map[string]time.Time
}{since: map[string]time.Time{}}

// Patiently reads a database with a deadline. A database that recently missed its deadline fails at once.
func Patiently(ctx context.Context, path string, read func(ctx context.Context) error) error {
	slow.Lock()
	since, is := slow.since[path]
	slow.Unlock()
	if is && time.Since(since) < slowFor {
		return &lateError{path}
	}
	within, cancel := context.WithTimeout(ctx, DatabasePatience)
	defer cancel()
	err := read(within)
	late := errors.Is(err, context.DeadlineExceeded) || err != nil && strings.Contains(err.Error(), "interrupted")
	slow.Lock()
	defer slow.Unlock()
	if late && within.Err() != nil && ctx.Err() == nil {
		slow.since[path] = time.Now()
		return &lateError{path}
	}
	delete(slow.since, path)
	return err
}

// A lateError is the error for a database that did not respond in time.
type lateError struct{ path string }

func (e *lateError) Error() string { return e.path + ": " + ErrLate.Error() }

func (e *lateError) Is(target error) bool {
	return target == ErrLate || target == context.DeadlineExceeded
}
