// Copyright The ctx-lsp authors. MIT licence.

package wire

import "sync"

// MaxBacklog is how many bytes of one client's messages may wait to be worked on. While there are more, the daemon
// reads nothing from that client, which then waits as for any busy server, and its memory stays small for every editor.
const MaxBacklog = 64 << 20

// MessageCost is what a message counts besides its params, so that a million messages without params count too.
const MessageCost = 512

// A Backlog counts the messages that one client has sent and nobody has worked on yet, requests and notifications
// alike.
type Backlog struct {
	mu      sync.Mutex // guards the fields below
	bytes   int
	highest int           // the most bytes that ever waited
	done    chan struct{} // closed when a message is done; nil while nobody waits for that
}

// Add counts a message, after waiting until there is room for it. It returns false when the connection ends first. An
// empty backlog has room for one message of any size.
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

// Waiting returns how many bytes wait now, and the most that ever waited.
func (b *Backlog) Waiting() (now, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes, b.highest
}

// Remove counts a message as done.
func (b *Backlog) Remove(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes -= bytes
	if b.done != nil {
		close(b.done)
		b.done = nil
	}
}
