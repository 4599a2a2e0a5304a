// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"errors"
	"io"
	"sync"
)

// maxQueued is how much may wait for a client that does not read before the connection is given up.
const maxQueued = 64 << 20

var errNotReading = errors.New("the client does not read; the connection is given up")

// An outbox is what waits to be written to one client. Sending never blocks, so that a slow client delays nobody but
// itself: answers queue up, and of the states of one session only the last is kept.
type outbox struct {
	w io.Writer

	mu     sync.Mutex // guards the fields below
	ready  sync.Cond  // something waits, or the box was closed
	frames [][]byte
	queued int               // bytes in frames
	latest map[string][]byte // by session: the last state, written once the frames are
	order  []string          // the keys of latest, oldest first
	closed bool
	err    error

	done chan struct{} // closed when the writer has ended
}

func newOutbox(w io.Writer) *outbox {
	b := &outbox{w: w, latest: map[string][]byte{}, done: make(chan struct{})}
	b.ready.L = &b.mu
	go b.write()
	return b
}

// send queues a frame behind those before it.
func (b *outbox) send(frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	if b.closed {
		return io.ErrClosedPipe
	}
	if b.queued+len(frame) > maxQueued {
		b.err = errNotReading
		b.frames, b.queued = nil, 0
		b.ready.Signal()
		return b.err
	}
	b.frames = append(b.frames, frame)
	b.queued += len(frame)
	b.ready.Signal()
	return nil
}

// replace queues the state of a session; a state of it that still waits is dropped.
func (b *outbox) replace(session string, frame []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil || b.closed {
		return
	}
	if _, waits := b.latest[session]; !waits {
		b.order = append(b.order, session)
	}
	b.latest[session] = frame
	b.ready.Signal()
}

// write runs until the box is closed and empty, or the client is gone.
func (b *outbox) write() {
	defer close(b.done)
	var spare [][]byte
	var joined []byte
	for {
		batch := b.take(spare)
		if batch == nil {
			return
		}
		// Small frames are joined, so that a burst costs one system call.
		for i, frame := range batch {
			out := frame
			if len(joined) > 0 || len(frame) < joinUpTo {
				if joined = append(joined, frame...); len(joined) < joinUpTo && i+1 < len(batch) {
					continue
				}
				out = joined
			}
			if _, err := b.w.Write(out); err != nil {
				b.fail(err)
				return
			}
			if joined = joined[:0]; cap(joined) > 2*joinUpTo {
				joined = nil
			}
		}
		clear(batch)
		spare = batch[:0]
	}
}

// joinUpTo is how much is written at once, if the frames are small.
const joinUpTo = 32 << 10

// take waits for something to write. The slice may be used for what is sent from now on.
func (b *outbox) take(spare [][]byte) [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.frames) == 0 && len(b.order) == 0 && !b.closed && b.err == nil {
		b.ready.Wait()
	}
	if b.err != nil || len(b.frames) == 0 && len(b.order) == 0 {
		return nil
	}
	frames := b.frames
	b.frames, b.queued = spare, 0
	for _, session := range b.order {
		frames = append(frames, b.latest[session])
	}
	clear(b.latest)
	b.order = b.order[:0]
	return frames
}

func (b *outbox) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
	b.frames, b.queued = nil, 0
}

// close lets the writer end after what is queued. It does not wait; see done.
func (b *outbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready.Signal()
}
