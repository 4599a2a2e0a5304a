// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// noTime is for calls that do not say when something happened; noRequest is for calls that no client has asked for.
var (
	noTime    time.Time
	noRequest = context.Background()
)

// This file handles the conversations that editors send: every method under ctx/session.

// openSession opens a session of this client or a shared one, or resumes a saved one.
func (c *connection) openSession(r *request) ([]byte, *wire.Fault) {
	shared, err := r.fields.Flag("shared")
	if err != nil {
		return nil, err
	}
	resume, err := r.fields.Flag("resume")
	if err != nil {
		return nil, err
	}
	id, _, err := r.fields.Text("id")
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = c.freshID(shared)
	}
	s, there, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case there != nil && shared && there.owner == nil:
		// Somebody has opened this session before, so the client joins.
		there.watchedBy(c, true)
		return c.readingOf(there, r)
	case there != nil:
		return nil, sessionExists(id)
	}
	result, failed := c.openInEngine(r, s, resume)
	if failed != nil {
		c.server.abandon(s)
		return nil, failed
	}
	return result, nil
}

// enterSession puts a new session into the table, or returns the one that is there.
func (c *connection) enterSession(id string, shared bool) (fresh, there *session, err *wire.Fault) {
	if err := reservedID(id); err != nil {
		return nil, nil, err
	}
	s := c.newSession(id, shared)
	if c.server.options.State != nil {
		s.ledger = c.server.ledgerName(c, s)
		s.save = c.server.options.State.Next(s.ledger)
	}
	entered := c.server.enter(s)
	if entered != s {
		c.server.letGo(s)
	}
	switch entered {
	case nil:
		return nil, nil, wire.Cancelled() // the client has gone meanwhile
	case s:
		return s, nil, nil
	default:
		return nil, entered, nil
	}
}

func (c *connection) openInEngine(r *request, s *session, resume bool) ([]byte, *wire.Fault) {
	var past unreadPast
	if resume {
		result, resumed, unread, err := c.resume(r, s)
		if resumed {
			return result, err
		}
		past = unread
	}
	params, err := c.addressed(r, s, true)
	if err != nil {
		return nil, err
	}
	switch {
	case past.held != nil:
		params = append(wire.AppendMember(params[:len(params)-1], "heldBy", wire.NumberText(int64(past.held.process))), '}')
	case past.setAside:
		params = append(wire.AppendMember(params[:len(params)-1], "setAside", []byte("true")), '}')
	}
	result, err := c.changeWith(r, s, "ctx/session/open", params)
	if err == nil && s.ledger != "" {
		c.server.options.State.Supersede(s.ledger)
	}
	return result, err
}

// unreadPast is why a session that was saved starts over.
type unreadPast struct {
	held     *heldError
	setAside bool
}

// resume continues a saved session. resumed is false if none is saved, if it cannot be restored, or if another session,
// which may be another conversation of the same name, holds it.
func (c *connection) resume(r *request, s *session) (result []byte, resumed bool, past unreadPast, err *wire.Fault) {
	ledgers, others, fault := c.server.awaitLedgers(r.ctx, s)
	if refused := cannotBeRead(s, fault); refused != nil {
		return nil, true, past, refused // the saved session exists, and a new one would replace it
	}
	switch {
	case errors.As(fault, &past.held):
		c.warn("Session " + strconv.Quote(s.id) + ": " + past.held.Error() + ".")
		if s.owner == nil {
			return nil, true, past, isHeld(s, past.held)
		}
		return nil, false, past, nil
	case fault != nil && errors.Is(fault, r.ctx.Err()):
		return nil, true, past, wire.Cancelled()
	}
	for _, ledger := range ledgers {
		result, err := c.changeWith(r, s, "ctx/session/restore", restoreParams(s.key, c.parentIn(ledger), ledger))
		if err == nil && others > 0 {
			c.logMessage(messageWarning, "There are "+strconv.Itoa(others+1)+" saved conversations called "+strconv.Quote(s.id)+
				", so which one this was is unknown. It continues the one saved last; use different ids to distinguish them.")
		}
		if err == nil || !refusesLedger(err) {
			return result, true, past, err // a passing failure is no reason to lose what was saved
		}
		if fault == nil {
			fault = err // of the newest ledger
		}
	}
	if fault != nil {
		past.setAside = true
		c.logMessage(messageWarning, "The saved session "+strconv.Quote(s.id)+" was set aside as "+c.server.setAside(s)+" and starts over: its size is "+
			"unknown until a request is measured or its transcript is read again. Reason: "+fault.Error())
	}
	return nil, false, past, nil
}

