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

// A rester is an [Engine] that can release its memory, and reports whether there was any to release. No document may be
// open then.
type rester interface{ Rest() bool }

// A rest releases memory some time after the last client has disconnected. Clients that connect at that moment wait.
type rest struct {
	after time.Duration
	give  func() bool // reports whether there was memory to release

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
		r.arm(r.after, 0)
	}
}

// Memory is released again, each time after twice as long, until there was none to release restsQuiet times in
// succession. The calls that close the sessions of the last clients may start instances of the engine after the first
// time, on a busy machine for minutes.
const (
	restsQuiet  = 2
	restsLonger = 8 // the most that the first wait is multiplied by
)

// arm sets the timer; r.mu must be held.
func (r *rest) arm(after time.Duration, quiet int) {
	r.timer = time.AfterFunc(after, func() { r.begin(after, quiet) })
}

// begin releases memory, unless a client connected as the timer fired.
func (r *rest) begin(after time.Duration, quiet int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients > 0 {
		return
	}
	if quiet++; r.give() {
		quiet = 0
	}
	if quiet < restsQuiet {
		r.arm(min(2*after, restsLonger*r.after), quiet)
	}
}

// giveMemoryBack returns the engine's memory and the garbage of this process to the operating system. It reports
// whether the engine had any.
func (s *Server) giveMemoryBack() (released bool) {
	defer s.survive("giving memory back")
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}
	s.engineMu.Lock()
	engine := s.engine
	s.engineMu.Unlock()
	if r, able := engine.(rester); able {
		released = r.Rest()
	}
	debug.FreeOSMemory()
	return released
}
