// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"encoding/json"
	"io"
	"sync"
)

// An outlet writes to the client: the agent's bytes, with our own lines between its lines.
type outlet struct {
	mu      sync.Mutex
	to      io.Writer
	inside  bool   // a line of the agent has begun but not ended
	waiting []byte // our lines waiting for its end

	costMu sync.Mutex
	cost   map[string]json.RawMessage // each session's cost as last reported by the agent, repeated in our updates
}

// maxWaiting limits the size of the waiting lines.
const maxWaiting = 64 << 10

// write forwards bytes of the agent; ends is set if they end with a line.
func (o *outlet) write(bytes []byte, ends bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.writeLocked(bytes, ends)
}

// writeLine forwards a line of the agent. It calls record before, because the client may respond to the line at once,
// and none of our lines may come between both.
func (o *outlet) writeLine(line []byte, record func()) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	record()
	return o.writeLocked(line, true)
}

func (o *outlet) writeLocked(bytes []byte, ends bool) error {
	if _, err := o.to.Write(bytes); err != nil {
		return err
	}
	if o.inside = !ends; o.inside || len(o.waiting) == 0 {
		return nil
	}
	_, err := o.to.Write(o.waiting)
	o.waiting = nil
	return err
}

// insert writes one of our lines, or queues it until the agent's current line has ended.
func (o *outlet) insert(line []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.inside {
		if len(o.waiting)+len(line) <= maxWaiting {
			o.waiting = append(o.waiting, line...)
		}
		return nil
	}
	_, err := o.to.Write(line)
	return err
}

func (o *outlet) keepCost(session string, cost json.RawMessage) {
	if len(cost) == 0 || len(cost) > 1<<10 {
		return
	}
	o.costMu.Lock()
	defer o.costMu.Unlock()
	if len(o.cost) < maxSessions {
		o.cost[session] = cost
	}
}

func (o *outlet) costOf(session string) json.RawMessage {
	o.costMu.Lock()
	defer o.costMu.Unlock()
	return o.cost[session]
}

// A lineWatch splits a stream into lines. It ignores lines longer than maxHeld.
type lineWatch struct {
	handle func(line []byte)
	held   []byte
	long   bool
}

func (w *lineWatch) add(bytes []byte) {
	for _, c := range splitLines(bytes) {
		ends := c[len(c)-1] == '\n'
		switch {
		case w.long:
		case len(w.held)+len(c) > maxHeld:
			w.held, w.long = nil, true
		case ends && len(w.held) == 0:
			w.handle(c)
		default:
			w.held = append(w.held, c...)
			if ends {
				w.handle(w.held)
				w.held = w.held[:0]
			}
		}
		if ends {
			w.long = false
		}
	}
}

// splitLines splits bytes after each newline.
func splitLines(bytes []byte) (lines [][]byte) {
	begin := 0
	for i, c := range bytes {
		if c == '\n' {
			lines, begin = append(lines, bytes[begin:i+1]), i+1
		}
	}
	if begin < len(bytes) {
		lines = append(lines, bytes[begin:])
	}
	return lines
}
