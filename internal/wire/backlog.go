// Copyright The ctx-lsp authors. MIT licence.

package wire

import "sync"

// MaxBacklog is how many bytes of one client's messages may wait to be worked on. Above it nothing more is read from
// that client until something is done: it waits, as for any server that is busy, and the process of every editor stays
// small.
const MaxBacklog = 64 << 20

// MessageCost is what a message costs besides its params, so that a million empty ones are no exception.
const MessageCost = 512

// A Backlog is what one client has sent and nobody has worked on yet, requests and notifications alike.
type Backlog struct {
	mu      sync.Mutex // guards the fields below
	bytes   int
	highest int           // it ever was
	done    chan struct{} // closed when something was done; nil while nobody waits
}

// Add counts a message, and waits while there is too much. It is false when the connection ends meanwhile. One message
// is always taken, whatever its size.
func (b *Backlog) Add(bytes int, ended <-chan struct{}) bool {
	for {
		b.mu.Lock()
		if b.bytes == 0 || b.bytes+bytes <= MaxBacklog {
			b.bytes += bytes
			b.highest = max(b.highest, b.bytes)
			b.mu.Unlock()
			return true
		}
		if b.done == nil {
			b.done = make(chan struct{})
		}
		done := b.done
		b.mu.Unlock()
		select {
		case <-done:
		case <-ended:
			return false
		}
	}
}

// Waiting is how many bytes wait now, and how many have waited at most.
func (b *Backlog) Waiting() (now, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes, b.highest
}

// Remove counts a message that is done.
func (b *Backlog) Remove(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes -= bytes
	if b.done != nil {
		close(b.done)
		b.done = nil
	}
}
