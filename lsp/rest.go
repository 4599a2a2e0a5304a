// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"runtime/debug"
	"sync"
	"time"
)

// restAfter is how long a daemon has no client before it gives memory back.
const restAfter = time.Minute

// RestAfter sets how long after its last client a daemon gives memory back. It is called before the first client comes.
func (s *Server) RestAfter(after time.Duration) { s.rest.after = after }

// A rester is an [Engine] that can give back its memory. No document may be open.
type rester interface{ Rest() }

// A rest gives memory back when the last client has been gone for a while. Clients that connect at that moment wait.
type rest struct {
	after time.Duration
	give  func()

	mu      sync.Mutex // guards the fields below
	clients int
	timer   *time.Timer
}

func (r *rest) busy() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients++
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (r *rest) left() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients--; r.clients == 0 {
		r.timer = time.AfterFunc(r.after, r.begin)
	}
}

// begin gives memory back, unless a client came as the timer fired.
func (r *rest) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients == 0 {
		r.give()
	}
}

// giveMemoryBack gives the engine's memory and the garbage of this process back to the system.
func (s *Server) giveMemoryBack() {
	defer s.survive("giving memory back")
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return
	}
	s.engineMu.Lock()
	engine := s.engine
	s.engineMu.Unlock()
	if r, able := engine.(rester); able {
		r.Rest()
	}
	debug.FreeOSMemory()
}
