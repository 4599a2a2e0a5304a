// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/patience"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A path may never answer: a lost network, a file whose reads block. Such a path is left out and named, and is
// not asked again while its last answer is still missing.

// asked holds the paths whose answers are missing.
type asked struct {
	mu    sync.Mutex // guards the field below
	paths map[string]missing
}

// missing are the answers of a path that have not come yet.
type missing struct {
	n    int
	late bool // one of them has not come in time
}

// ask does a piece of work for each of several paths, on a number of workers, and returns the errors; that of a path
// that does not answer in time is errLate.
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

// begin notes that a path is asked. It returns false if an earlier answer of it is late and still missing.
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

// Late lists the paths that have not answered any search so far.
func (f *Finder) Late() []Problem {
	f.lateMu.Lock()
	defer f.lateMu.Unlock()
	return slices.Clone(f.late)
}

// note remembers the late ones among some problems.
func (f *Finder) note(problems []Problem) {
	f.lateMu.Lock()
	defer f.lateMu.Unlock()
	for _, p := range problems {
		if p.Late && !slices.Contains(f.late, p) {
			f.late = append(f.late, p)
		}
	}
}
