// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"strconv"
	"time"
)

// noTime is for calls that do not say when they happened; noRequest for those that no client asked for.
var (
	noTime    time.Time
	noRequest = context.Background()
)

// This file is the conversations that editors send: every method under ctx/session.

// openSession opens a session of this client's own, or one that is shared, or goes on with a saved one.
func (c *connection) openSession(r *request) ([]byte, *wireError) {
	shared, err := boolMember(r.params, "shared")
	if err != nil {
		return nil, err
	}
	resume, err := boolMember(r.params, "resume")
	if err != nil {
		return nil, err
	}
	id, _, err := stringMember(r.params, "id")
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = c.freshID(shared)
	}
	s := c.newSession(id, shared)
	there := c.server.enter(s)
	if there != s {
		if shared && there.owner == nil {
			// Somebody opened it before: this client joins.
			there.watchedBy(c, true)
			return c.readingOf(there, r)
		}
		return nil, sessionExists(id)
	}
	result, failed := c.openInEngine(r, s, resume)
	if failed != nil {
		c.server.remove(s)
		return nil, failed
	}
	return result, nil
}

func (c *connection) openInEngine(r *request, s *session, resume bool) ([]byte, *wireError) {
	if resume {
		ledger, damaged := c.server.savedLedger(s)
		if ledger != nil {
			result, err := c.changeWith(r, s, "ctx/session/restore", restoreParams(s.key, ledger))
			if err == nil || err.code != codeBadLedger {
				return result, err // what failed for a moment is no reason to lose what was saved
			}
			damaged = err
		}
		if damaged != nil {
			c.server.setAside(s)
			c.logMessage(messageWarning, "The saved ledger of session "+strconv.Quote(s.id)+" cannot be used, and the session begins anew: "+damaged.Error())
		}
	}
	params, err := c.addressed(r, s, true)
	if err != nil {
		return nil, err
	}
	return c.changeWith(r, s, "ctx/session/open", params)
}

func (c *connection) newSession(id string, shared bool) *session {
	s := &session{id: id, key: c.prefix + id, owner: c, watchers: map[*connection]struct{}{c: {}}}
	if shared {
		s.key, s.owner = id, nil
	}
	s.save = c.server.saveName(c, s)
	return s
}

// freshID is an id that no session has.
func (c *connection) freshID(shared bool) string {
	for {
		id := "s" + strconv.FormatUint(c.server.nextSession.Add(1), 10)
		if shared {
			id = "shared-" + id
		}
		if c.find(id) == nil {
			return id
		}
	}
}

func sessionExists(id string) *wireError {
	name, _ := json.Marshal(id) // a string always encodes
	return &wireError{
		code: codeSessionExists, message: "There is a session " + string(name) + " already.",
		data: []byte(`{"kind":"session_exists","name":` + string(name) + `}`),
	}
}

// addressed rewrites a request's params for the engine.
func (c *connection) addressed(r *request, s *session, timed bool) ([]byte, *wireError) {
	parent, there, err := stringMember(r.params, "parent")
	if err != nil {
		return nil, err
	}
	if there {
		p := c.find(parent)
		if p == nil {
			return nil, unknownSession(parent)
		}
		parent = p.key
	}
	at := noTime
	if timed {
		at = c.server.options.Now()
	}
	return readdress(r.params, s.key, parent, at), nil
}

// theSession finds the session that a request is about.
func (c *connection) theSession(r *request) (*session, *wireError) {
	id, there, err := stringMember(r.params, "id")
	if err != nil {
		return nil, err
	}
	if !there || id == "" {
		return nil, &wireError{
			code: codeInvalidParams, message: r.method + ` needs "id", the id of a session.`,
			data: []byte(`{"kind":"invalid_params","field":"id"}`),
		}
	}
	if s := c.find(id); s != nil {
		return s, nil
	}
	return nil, unknownSession(id)
}

// changeSession carries a change to the engine, tells who watches, and answers when the ledger is saved.
func (c *connection) changeSession(r *request) ([]byte, *wireError) {
	s, err := c.theSession(r)
	if err != nil {
		return nil, err
	}
	params, err := c.addressed(r, s, true)
	if err != nil {
		return nil, err
	}
	return c.changeWith(r, s, r.method, params)
}

// recordSession is changeSession, and opens the session where the client says so.
func (c *connection) recordSession(r *request) ([]byte, *wireError) {
	open, err := boolMember(r.params, "open")
	if err != nil {
		return nil, err
	}
	id, _, err := stringMember(r.params, "id")
	if err != nil {
		return nil, err
	}
	if !open || id == "" || c.find(id) != nil {
		return c.changeSession(r)
	}
	shared, err := boolMember(r.params, "shared")
	if err != nil {
		return nil, err
	}
	s := c.newSession(id, shared)
	if c.server.enter(s) != s {
		return nil, sessionExists(id)
	}
	result, err := c.changeSession(r)
	if err != nil {
		c.server.remove(s)
	}
	return result, err
}

// changeWith makes one changing call and tells the watchers. The client's answer is held until the change is saved.
func (c *connection) changeWith(r *request, s *session, method string, params []byte) ([]byte, *wireError) {
	result, err := c.server.call(r.ctx, method, params)
	if err != nil {
		return nil, err.withoutPrefix(c.prefix)
	}
	reading := s.forClients(result)
	c.server.changed(s, reading)
	if s.save != "" && !transient(method, params) {
		r.saves = s
	}
	return reading, nil
}

