// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// This file implements the process between one client and the shared daemon.

// redials is how often Forward tries another daemon before the first answer.
const redials = 3

// maxKept is how many bytes from the client are kept for another daemon.
const maxKept = 1 << 20

// Forward carries bytes between a client on standard input and output and the daemon, until either side ends. It
// returns the client's exit code: 0 after shutdown, otherwise 1. An idle daemon may exit before its first answer. Then
// Forward dials another one and sends it everything that the client has sent so far.
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
	client io.ReadWriteCloser
	// answered is set with the daemon's first answer, ended when the client has closed its stream, orderly when its
	// shutdown was answered.
	answered, ended, orderly atomic.Bool
	// shutdown is the end of the response to shutdown, nil before the client has sent that.
	shutdown atomic.Pointer[[]byte]
	seen     []byte // the latest bytes of the daemon

	mu     sync.Mutex // guards the fields below
	daemon net.Conn
	kept   []byte // the client's bytes before the first answer; nil if they are too many or not needed any more
}

func (f *forwarding) current() net.Conn {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.daemon
}

// Write passes the daemon's bytes on to the client.
func (f *forwarding) Write(p []byte) (int, error) {
	f.answered.Store(true)
	if end := f.shutdown.Load(); end != nil && !f.orderly.Load() {
		f.seen = append(f.seen, p...)
		f.orderly.Store(bytes.Contains(f.seen, *end))
		f.seen = append(f.seen[:0], f.seen[max(0, len(f.seen)-len(*end)):]...)
	}
	return f.client.Write(p)
}

// begin switches to another daemon and sends it the client's bytes so far. It returns false if they were not kept.
func (f *forwarding) begin(next net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.daemon.Close()
	f.daemon = next
	if f.kept == nil {
		return false // there were too many to keep
	}
	_, err := next.Write(f.kept)
	return err == nil || !f.answered.Load()
}

// listen passes the client's bytes on to the daemon, and looks for a shutdown among its messages.
func (f *forwarding) listen() {
	f.mu.Lock()
	f.kept = []byte{}
	f.mu.Unlock()
	reader := &clientReader{f: f}
	frames := wire.NewFraming(reader, func(*wire.FrameError) {})
	frames.SkipUnexpected()
	for f.notice(frames) {
	}
	_, _ = io.Copy(io.Discard, reader) // after a framing error the rest is passed on unread
	f.ended.Store(true)
	// A closed socket would make the daemon drop the client's requests, but this client still waits for answers.
	_, _ = f.current().Write(wire.Frame([]byte(`{"jsonrpc":"2.0","method":"` + wire.EndOfInput + `"}`)))
	if half, ok := f.current().(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails only if the daemon has exited
	}
}

// longestShutdown is the length up to which a message may be a shutdown.
const longestShutdown = 4 << 10

// notice reads one message of the client. It returns false after the last one.
func (f *forwarding) notice(frames *wire.Framing) bool {
	body, err := frames.NextUpTo(longestShutdown)
	if bad, ok := err.(*wire.FrameError); ok {
		return !bad.Last
	}
	if err != nil {
		return false
	}
	if wire.MemberText(body, "method") == "shutdown" {
		id := wire.FieldsOf(body).Get("id")
		end := append(append([]byte(`"id":`), id...), `,"result":null}`...)
		f.shutdown.Store(&end)
	}
	return true
}

// clientReader reads the client's bytes, and passes them on to the daemon with the next read. So a shutdown is noticed
// before the daemon gets it and perhaps exits.
type clientReader struct {
	f       *forwarding
	pending []byte
}

func (h *clientReader) Read(p []byte) (int, error) {
	pending := h.pending
	h.pending = h.pending[:0]
	if len(pending) > 0 {
		if _, err := (daemonWriter{h.f}).Write(pending); err != nil {
			return 0, err
		}
	}
	n, err := h.f.client.Read(p)
	h.pending = append(h.pending, p[:n]...)
	return n, err
}

// daemonWriter is an io.Writer that passes the client's bytes on to the daemon, and keeps them until the first answer.
type daemonWriter struct{ f *forwarding }

func (s daemonWriter) Write(p []byte) (int, error) {
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
	return len(p), nil // before the first answer, another daemon may get the bytes
}
