// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A session is the daemon's part of one conversation: who may see it, who watches it, and its last Reading. The engine
// has everything else.
type session struct {
	key    string       // unique among all sessions
	scope  string       // its client's scope; empty if it is shared or was found on this machine
	id     string       // unique in its scope
	owner  *connection  // the client that opened it; nil if it is shared or was found on this machine
	found  bool         // found by watching the machine, not opened by a client
	origin *fileSession // the file it was found in; nil if a client opened it. Its fields are guarded by mu
	// ledger is the name that its ledgers share, and save the file that it writes; both are empty if it is not saved.
	ledger, save string

	asking  sync.Mutex  // held while the Reading of a session with sub-agents is requested again and stored
	below   atomic.Bool // a sub-agent has changed since the transcript was last read
	sending sync.Mutex  // held while a Reading or a crossing is sent to the watchers

	mu         sync.Mutex // guards the fields below
	reading    []byte     // the last one, in the form that clients see
	seen       bool       // its transcript was read, or could not be read
	part       bool       // its transcript has records that are not read yet
	summary    summary
	watchers   map[*connection]struct{}
	published  time.Time // when watchers were last notified
	armed      bool      // a timer will notify them of later changes
	level      core.Crossings
	levelIn    map[string]*core.Crossings // crossings in other modes that watchers want
	otherMode  asRead
	allowance  *api.Allowance // the account limits that its agent reported
	verified   verified
	lastChange time.Time
	saver      saver
}

// newScope returns the scope of one connection: 130 random bits, so that no client can name the sessions of another.
func newScope() string { return rand.Text() }

// keyOf returns the key of a session. A scope contains no slash.
func keyOf(scope, id string) string { return scope + "/" + id }

// find returns the session with an id, as this client sees it: its own first, then a shared or found one. It returns
// nil if there is none.
func (c *connection) find(id string) *session {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if own := c.server.sessions[keyOf(c.scope, id)]; own != nil {
		return own
	}
	if other := c.server.sessions[keyOf("", id)]; other != nil && other.owner == nil {
		return other
	}
	return nil
}

// sees reports whether a client may see a session.
func (c *connection) sees(s *session) bool { return s.owner == nil || s.owner == c }

// enter adds a session to the table, or returns the one that is already there. It returns nil if the session's client
// has disconnected, because then nothing would end the session.
func (s *Server) enter(fresh *session) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fresh.owner != nil && fresh.owner.released {
		return nil
	}
	if existing := s.sessions[fresh.key]; existing != nil {
		return existing
	}
	s.sessions[fresh.key] = fresh
	return fresh
}

func (s *Server) remove(closed *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[closed.key] == closed {
		delete(s.sessions, closed.key)
		s.unmeasure(closed)
	}
}

// all returns the sessions in the table that keep accepts.
func (s *Server) all(keep func(*session) bool) []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []*session
	for _, each := range s.sessions {
		if keep(each) {
			kept = append(kept, each)
		}
	}
	return kept
}

func (s *session) watchedBy(c *connection, watched bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if watched {
		s.watchers[c] = struct{}{}
	} else {
		delete(s.watchers, c)
	}
}

// snapshot returns the last Reading and its summary.
func (s *session) snapshot() ([]byte, summary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading, s.summary
}

// unread reports whether the transcript of a session has not been read to its end yet. Until then, the engine's numbers
// are from an earlier time.
func (s *session) unread() bool {
	reading, _ := s.snapshot()
	return reading == nil
}
