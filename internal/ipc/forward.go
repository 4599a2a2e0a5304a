// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// This file is the process between one client and the shared daemon.

// redials is how often another daemon is looked for before anything was answered.
const redials = 3

// maxKept is how many bytes of the client are kept for another daemon.
const maxKept = 1 << 20

// Forward carries bytes between a client on standard input and output and the daemon, until either side ends. It
// returns the client's exit code: 0 after shutdown, otherwise 1. A daemon may end before it has said anything, if it
// was idle and about to go; then dial finds another, which is sent what the client has said so far.
func Forward(client io.ReadWriteCloser, daemon net.Conn, dial func() (net.Conn, error)) int {
	f := &forwarding{client: client, daemon: daemon}
	go f.listen()
	for range redials {
		_, _ = io.Copy(f, f.current()) // returns when the daemon closes, or the client no longer reads
		if f.answered.Load() || f.ended.Load() {
			break
		}
		next, err := dial()
		if err != nil || !f.begin(next) {
			break
		}
	}
	f.current().Close()
	if f.orderly.Load() {
		return 0
	}
	return 1
}

type forwarding struct {
	client                   io.ReadWriteCloser
	answered, ended, orderly atomic.Bool // the daemon has answered; the client has ended; the client has said shutdown

	mu     sync.Mutex // guards the fields below
	daemon net.Conn
	kept   []byte // what the client has said while nothing was answered
}

func (f *forwarding) current() net.Conn {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.daemon
}

// Write passes on to the client what the daemon has said.
func (f *forwarding) Write(p []byte) (int, error) {
	f.answered.Store(true)
	return f.client.Write(p)
}

// begin sends another daemon what the client has said so far.
func (f *forwarding) begin(next net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.daemon.Close()
	f.daemon = next
	if f.kept == nil {
		return false // the client has said more than could be kept
	}
	_, err := next.Write(f.kept)
	return err == nil || !f.answered.Load()
}

// listen passes on what the client says, and looks at its messages for a shutdown.
func (f *forwarding) listen() {
	f.mu.Lock()
	f.kept = []byte{}
	f.mu.Unlock()
	heard := &hearing{f: f}
	frames := wire.NewFraming(heard, func(*wire.FrameError) {})
	frames.Forgive()
	for f.notice(frames) {
	}
	_, _ = io.Copy(io.Discard, heard) // bytes that are no messages any more are passed on all the same
	f.ended.Store(true)
	if !f.orderly.Load() {
		// The end of a socket says that the client has gone, and its requests are dropped. This client waits for answers.
		_, _ = f.current().Write(wire.Frame([]byte(`{"jsonrpc":"2.0","method":"` + wire.EndOfInput + `"}`)))
	}
	if half, ok := f.current().(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails only for a daemon that has gone
	}
}

// longestShutdown is the longest message that is looked at.
const longestShutdown = 4 << 10

// notice reads one message of the client. It returns false when there is no further one.
func (f *forwarding) notice(frames *wire.Framing) bool {
	body, err := frames.NextUpTo(longestShutdown)
	if bad, ok := err.(*wire.FrameError); ok {
		return !bad.Last
	}
	if err != nil {
		return false
	}
	if wire.MemberText(body, "method") == "shutdown" {
		f.orderly.Store(true)
	}
	return true
}

// hearing reads what the client says, and passes it on when more is wanted. So a shutdown is noticed before the daemon
// has it, which may end at once.
type hearing struct {
	f     *forwarding
	heard []byte
}

func (h *hearing) Read(p []byte) (int, error) {
	heard := h.heard
	h.heard = h.heard[:0]
	if len(heard) > 0 {
		if _, err := (said{h.f}).Write(heard); err != nil {
			return 0, err
		}
	}
	n, err := h.f.client.Read(p)
	h.heard = append(h.heard, p[:n]...)
	return n, err
}

// said is an io.Writer for what the client has said, on its way to the daemon.
type said struct{ f *forwarding }

func (s said) Write(p []byte) (int, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	answered := s.f.answered.Load()
	switch {
	case answered || s.f.kept == nil || len(s.f.kept)+len(p) > maxKept:
		s.f.kept = nil
	default:
		s.f.kept = append(s.f.kept, p...)
	}
	if _, err := s.f.daemon.Write(p); err != nil && answered {
		return 0, err
	}
	return len(p), nil // a daemon that has said nothing yet may be followed by another
}
