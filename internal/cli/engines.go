// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// engines lends engines to workers, one to each at a time.
type engines struct {
	env     *environment
	learned *corrections // for each engine; nil for none

	mu     sync.Mutex // guards the fields below
	free   []*engine.Pool
	closed bool
}

func newEngines(env *environment) *engines { return &engines{env: env} }

// take returns an engine for exclusive use until it is given back.
func (e *engines) take() (*engine.Pool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.free); n > 0 {
		one := e.free[n-1]
		e.free = e.free[:n-1]
		return one, nil
	}
	one, err := nativeEngine(e.env, 1)
	if err != nil {
		return nil, err
	}
	if err := e.learned.teach(context.Background(), one); err != nil {
		one.Close()
		return nil, err
	}
	return one, nil
}

// lazily returns a call that takes an engine when it is first used, by one worker, and a function that gives it back.
func (e *engines) lazily() (call client.Call, done func()) {
	var one *engine.Pool
	call = func(ctx context.Context, method string, params []byte) (answer []byte, err error) {
		if one == nil {
			if one, err = e.take(); err != nil {
				return nil, err
			}
		}
		return one.Call(ctx, method, params)
	}
	return call, func() { e.give(one) }
}

// give returns an engine to the pool; nil is ignored.
func (e *engines) give(one *engine.Pool) {
	if one == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		one.Close()
		return
	}
	e.free = append(e.free, one)
}

// close closes the engines. Those in use are closed when they are given back.
func (e *engines) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for _, one := range e.free {
		one.Close()
	}
	e.free = nil
}
