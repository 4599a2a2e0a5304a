// Copyright The ctx-lsp authors. MIT licence.

package lsp

import "sync"

// lanes run work in the order it came, one lane per session or document, lanes beside each other. A lane exists only
// while it has work.
type lanes struct {
	survive func(what string) // deferred around all work

	mu     sync.Mutex // guards the fields below
	queues map[string][]func()
	active int           // lanes that have work
	idle   chan struct{} // closed when active falls to 0; nil while nobody waits
}

// run queues work on a lane. An empty key is a lane of its own.
func (l *lanes) run(key string, work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key == "" {
		l.active++
		go func() { defer l.ended(); l.do(work) }()
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

func (l *lanes) drain(key string) {
	defer l.ended()
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

// do does one piece of work. A defect in it costs neither what waits behind it nor the process.
func (l *lanes) do(work func()) {
	defer l.survive("work in its turn")
	work()
}

// begin counts work that is done elsewhere, until ended is called.
func (l *lanes) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active++
}

func (l *lanes) ended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active--; l.active == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// wait returns when no lane has work.
func (l *lanes) wait() {
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
