// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A gate lets calls to an instance in one at a time, in the order in which they came. Calls that can wait, which are
// those that save a ledger, let the others go first for a while.
type gate struct {
	mu           sync.Mutex // guards the fields below
	held         bool
	first, later []*ticket
}

type ticket struct {
	open  chan struct{} // closed when it is this call's turn
	since time.Time
}

// waitedEnough is how long a call that can wait lets others go first.
const waitedEnough = 5 * time.Millisecond

// enter waits until the gate is free, or ctx ends.
func (g *gate) enter(ctx context.Context, canWait bool) error {
	g.mu.Lock()
	if !g.held {
		g.held = true
		g.mu.Unlock()
		return nil
	}
	queue := &g.first
	if canWait {
		queue = &g.later
	}
	mine := &ticket{make(chan struct{}), time.Now()}
	*queue = append(*queue, mine)
	g.mu.Unlock()
	select {
	case <-mine.open:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(*queue, mine)
	if at >= 0 {
		*queue = slices.Delete(*queue, at, at+1)
	}
	g.mu.Unlock()
	if at < 0 {
		g.leave() // the turn came in the same moment
	}
	return ctx.Err()
}

// tryEnter enters if the gate is free now, and says whether it did.
func (g *gate) tryEnter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	free := !g.held
	g.held = true
	return free
}

// leave lets the next one in.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	queue := &g.first
	if len(g.later) > 0 && (len(g.first) == 0 || time.Since(g.later[0].since) > waitedEnough) {
		queue = &g.later
	}
	if len(*queue) == 0 {
		g.held = false
		return
	}
	next := (*queue)[0]
	*queue = slices.Delete(*queue, 0, 1)
	close(next.open)
}

// load is how many calls are inside the gate or wait before it.
func (g *gate) load() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.held {
		return 0
	}
	return 1 + len(g.first) + len(g.later)
}
