// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
)

// progress is a bar on standard error for work that takes longer than a second.
// It is drawn only on a terminal.
type progress struct {
	env   *environment
	name  string
	total int64

	mu    sync.Mutex // guards the fields below
	done  int64
	began time.Time
	drawn time.Time
	shown bool
}

func newProgress(env *environment, name string, total int64) *progress {
	return &progress{env: env, name: name, total: total, began: time.Now()}
}

const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
	progressCells = 30
)

// add counts further bytes as done.
func (p *progress) add(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(p.done + n)
}

// reach sets the number of bytes that are done.
func (p *progress) reach(done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(done)
}

// through returns a function that calls an engine and adds the size of the parameters, which are mostly records.
func (p *progress) through(call client.Call) client.Call {
	return func(ctx context.Context, method string, params []byte) ([]byte, error) {
		p.add(int64(len(params)))
		return call(ctx, method, params)
	}
}

// set draws the bar if it is time. p.mu must be held.
func (p *progress) set(bytes int64) {
	p.done = bytes
	now := time.Now()
	if !p.env.StderrTerminal || now.Sub(p.began) < progressAfter || now.Sub(p.drawn) < progressEvery || p.total <= 0 {
		return
	}
	p.drawn, p.shown = now, true
	done := min(p.done, p.total)
	cells := int(done * progressCells / p.total)
	fmt.Fprintf(p.env.Stderr, "\r%s [%s%s] %d of %d MB", p.name, strings.Repeat("#", cells), strings.Repeat(".", progressCells-cells), done>>20, p.total>>20)
}

// clear removes the bar.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprintf(p.env.Stderr, "\r%s\r", strings.Repeat(" ", 70))
		p.shown = false
	}
}
