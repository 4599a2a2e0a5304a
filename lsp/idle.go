// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"sync"
	"time"
)

// An idleExit ends a shared daemon some time after its last client has disconnected. A nil idleExit never ends it.
type idleExit struct {
	after time.Duration
	exit  func()

	mu      sync.Mutex // guards the fields below
	clients int
	timer   *time.Timer
}

// ExitWhenIdle calls exit once there has been no client for the given time, counted from now.
func (s *Server) ExitWhenIdle(after time.Duration, exit func()) {
	s.idle = &idleExit{after: after, exit: exit}
	s.idle.timer = time.AfterFunc(after, s.idle.expire)
}

// expire exits, unless a client connected as the timer fired.
func (i *idleExit) expire() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.clients == 0 {
		i.exit()
	}
}

func (i *idleExit) busy() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clients++
	i.timer.Stop()
}

func (i *idleExit) left() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.clients--; i.clients == 0 {
		i.timer.Reset(i.after)
	}
}
