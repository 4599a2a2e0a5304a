// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// MaxQueued is how many bytes may wait for a client that does not read, before its connection is closed. Some clients
// are stopped for a while, in a debugger or by a full pipe. A client that was stopped for so long is better started
// again than left with a server that is silent for good.
const MaxQueued = 64 << 20

var errNotReading = errors.New("the client does not read its messages; its connection is closed")

// An Outbox holds what waits to be written to one client. Sending never blocks, so that a slow client delays only
// itself: answers queue up, and of the states of a session only the last is kept.
type Outbox struct {
	w       io.Writer
	survive func(string) // is deferred around the writing

	mu     sync.Mutex // guards the fields below
	ready  sync.Cond  // signals that something waits, or that the box was closed
	frames [][]byte
	queued int               // bytes in frames and latest, and those that are being written
	latest map[string][]byte // the last state of each session, written after the frames
	order  []string          // the keys of latest, oldest first
	closed bool
	err    error

	done   chan struct{} // closed when the writer has ended
	Failed chan struct{} // closed when err is set and the connection has become useless
}

// NewOutbox starts a goroutine that writes to w what is sent; survive is deferred around the writing.
func NewOutbox(w io.Writer, survive func(string)) *Outbox {
	b := &Outbox{w: w, survive: survive, latest: map[string][]byte{}, done: make(chan struct{}), Failed: make(chan struct{})}
	b.ready.L = &b.mu
	go b.write()
	return b
}

// Send queues a frame behind those before it.
func (b *Outbox) Send(frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.reserve(len(frame)); err != nil {
		return err
	}
	b.frames = append(b.frames, frame)
	b.ready.Signal()
	return nil
}

// Replace queues the state of a session, in place of an earlier state that still waits.
func (b *Outbox) Replace(session string, frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, waits := b.latest[session]
	if err := b.reserve(len(frame) - len(before)); err != nil {
		return err
	}
	if !waits {
		b.order = append(b.order, session)
	}
	b.latest[session] = frame
	b.ready.Signal()
	return nil
}

// Follow queues a frame about a session. If a state of the session still waits, it is written before the frame: a
// client never receives an earlier state after a later frame.
func (b *Outbox) Follow(session string, frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.reserve(len(frame)); err != nil {
		return err
	}
	if state, waits := b.latest[session]; waits {
		b.frames = append(b.frames, state)
		delete(b.latest, session)
		b.order = slices.DeleteFunc(b.order, func(key string) bool { return key == session })
	}
	b.frames = append(b.frames, frame)
	b.ready.Signal()
	return nil
}

// reserve counts the bytes of a frame. It gives the client up when there is no room for them.
func (b *Outbox) reserve(bytes int) error {
	switch {
	case b.err != nil:
		return b.err
	case b.closed:
		return io.ErrClosedPipe
	case b.queued+bytes > MaxQueued:
		b.fail(errNotReading)
		return b.err
	}
	b.queued += bytes
	return nil
}

// write writes until the box is closed and empty, or the client is gone.
func (b *Outbox) write() {
	defer close(b.done)
	defer b.ended()
	defer b.survive("writing to a client")
	var spare [][]byte
	var joined []byte
	for {
		batch := b.drain(spare)
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
			_, err := b.w.Write(out)
			if !b.written(len(out), err) {
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

// joinUpTo is how many bytes of small frames are written at once.
const joinUpTo = 32 << 10

// drain waits for something to write and returns it. The box may use spare for what is sent from now on.
func (b *Outbox) drain(spare [][]byte) [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.frames) == 0 && len(b.order) == 0 && !b.closed && b.err == nil {
		b.ready.Wait()
	}
	if b.err != nil || len(b.frames) == 0 && len(b.order) == 0 {
		return nil
	}
	frames := b.frames
	b.frames = spare
	for _, session := range b.order {
		frames = append(frames, b.latest[session])
	}
	clear(b.latest)
	b.order = b.order[:0]
	return frames
}

// written counts bytes as written. It returns false when nothing more can be written.
func (b *Outbox) written(bytes int, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.fail(err)
	}
	b.queued -= bytes
	return b.err == nil
}

// ended gives up a client whose writer has ended early.
func (b *Outbox) ended() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.fail(io.ErrClosedPipe)
	}
}

// fail gives the client up: nothing more is written, and whoever serves the client closes the connection. The lock is
// held.
func (b *Outbox) fail(err error) {
	if b.err == nil {
		b.err = err
		close(b.Failed)
	}
	b.frames, b.queued, b.order = nil, 0, nil
	clear(b.latest)
	b.ready.Signal()
}

// close has the writer end after what is queued. It does not wait for that; done is closed then.
func (b *Outbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready.Signal()
}