// refusesLedger reports whether the engine cannot use a ledger. The daemon writes the other parameters of a restore
// itself, so errors about the parameters are about the ledger.
func refusesLedger(err *wire.Fault) bool {
	return err.Code == wire.CodeBadLedger || err.Code == wire.CodeInvalidParams || err.Code == wire.CodeParse
}

func (c *connection) newSession(id string, shared bool) *session {
	s := &session{id: id, key: c.prefix + id, owner: c, watchers: map[*connection]struct{}{c: {}}}
	if shared {
		s.key, s.owner = id, nil
	}
	return s
}

// freshID makes an id that no session has.
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

func sessionExists(id string) *wire.Fault {
	name := string(wire.Quoted(id))
	return &wire.Fault{
		Code: wire.CodeSessionExists, Message: "There is a session " + name + " already.",
		Data: []byte(`{"kind":"session_exists","name":` + name + `}`),
	}
}

// addressed rewrites a request's params for the engine.
func (c *connection) addressed(r *request, s *session, timed bool) ([]byte, *wire.Fault) {
	parent, err := c.parentOf(r.fields)
	if err != nil {
		return nil, err
	}
	at := noTime
	if timed {
		at = c.server.options.Now()
	}
	return readdress(r.fields, s.key, parent, at), nil
}

// parentOf is the engine's id of the parent that a client names, or empty.
func (c *connection) parentOf(params wire.Fields) (string, *wire.Fault) {
	parent, _, err := params.Text("parent")
	if err != nil || parent == "" {
		return "", err
	}
	p := c.find(parent)
	if p == nil {
		return "", wire.UnknownSession(parent)
	}
	return p.key, nil
}

// parentIn is the engine's id of the parent in a ledger, if that is open. The ledger names it by the engine's id of the
// time when it was saved.
func (c *connection) parentIn(ledger []byte) string {
	parent := wire.MemberText(ledger, "parent")
	if rest, inside := strings.CutPrefix(parent, insideMark); inside {
		_, parent, _ = strings.Cut(rest, "~")
	}
	if parent == "" {
		return ""
	}
	if p := c.find(parent); p != nil {
		return p.key
	}
	return ""
}

// theSession finds the session that a request is about.
func (c *connection) theSession(r *request) (*session, *wire.Fault) {
	id, there, err := r.fields.Text("id")
	if err != nil {
		return nil, err
	}
	if !there || id == "" {
		return nil, &wire.Fault{
			Code: wire.CodeInvalidParams, Message: r.method + ` needs "id", the id of a session.`,
			Data: []byte(`{"kind":"invalid_params","field":"id"}`),
		}
	}
	if s := c.find(id); s != nil {
		return s, nil
	}
	return nil, wire.UnknownSession(id)
}

