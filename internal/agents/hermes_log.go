// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// hermesLogTail is how much of the end of Hermes's log is read.
	hermesLogTail = 8 << 20
	// hermesLogDelay is how long after the line of the log a response may be stored, in milliseconds.
	hermesLogDelay = 60_000
)

// hermesCalls are the measured requests of a session, in their order. The database contains sums only, but the log next
// to it has a line for each request.
type hermesCalls struct {
	list []transcript.StoreUsage
	next int
	used bool // some response had a call
}

// readHermesCalls reads the calls of a session from the log next to a database.
func readHermesCalls(database, session string) (calls hermesCalls) {
	f, err := safefile.File(filepath.Join(filepath.Dir(database), "logs", "agent.log"))
	if err != nil {
		return calls
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return calls
	}
	from := max(info.Size()-hermesLogTail, 0)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	for line := range strings.Lines(string(text[:n])) {
		if u, ok := hermesCall(line, session); ok {
			calls.list = append(calls.list, u)
		}
	}
	return calls
}

// hermesCall reads a line of the log: its time, by the clock on the wall, and the usage of a request of the session.
func hermesCall(line, session string) (u transcript.StoreUsage, ok bool) {
	const clock = "2006-01-02 15:04:05,000"
	if len(line) < len(clock) {
		return u, false
	}
	_, call, found := strings.Cut(line, " ["+session+"] agent.conversation_loop: API call #")
	at, err := time.ParseInLocation(clock, line[:len(clock)], time.Local)
	if !found || err != nil {
		return u, false
	}
	u = transcript.NewStoreUsage("call " + line[:len(clock)])
	u.At = at.UnixMilli()
	for _, field := range strings.Fields(call) {
		name, value, _ := strings.Cut(field, "=")
		value, _, _ = strings.Cut(value, "/")
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case name == "model":
			u.Model = nameIn(value)
		case err != nil || n < 0:
		case name == "in":
			u.In = n
		case name == "out":
			u.Out = n
		case name == "cache":
			u.Read = n
		}
	}
	return u, u.In > 0
}

// before returns the call that a response stored at a time came from. Copies of responses after a compaction have none.
func (c *hermesCalls) before(at int64) (u transcript.StoreUsage, ok bool) {
	for i := c.next; i < len(c.list) && c.list[i].At <= at; i++ {
		if at-c.list[i].At < hermesLogDelay {
			u, ok, c.next = c.list[i], true, i+1
		}
	}
	c.used = c.used || ok
	return u, ok
}
