// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"time"
)

// A session is one conversation as the daemon sees it: who may see it, who watches it, and its last Reading. What is in
// it is the engine's.
type session struct {
	key   string      // its id in the engine
	id    string      // its id for clients
	owner *connection // whose it is; nil when it is shared or was found on this machine
	found bool        // by watching the machine, not opened by a client
	save  string      // its name in the state directory, empty when it is not saved

	mu         sync.Mutex // guards the fields below
	reading    []byte     // the last one, as clients see it
	summary    summary
	watchers   map[*connection]struct{}
	published  time.Time // when watchers were told last
	armed      bool      // a timer will tell them of what came since
	level      levels
	lastChange time.Time
	saver      saver
}

// find returns the session that a client means by an id: its own first, then a shared or found one.
func (c *connection) find(id string) *session {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if own := c.server.sessions[c.prefix+id]; own != nil {
		return own
	}
	if other := c.server.sessions[id]; other != nil && other.owner == nil {
		return other
	}
	return nil
}

// sees says whether a client may know of a session.
func (c *connection) sees(s *session) bool { return s.owner == nil || s.owner == c }

// enter puts a session into the table, or returns the one that is there.
func (s *Server) enter(fresh *session) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// forClients takes the connection's prefix out of what the engine says: wherever a string of the JSON begins with it,
// that is an id.
func (s *session) forClients(result []byte) []byte {
	return withoutPrefix(result, s.key[:len(s.key)-len(s.id)])
}

func withoutPrefix(result []byte, prefix string) []byte {
	if prefix == "" || !bytes.Contains(result, []byte(prefix)) {
		return result
	}
	return bytes.ReplaceAll(result, []byte(`"`+prefix), []byte(`"`))
}

func (e *wireError) withoutPrefix(prefix string) *wireError {
	if e == nil || prefix == "" {
		return e
	}
	clean := *e
	clean.message = string(bytes.ReplaceAll([]byte(e.message), []byte(prefix), nil))
	clean.data = withoutPrefix(e.data, prefix)
	return &clean
}

// stringMember returns a member that should be a string.
func stringMember(params []byte, name string) (value string, there bool, err *wireError) {
	raw := memberOf(params, name)
	if raw == nil || string(raw) == "null" {
		return "", false, nil
	}
	if raw[0] != '"' {
		return "", true, invalid(`"` + name + `" is a string.`)
	}
	return text(raw), true, nil
}

func boolMember(params []byte, name string) (bool, *wireError) {
	raw := memberOf(params, name)
	switch string(raw) {
	case "", "null", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, invalid(`"` + name + `" is true or false.`)
}

// readdress writes params anew: ids as the engine knows them, the members that are the daemon's own left out, and the
// time added, for core has no clock.
func readdress(params []byte, key, parent string, now time.Time) []byte {
	id, _ := json.Marshal(key) // a string always encodes
	out := append(make([]byte, 0, len(params)+len(id)+len(parent)+48), `{"id":`...)
	out = append(out, id...)
	timed := false
	members(params, func(m member) bool {
		switch string(m.name) {
		case "id", "shared", "resume":
			return true
		case "parent":
			if parent != "" {
				value, _ := json.Marshal(parent)
				m.value = value
			}
		case "at":
			timed = true
		}
		out = append(out, ',', '"')
		out = append(out, m.name...)
		out = append(out, '"', ':')
		out = append(out, m.value...)
		return true
	})
	if !timed && !now.IsZero() {
		out = append(out, `,"at":`...)
		out = strconv.AppendInt(out, now.UnixMilli(), 10)
	}
	return append(out, '}')
}