// changeSession passes a change on to the engine, tells those who watch the session, and answers when the ledger is
// saved.
func (c *connection) changeSession(r *request) ([]byte, *wire.Fault) {
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

// recordSession is changeSession that also opens the session if the client asks for it: by "open": true, or by the
// parameters of ctx/session/open.
func (c *connection) recordSession(r *request) ([]byte, *wire.Fault) {
	how := r.fields.Get("open")
	with := len(how) > 0 && how[0] == '{'
	open := with
	if !with {
		var err *wire.Fault
		if open, err = r.fields.Flag("open"); err != nil {
			err.Message = `"open" must be true, false, or the parameters of ctx/session/open.`
			return nil, err
		}
	}
	id, _, err := r.fields.Text("id")
	if err != nil {
		return nil, err
	}
	if with {
		if err := c.addressOpening(r, how); err != nil {
			return nil, err
		}
	}
	if !open || id == "" || c.find(id) != nil {
		return c.changeSession(r)
	}
	shared, err := r.fields.Flag("shared")
	if err != nil {
		return nil, err
	}
	s, there, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case there != nil:
		return nil, sessionExists(id)
	}
	result, err := c.changeSession(r)
	if err != nil {
		c.server.abandon(s)
	}
	return result, err
}

// addressOpening rewrites the parameters by which records open their session: the parent becomes the engine's id, and
// members that only the daemon reads are left out. The records say which session it is.
func (c *connection) addressOpening(r *request, how []byte) *wire.Fault {
	opening, fault := wire.FieldsOf(how)
	if fault != nil {
		return wire.Invalid(`"open" cannot be used: ` + fault.Error() + ".")
	}
	parent, err := c.parentOf(opening)
	if err != nil {
		return err
	}
	addressed := append(appendForEngine([]byte{'{'}, opening, parent), '}')
	for i := range r.fields {
		if r.fields[i].Name == "open" {
			r.fields[i].Value = addressed
		}
	}
	return nil
}

// changeWith makes one call that changes a session, and tells its watchers. The client's answer waits until the change
// is saved.
func (c *connection) changeWith(r *request, s *session, method string, params []byte) ([]byte, *wire.Fault) {
	result, err := c.server.call(r.ctx, method, params)
	if err != nil {
		return nil, forClients(err, s)
	}
	reading := s.forClients(result)
	c.server.changed(s, reading)
	if s.save != "" && !transient(method, r.fields) {
		r.saves = s
	}
	return c.server.looking(c.look(), s, reading), nil
}

// transient says whether a restart may lose a change: a draft that the user is still typing, or a piece of an answer
// that is still streaming.
func transient(method string, params wire.Fields) bool {
	switch method {
	case "ctx/session/usage":
		return string(params.Get("final")) == "false"
	case "ctx/session/update":
		for _, m := range params {
			if m.Name != "id" && m.Name != "at" && m.Name != "draft" {
				return false
			}
		}
		return params.Get("draft") != nil
	}
	return false
}

// askSession passes a question on to the engine.
func (c *connection) askSession(r *request) ([]byte, *wire.Fault) {
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
		return nil, forClients(err, s)
	}
	result = s.forClients(result)
	if r.method == "ctx/session/reading" {
		look := c.look()
		if r.fields.Get("mode") != nil {
			look.mode = ""
		}
		result = c.server.looking(look, s, result)
	}
	return result, nil
}

func (c *connection) readingOf(s *session, r *request) ([]byte, *wire.Fault) {
	result, err := c.server.call(r.ctx, "ctx/session/reading", idParams(s.key))
	if err != nil {
		return nil, forClients(err, s)
	}
	return c.server.looking(c.look(), s, s.forClients(result)), nil
}

// restoreSession restores a ledger that the client has kept itself.
func (c *connection) restoreSession(r *request) ([]byte, *wire.Fault) {
	shared, err := r.fields.Flag("shared")
	if err != nil {
		return nil, err
	}
	id, _, err := r.fields.Text("id")
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = wire.MemberText(r.fields.Get("ledger"), "session")
	}
	if id == "" {
		id = c.freshID(shared)
	}
	parent, err := c.parentOf(r.fields)
	if err != nil {
		return nil, err
	}
	if parent == "" {
		parent = c.parentIn(r.fields.Get("ledger"))
	}
	s, there, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case there != nil:
		return nil, sessionExists(id)
	}
	result, err := c.changeWith(r, s, "ctx/session/restore", readdress(r.fields, s.key, parent, noTime))
	if err != nil {
		c.server.abandon(s)
	}
	return result, err
}

