// Copyright The ctx-lsp authors. MIT licence.

// Package patience bounds work that may never end, such as reading a file of a lost network: Go cannot
// interrupt it, so it is left behind.
package patience

import (
	"context"
	"sync"
	"time"
)

// stall is how long a piece of work may take before another worker takes its worker's place.
const stall = time.Second

// Each does n pieces of work with a number of workers, until all are done or ctx ends. It returns what each piece has
// returned, and which did not end in time; what those return later is dropped. A piece that takes long occupies no
// worker: another one is started.
func Each[T any](ctx context.Context, n, workers int, do func(i int) T) (results []T, late []bool) {
	results, late = make([]T, n), make([]bool, n)
	var mu sync.Mutex // guards the fields below, and results until the end
	next, done, over := 0, 0, false
	finished := make(chan struct{})
	if n == 0 {
		return results, late
	}
	for i := range late {
		late[i] = true
	}
	var work func()
	work = func() {
		for {
			mu.Lock()
			if over || next == n {
				mu.Unlock()
				return
			}
			i := next
			next++
			mu.Unlock()
			replaced := false // guarded by mu
			slow := time.AfterFunc(stall, func() {
				mu.Lock()
				defer mu.Unlock()
				if !over && next < n {
					replaced = true
					go work()
				}
			})
			result := do(i)
			slow.Stop()
			mu.Lock()
			if !over {
				results[i], late[i] = result, false
				if done++; done == n {
					over = true
					close(finished)
				}
			}
			left := over || replaced
			mu.Unlock()
			if left {
				return
			}
		}
	}
	for range min(max(workers, 1), n) {
		go work()
	}
	select {
	case <-finished:
	case <-ctx.Done():
		mu.Lock()
		defer mu.Unlock()
		over = true
	}
	return results, late
}