// transient says whether a change is one that a restart may lose: a draft the user is still typing, or a piece of an
// answer that is still streaming.
func transient(method string, params []byte) bool {
	switch method {
	case "ctx/session/usage":
		return string(memberOf(params, "final")) == "false"
	case "ctx/session/update":
		draft, other := false, false
		members(params, func(m member) bool {
			switch string(m.name) {
			case "id", "at":
			case "draft":
				draft = true
			default:
				other = true
			}
			return true
		})
		return draft && !other
	}
	return false
}

// askSession carries a question to the engine.
func (c *connection) askSession(r *request) ([]byte, *wireError) {
	s, err := c.theSession(r)
	if err != nil {
		return nil, err
	}
	params, err := c.addressed(r, s, false)
	if err != nil {
		return nil, err
	}
	result, err := c.server.call(r.ctx, r.method, params)
	if err != nil {
		return nil, err.withoutPrefix(c.prefix)
	}
	return s.forClients(result), nil
}

func (c *connection) readingOf(s *session, r *request) ([]byte, *wireError) {
	id, _ := json.Marshal(s.key) // a string always encodes
	result, err := c.server.call(r.ctx, "ctx/session/reading", []byte(`{"id":`+string(id)+`}`))
	if err != nil {
		return nil, err.withoutPrefix(c.prefix)
	}
	return s.forClients(result), nil
}

// restoreSession takes a ledger that the client kept itself.
func (c *connection) restoreSession(r *request) ([]byte, *wireError) {
	shared, err := boolMember(r.params, "shared")
	if err != nil {
		return nil, err
	}
	id, _, err := stringMember(r.params, "id")
	if err != nil {
		return nil, err
	}
	if id == "" {
		if id, _, err = stringMember(memberOf(r.params, "ledger"), "session"); err != nil {
			return nil, err
		}
	}
	if id == "" {
		id = c.freshID(shared)
	}
	s := c.newSession(id, shared)
	if c.server.enter(s) != s {
		return nil, sessionExists(id)
	}
	result, err := c.changeWith(r, s, "ctx/session/restore", readdress(r.params, s.key, "", noTime))
	if err != nil {
		c.server.remove(s)
	}
	return result, err
}

func restoreParams(key string, ledger []byte) []byte {
	id, _ := json.Marshal(key) // a string always encodes
	out := append([]byte(`{"id":`), id...)
	out = append(out, `,"ledger":`...)
	out = append(out, ledger...)
	return append(out, '}')
}

// closeSession ends a session: nothing of it is kept.
func (c *connection) closeSession(r *request) ([]byte, *wireError) {
	s, err := c.theSession(r)
	if err != nil {
		return nil, err
	}
	if s.found {
		return nil, &wireError{code: codeRequestFailed, message: "The session " + strconv.Quote(s.id) + " belongs to an agent on this machine; ctx/unwatch stops watching."}
	}
	c.server.end(s)
	c.server.forget(s)
	return []byte("{}"), nil
}

// end takes a session out of the engine and out of the table.
func (s *Server) end(gone *session) {
	s.remove(gone)
	id, _ := json.Marshal(gone.key) // a string always encodes
	if _, err := s.call(noRequest, "ctx/session/close", []byte(`{"id":`+string(id)+`}`)); err != nil {
		s.log.Warn("a session could not be closed", "session", gone.id, "error", err.message)
	}
	s.settle()
}

// listSessions answers ctx/sessions with those that this client may see.
func (c *connection) listSessions(r *request) ([]byte, *wireError) {
	params := r.params
	if len(params) == 0 {
		params = []byte("{}")
	}
	result, err := c.server.call(r.ctx, r.method, params)
	if err != nil {
		return nil, err
	}
	var list struct {
		Sessions []json.RawMessage `json:"sessions"`
	}
	if fault := json.Unmarshal(result, &list); fault != nil {
		return nil, &wireError{code: codeInternal, message: "The engine's list of sessions cannot be read: " + fault.Error() + "."}
	}
	out := []byte(`{"sessions":[`)
	n := 0
	for _, each := range list.Sessions {
		key, _, _ := stringMember(each, "session")
		c.server.mu.Lock()
		s := c.server.sessions[key]
		c.server.mu.Unlock()
		if s == nil || !c.sees(s) {
			continue
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = append(out, s.forClients(each)...)
	}
	return append(out, "]}"...), nil
}

// forward carries a call that concerns no session.
func (c *connection) forward(r *request) ([]byte, *wireError) {
	params := r.params
	if len(params) == 0 {
		params = []byte("{}")
	}
	return c.server.call(r.ctx, r.method, params)
}

// release ends what belonged to a client that is gone. Its ledgers stay, for when it comes back.
func (c *connection) release() {
	c.mu.Lock()
	c.watching, c.focus = nil, nil
	c.mu.Unlock()
	c.server.watcher.want()
	for _, s := range c.server.all(func(s *session) bool { return true }) {
		s.watchedBy(c, false)
		if s.owner == c {
			c.server.lanes.run("session "+s.id, func() { c.server.end(s) })
		}
	}
	c.documents.closeAll()
	c.log.Info("a client has gone")
}
