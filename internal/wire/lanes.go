// Copyright The ctx-lsp authors. MIT licence.

package wire

import "sync"

// Lanes run work in the order in which it came. Each session or document has a lane of its own, and lanes run beside
// each other. A lane exists only while it has work.
type Lanes struct {
	Survive func(what string) // is deferred around all work

	mu     sync.Mutex // guards the fields below
	queues map[string][]func()
	active int           // lanes that have work
	idle   chan struct{} // closed when active falls to 0; nil while nobody waits
}

// Run queues work on a lane. An empty key is a lane of its own.
func (l *Lanes) Run(key string, work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key == "" {
		l.active++
		go func() { defer l.Ended(); l.do(work) }()
		return
	}
	if l.queues == nil {
		l.queues = map[string][]func(){}
	}
	queue, busy := l.queues[key]
	l.queues[key] = append(queue, work)
	if !busy {
		l.active++
		go l.drain(key)
	}
}

func (l *Lanes) drain(key string) {
	defer l.Ended()
	for {
		l.mu.Lock()
		queue := l.queues[key]
		if len(queue) == 0 {
			delete(l.queues, key)
			l.mu.Unlock()
			return
		}
		l.queues[key] = nil
		l.mu.Unlock()
		for _, work := range queue {
			l.do(work)
		}
	}
}

// do does one piece of work. A defect in it ends neither the process nor the work that waits in the lane.
func (l *Lanes) do(work func()) {
	defer l.Survive("work in its turn")
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
