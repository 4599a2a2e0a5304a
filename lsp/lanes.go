package lsp

import "sync"

// lanes run work in the order it came, one lane per session or document, lanes beside each other. A lane exists only
// while it has work.
type lanes struct {
	mu      sync.Mutex // guards queues
	queues  map[string][]func()
	running sync.WaitGroup
}

// run queues work on a lane. An empty key is a lane of its own.
func (l *lanes) run(key string, work func()) {
	if key == "" {
		l.running.Add(1)
		go func() { defer l.running.Done(); work() }()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.queues == nil {
		l.queues = map[string][]func(){}
	}
	queue, busy := l.queues[key]
	l.queues[key] = append(queue, work)
	if !busy {
		l.running.Add(1)
		go l.drain(key)
	}
}

func (l *lanes) drain(key string) {
	defer l.running.Done()
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
			work()
		}
	}
}

// wait returns when no lane has work.
func (l *lanes) wait() { l.running.Wait() }
