// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/patience"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A path may never respond: a lost network, a file whose reads block. Such a path is left out and reported, and is not
// accessed again until the pending access has returned.

// asked contains the paths with pending accesses.
type asked struct {
	mu    sync.Mutex // guards the field below
	paths map[string]missing
}

// missing describes the pending accesses of a path.
type missing struct {
	n    int
	late bool // one of them did not return in time
}

// ask calls do for each of several paths, on a number of workers, and returns the results and errors. The error is
// transcript.ErrLate for a path that does not respond in time.
func ask[T any](ctx context.Context, a *asked, paths []string, workers int, do func(i int) (T, error)) (results []T, failed []error) {
	type answer struct {
		result T
		err    error
	}
	ctx, cancel := context.WithTimeout(ctx, transcript.StorePatience)
	defer cancel()
	answers, late := patience.Each(ctx, len(paths), workers, func(i int) answer {
		if !a.begin(paths[i]) {
			return answer{err: transcript.ErrLate}
		}
		defer a.end(paths[i])
		result, err := do(i)
		return answer{result, err}
	})
	results, failed = make([]T, len(paths)), make([]error, len(paths))
	for i, answer := range answers {
		results[i], failed[i] = answer.result, answer.err
		if late[i] {
			failed[i] = transcript.ErrLate
			a.isLate(paths[i])
		}
	}
	return results, failed
}

// begin records an access to a path. It returns false if an earlier one is late and still pending.
func (a *asked) begin(path string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.paths[path]
	if m.late {
		return false
	}
	if a.paths == nil {
		a.paths = map[string]missing{}
	}
	m.n++
	a.paths[path] = m
	return true
}

func (a *asked) isLate(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m, some := a.paths[path]; some {
		m.late = true
		a.paths[path] = m
	}
}

func (a *asked) end(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.paths[path]
	if m.n--; m.n > 0 {
		a.paths[path] = m
		return
	}
	delete(a.paths, path)
}

// Late lists the paths that have not responded to any search so far.
func (f *Finder) Late() []Problem {
	f.lateMu.Lock()
	defer f.lateMu.Unlock()
	return slices.Clone(f.late)
}

// note stores the late ones of some problems.
func (f *Finder) note(problems []Problem) {
	f.lateMu.Lock()
	defer f.lateMu.Unlock()
	for _, p := range problems {
		if p.Late && !slices.Contains(f.late, p) {
			f.late = append(f.late, p)
		}
	}
}
