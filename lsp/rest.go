// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"runtime/debug"
	"sync"
	"time"
)

// restAfter is how long the daemon waits after its last client before it releases memory.
const restAfter = time.Minute

// RestAfter sets how long the daemon waits after its last client before it releases memory. It must be called before
// the first client connects.
func (s *Server) RestAfter(after time.Duration) { s.rest.after = after }

// A rester is an [Engine] that can release its memory. No document may be open then.
type rester interface{ Rest() }

// A rest releases memory some time after the last client has disconnected. Clients that connect at that moment wait.
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
		r.arm(r.after, restsAgain)
	}
}

// restsAgain is how often memory is released again, each time after twice as long. The calls that close the sessions of
// the last clients may start an instance of the engine after the first time.
const restsAgain = 4

// arm sets the timer; r.mu must be held.
func (r *rest) arm(after time.Duration, again int) {
	r.timer = time.AfterFunc(after, func() { r.begin(after, again) })
}

// begin releases memory, unless a client connected as the timer fired.
func (r *rest) begin(after time.Duration, again int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients > 0 {
		return
	}
	r.give()
	if again > 0 {
		r.arm(2*after, again-1)
	}
}

// giveMemoryBack returns the engine's memory and the garbage of this process to the operating system.
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
