// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/fairqueue"
)

// Lanes run work one piece after the other. Each session or document has a lane of its own, and lanes run beside each
// other. The work of one client is done in the order in which it came. Clients whose sessions have one name take turns,
// so that nobody waits for all that another has sent. A lane exists only while it has work.
type Lanes struct {
	Survive func(what string) // is deferred around all work

	mu     sync.Mutex // guards the fields below
	queues map[string]*fairqueue.Queue[func()]
	active int           // lanes that have work
	idle   chan struct{} // closed when active falls to 0; nil while nobody waits
}

// Run queues somebody's work on a lane. An empty key is a lane of its own.
func (l *Lanes) Run(key string, who uint64, work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key == "" {
		l.active++
		go func() { defer l.Ended(); l.do(work) }()
		return
	}
	if l.queues == nil {
		l.queues = map[string]*fairqueue.Queue[func()]{}
	}
	queue, busy := l.queues[key]
	if !busy {
		queue = new(fairqueue.Queue[func()])
		l.queues[key] = queue
		l.active++
		go l.drain(key, queue)
	}
	queue.Add(who, work)
}

func (l *Lanes) drain(key string, queue *fairqueue.Queue[func()]) {
	defer l.Ended()
	for {
		l.mu.Lock()
		work, some := queue.Next()
		if !some {
			delete(l.queues, key)
		}
		l.mu.Unlock()
		if !some {
			return
		}
		l.do(work)
	}
}

// do does one piece of work. A defect in it ends neither the process nor the work that waits in the lane.
func (l *Lanes) do(work func()) {
	defer l.Survive("queued work")
	work()
}

// Begin counts work that is done outside of the lanes, until Ended is called.
func (l *Lanes) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active++
}

// Ended says that work counted by Begin is done.
func (l *Lanes) Ended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active--; l.active == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// Wait returns when no lane has work.
func (l *Lanes) Wait() {
	l.mu.Lock()
	if l.active == 0 {
		l.mu.Unlock()
		return
	}
	if l.idle == nil {
		l.idle = make(chan struct{})
	}
	idle := l.idle
	l.mu.Unlock()
	<-idle
}
