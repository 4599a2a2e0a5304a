// Copyright The ctx-lsp authors. MIT licence.

package wire

import "sync"

// MaxBacklog is how many bytes of one client's messages may wait to be processed. If there are more, the daemon stops
// reading from that client, which then waits as for any busy server, and the daemon's memory stays small for all
// editors.
const MaxBacklog = 64 << 20

// MessageCost is the cost of a message in addition to its params, so that messages without params have a limit too.
const MessageCost = 512

// A Backlog counts the messages that one client has sent and that are not processed yet, both requests and
// notifications.
type Backlog struct {
	mu      sync.Mutex // guards the fields below
	bytes   int
	highest int           // the most bytes that have ever waited
	done    chan struct{} // closed when a message is done; nil if no caller waits
}

// Add counts a message, after waiting until it fits. It returns false if the connection ends first. A message of any
// size fits into an empty backlog.
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

// Waiting returns how many bytes wait now, and the most that have ever waited.
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
