// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/fairqueue"
)

// Lanes run queued work. Each session or document has its own lane; the work of a lane runs in sequence, and lanes run
// concurrently. The work of one client runs in the order of arrival. Clients with sessions of the same name take turns,
// so that none waits for everything that another has sent. A lane exists only while it has work.
type Lanes struct {
	Survive func(what string) // deferred around all work

	mu     sync.Mutex // guards the fields below
	queues map[string]*fairqueue.Queue[func()]
	active int           // lanes that have work
	idle   chan struct{} // closed when active falls to 0; nil if no caller waits
}

// Run queues the work of client who on a lane. Work with an empty key gets its own lane.
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

// do runs one piece of work. A panic in it ends neither the process nor the work that waits in the lane.
func (l *Lanes) do(work func()) {
	defer l.Survive("queued work")
	work()
}

// Begin counts work outside the lanes as active, until Ended is called.
func (l *Lanes) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active++
}

// Ended ends work that was counted by Begin.
func (l *Lanes) Ended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active--; l.active == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// Wait returns when no work is active.
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