func restoreParams(key, parent string, ledger []byte) []byte {
	out := wire.AppendMember([]byte{'{'}, "id", wire.Quoted(key))
	if parent != "" {
		out = wire.AppendMember(out, "parent", wire.Quoted(parent))
	}
	return append(wire.AppendMember(out, "ledger", ledger), '}')
}

// idParams are the parameters of a call that only names a session.
func idParams(key string) []byte {
	return append(wire.AppendMember([]byte{'{'}, "id", wire.Quoted(key)), '}')
}

// closeSession ends a session and keeps nothing of it.
func (c *connection) closeSession(r *request) ([]byte, *wire.Fault) {
	s, err := c.theSession(r)
	if err != nil {
		return nil, err
	}
	if s.found {
		return nil, &wire.Fault{Code: wire.CodeRequestFailed, Message: "The session " + strconv.Quote(s.id) + " belongs to an agent on this machine; use ctx/unwatch to stop watching it."}
	}
	c.server.forget(s)
	c.server.end(s)
	return []byte("{}"), nil
}

// abandon removes a session that could not be opened from the table; what was saved of it stays.
func (s *Server) abandon(gone *session) {
	s.remove(gone)
	s.letGo(gone)
}

// end removes a session from the engine and from the table. Its ledger is left for a client that resumes it; that comes
// first, because the table is how such a client finds a session whose client has gone. The engine has no session of a
// client that went while its request to open one waited, and that is no trouble.
func (s *Server) end(gone *session) {
	s.letGo(gone)
	s.remove(gone)
	if _, err := s.call(noRequest, "ctx/session/close", idParams(gone.key)); err != nil && err.Code != wire.CodeUnknownSession {
		s.log.Warn("a session could not be closed", "session", gone.id, "error", err.Message)
	}
	s.followUpSoon()
}

// listSessions answers ctx/sessions with the sessions that this client may see.
func (c *connection) listSessions(r *request) ([]byte, *wire.Fault) {
	params := r.params
	if mode := c.look().mode; mode != "" && r.fields.Get("mode") == nil {
		params = append(wire.AppendMember([]byte{'{'}, "mode", wire.Quoted(mode)), '}')
	} else if len(params) == 0 {
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
		return nil, &wire.Fault{Code: wire.CodeInternal, Message: "The engine's list of sessions cannot be read: " + fault.Error() + "."}
	}
	out := []byte(`{"sessions":[`)
	n := 0
	for _, each := range list.Sessions {
		key := wire.MemberText(each, "session")
		c.server.mu.Lock()
		s := c.server.sessions[key]
		c.server.mu.Unlock()
		if s == nil || !c.sees(s) || s.found && s.unread() {
			continue
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = append(out, s.forClients(each)...)
	}
	return append(out, "]}"...), nil
}

// forward passes on a call that concerns no session.
func (c *connection) forward(r *request) ([]byte, *wire.Fault) {
	params := r.params
	if len(params) == 0 {
		params = []byte("{}")
	}
	return c.server.call(r.ctx, r.method, params)
}

// release ends the sessions of a client that is gone. Their ledgers stay, for when it comes back.
func (c *connection) release() {
	c.mu.Lock()
	c.watching, c.focus = nil, nil
	c.mu.Unlock()
	c.server.watcher.want()
	c.server.mu.Lock()
	c.released = true
	c.server.mu.Unlock()
	for _, s := range c.server.all(func(s *session) bool { return true }) {
		s.watchedBy(c, false)
		if s.owner == c {
			c.server.lanes.Run("session "+s.id, c.number, func() { c.server.end(s) })
		}
	}
	c.documents.closeAll()
	c.log.Info("a client has disconnected")
}
