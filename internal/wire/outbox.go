// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// MaxQueued is how many bytes may wait for a client that does not read before its connection is closed. Some clients
// stop reading for a while, in a debugger or because of a full pipe. A client that is stopped for this long is better
// restarted than left with a server that stays silent.
const MaxQueued = 64 << 20

var errNotReading = errors.New("the client does not read its messages; its connection is closed")

// An Outbox queues the messages to one client. Sending never blocks, so that a slow client delays only itself:
// responses queue up, but only the latest state of each session is kept.
type Outbox struct {
	w       io.Writer
	survive func(string) // deferred around the writing

	mu     sync.Mutex // guards the fields below
	ready  sync.Cond  // signals that a message waits, or that the box was closed
	frames [][]byte
	queued int               // bytes in frames and latest, and those being written
	latest map[string][]byte // the last state of each session, written after the frames
	order  []string          // the keys of latest, oldest first
	closed bool
	err    error

	done   chan struct{} // closed when the writer has ended
	Failed chan struct{} // closed when err is set and the connection is useless
}

// NewOutbox returns an Outbox, and starts a goroutine that writes its messages to w; survive is deferred around the
// writing.
func NewOutbox(w io.Writer, survive func(string)) *Outbox {
	b := &Outbox{w: w, survive: survive, latest: map[string][]byte{}, done: make(chan struct{}), Failed: make(chan struct{})}
	b.ready.L = &b.mu
	go b.write()
	return b
}

// Send queues a frame after the frames sent before.
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

// Replace queues the state of a session, in place of an earlier state that is still queued.
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

// Follow queues a frame about a session. If a state of the session is still queued, it is written before the frame: a
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

// reserve adds to the queued bytes. If they exceed the maximum, it gives up the client.
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

// write writes queued messages until the box is closed and empty, or the connection fails.
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

// drain waits for queued messages and returns them. It uses spare for the next queue.
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

// written subtracts written bytes from the queued ones. It returns false if no more can be written.
func (b *Outbox) written(bytes int, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.fail(err)
	}
	b.queued -= bytes
	return b.err == nil
}

// ended gives up the client if its writer has ended early.
func (b *Outbox) ended() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.fail(io.ErrClosedPipe)
	}
}

// fail gives up the client: nothing more is written, and its server closes the connection. The lock must be held.
func (b *Outbox) fail(err error) {
	if b.err == nil {
		b.err = err
		close(b.Failed)
	}
	b.frames, b.queued, b.order = nil, 0, nil
	clear(b.latest)
	b.ready.Signal()
}

// close makes the writer end after the queued messages. It does not wait for that; done is closed then.
func (b *Outbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready.Signal()
}
