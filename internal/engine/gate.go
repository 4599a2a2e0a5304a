// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/fairqueue"
)

// A gate admits calls to an instance one at a time: those of one client in the order of arrival, and clients in turns,
// so that a client with thousands of calls does not delay the others. Calls that can wait, which are those that save a
// ledger, yield to the others for a while.
type gate struct {
	mu    sync.Mutex // guards the fields below
	held  bool
	first fairqueue.Queue[*ticket]
	later []*ticket
}

type ticket struct {
	open  chan struct{} // closed when it is this call's turn
	since time.Time
}

// waitedEnough is how long a call that can wait yields to others.
const waitedEnough = 5 * time.Millisecond

// enter waits until it is this call's turn, or ctx ends.
func (g *gate) enter(ctx context.Context, canWait bool) error {
	g.mu.Lock()
	if !g.held {
		g.held = true
		g.mu.Unlock()
		return nil
	}
	mine := &ticket{make(chan struct{}), time.Now()}
	if canWait {
		g.later = append(g.later, mine)
	} else {
		g.first.Add(fairqueue.Who(ctx), mine)
	}
	g.mu.Unlock()
	select {
	case <-mine.open:
		return nil
	case <-ctx.Done():
	}
	if !g.giveUp(mine, fairqueue.Who(ctx), canWait) {
		g.leave() // its turn came at the same moment
	}
	return ctx.Err()
}

// giveUp removes a waiting call. It returns false if the call's turn has come in the meantime.
func (g *gate) giveUp(mine *ticket, who uint64, canWait bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !canWait {
		return g.first.Remove(who, func(each *ticket) bool { return each == mine })
	}
	at := slices.Index(g.later, mine)
	if at >= 0 {
		g.later = slices.Delete(g.later, at, at+1)
	}
	return at >= 0
}

// tryEnter enters if the gate is free now, and reports whether it did.
func (g *gate) tryEnter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	free := !g.held
	g.held = true
	return free
}

// leave admits the next call, or frees the gate.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.later) > 0 && (g.first.Len() == 0 || time.Since(g.later[0].since) > waitedEnough) {
		next := g.later[0]
		g.later = slices.Delete(g.later, 0, 1)
		close(next.open)
		return
	}
	next, some := g.first.Next()
	if !some {
		g.held = false
		return
	}
	close(next.open)
}

// load returns how many calls are inside the gate or waiting.
func (g *gate) load() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.held {
		return 0
	}
	return 1 + g.first.Len() + len(g.later)
}
