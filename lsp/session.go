// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// A session is one conversation as the daemon sees it: who may see it, who watches it, and its last Reading. The engine
// has everything else.
type session struct {
	key    string       // names it among all sessions
	scope  string       // its client's; empty if it is shared or was found on this machine
	id     string       // unique in its scope
	owner  *connection  // the client that opened it; nil when it is shared or was found on this machine
	found  bool         // by watching the machine, not opened by a client
	origin *fileSession // where it was found; nil for one that a client opened. What it points to is guarded by mu
	// ledger is the name of its ledgers, and save the file of its own among them; both are empty when it is not saved.
	ledger, save string

	telling sync.Mutex // held while a Reading or a crossing is sent to the watchers

	mu         sync.Mutex // guards the fields below
	reading    []byte     // the last one, as clients see it
	seen       bool       // its transcript was read, or could not be read
	summary    summary
	watchers   map[*connection]struct{}
	published  time.Time // when watchers were told last
	armed      bool      // a timer will tell them of later changes
	level      core.Crossings
	levelIn    map[string]*core.Crossings // in the modes that watchers want besides its own
	otherMode  asRead
	allowance  *api.Allowance // what its agent has told of its account
	verified   verified
	lastChange time.Time
	saver      saver
}

// newScope returns the scope of one connection: 130 random bits. No client can name what belongs to another, whatever
// else goes wrong.
func newScope() string { return rand.Text() }

// keyOf returns the key of a session. A scope contains no slash.
func keyOf(scope, id string) string { return scope + "/" + id }

// find returns the session that a client means by an id: its own first, then a shared or found one.
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

// sees says whether a client may know of a session.
func (c *connection) sees(s *session) bool { return s.owner == nil || s.owner == c }

// enter puts a session into the table, or returns the one that is there. It returns nil where the session's client has
// gone, because nobody would end the session.
func (s *Server) enter(fresh *session) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fresh.owner != nil && fresh.owner.released {
		return nil
	}
	if there := s.sessions[fresh.key]; there != nil {
		return there
	}
	if fresh.watchers == nil {
		fresh.watchers = map[*connection]struct{}{}
	}
	s.sessions[fresh.key] = fresh
	return fresh
}

func (s *Server) remove(gone *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[gone.key] == gone {
		delete(s.sessions, gone.key)
		s.unmeasure(gone)
	}
}

// all returns the sessions of the table that keep says true for.
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

// snapshot returns the last Reading and what the daemon knows of it.
func (s *session) snapshot() ([]byte, summary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reading, s.summary
}

// unread says whether the transcript of a session has not been read to its end yet. What the engine has of the session
// until then is how full it was at some earlier time.
func (s *session) unread() bool {
	reading, _ := s.snapshot()
	return reading == nil
}
