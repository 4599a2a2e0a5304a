// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// noRequest is for calls that do not come from a client.
var noRequest = context.Background()

// This file handles the conversations that editors send: every method under ctx/session.

// openSession opens a private or shared session for this client, or resumes a saved one.
func (c *connection) openSession(r *request) ([]byte, *api.Error) {
	shared, err := boolParam(r.fields, "shared")
	if err != nil {
		return nil, err
	}
	resume, err := boolParam(r.fields, "resume")
	if err != nil {
		return nil, err
	}
	if misnamed(r.fields, "id") {
		return nil, c.refused(r)
	}
	id := c.named(r, shared)
	s, existing, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case existing != nil && shared && existing.owner == nil:
		// Another client has opened this session already, so this one joins.
		existing.watchedBy(c, true)
		return c.readingOf(existing, r)
	case existing != nil:
		return nil, c.isOpen(r, existing)
	}
	result, failed := c.openInEngine(r, s, resume)
	if failed != nil {
		c.notMade(id)
		c.server.abandon(s)
		return nil, failed
	}
	return result, nil
}

// misnamed reports whether a call has a name that is not a string, which the engine refuses.
func misnamed(fields wire.Fields, name string) bool {
	value := fields.Get(name)
	return value != nil && value[0] != '"' && string(value) != "null"
}

// named returns the session id in a call. If it is missing, named generates one and adds it to the call.
func (c *connection) named(r *request, shared bool) string {
	id := r.fields.Text("id")
	if id == "" {
		id = c.freshID(shared)
		r.fields = append(slices.DeleteFunc(slices.Clone(r.fields), func(m wire.Member) bool { return m.Name == "id" }),
			wire.Member{Name: "id", Value: wire.Quoted(id)})
	}
	return id
}

// isOpen returns the error for opening a session that exists. The engine is called first, because it reports wrong
// parameters before that.
func (c *connection) isOpen(r *request, existing *session) *api.Error {
	_, err := c.server.call(r.ctx, r.method, c.paramsFor(r.fields, existing.scope, false))
	if err == nil {
		return api.SessionIsOpen(existing.id) // the engine had lost the session
	}
	return err
}

// refused returns the engine's error for a call about a session that this client cannot see.
func (c *connection) refused(r *request) *api.Error {
	_, err := c.server.call(r.ctx, r.method, c.paramsFor(r.fields, c.scope, false))
	if err == nil {
		c.log.Error("the engine answered a call about a session that is not open", "method", r.method)
		return api.NoSession(r.fields.Text("id"))
	}
	return err
}

// enterSession adds a new session to the table, or returns the one that is already there.
func (c *connection) enterSession(id string, shared bool) (fresh, existing *session, err *api.Error) {
	s := c.newSession(id, shared)
	if c.server.options.State != nil {
		s.ledger = c.server.ledgerName(c, s)
		s.save = c.server.options.State.Next(s.ledger)
	}
	entered := c.server.enter(s)
	if entered != s {
		c.server.releaseLedger(s)
	}
	switch entered {
	case nil:
		return nil, nil, cancelled() // the client has disconnected in the meantime
	case s:
		return s, nil, nil
	default:
		return nil, entered, nil
	}
}

func (c *connection) openInEngine(r *request, s *session, resume bool) ([]byte, *api.Error) {
	var past unreadPast
	if resume {
		result, resumed, unread, err := c.resume(r, s)
		if resumed {
			return result, err
		}
		past = unread
	}
	fields := r.fields
	switch {
	case past.held != nil:
		fields = with(fields, "heldBy", wire.NumberText(int64(past.held.process)))
	case past.setAside:
		fields = with(fields, "setAside", []byte("true"))
	}
	result, err := c.changeWith(r, s, "ctx/session/open", c.paramsFor(c.keyed(r, s, fields), s.scope, true))
	if err == nil && s.ledger != "" {
		c.server.options.State.Supersede(s.ledger)
	}
	return result, err
}

// keyFor returns the key of a saved session's digests: the client's own if it sends one, otherwise the user's secret.
func (c *connection) keyFor(r *request, s *session) string {
	if r.fields.Get("key") == nil && s.ledger != "" {
		return c.server.options.State.Secret()
	}
	return r.fields.Text("key")
}

// keyed adds the key from keyFor to a client's parameters, unless they have one.
func (c *connection) keyed(r *request, s *session, fields wire.Fields) wire.Fields {
	if key := c.keyFor(r, s); key != "" && fields.Get("key") == nil {
		return with(fields, "key", wire.Quoted(key))
	}
	return fields
}

// unreadPast is the reason why a saved session starts over.
type unreadPast struct {
	held     *heldError
	setAside bool
}

// resume continues a saved session. resumed is false if none is saved, if it cannot be restored, or if its ledger is
// held by another session, which may be a different conversation with the same name.
func (c *connection) resume(r *request, s *session) (result []byte, resumed bool, past unreadPast, err *api.Error) {
	saved, fault := c.server.awaitLedgers(r.ctx, s)
	if refused := cannotBeRead(s, fault); refused != nil {
		return nil, true, past, refused // the saved session exists, and a new one would replace it
	}
	switch {
	case errors.As(fault, &past.held):
		c.warn("Session " + strconv.Quote(s.id) + ": " + past.held.Error() + ".")
		if s.owner == nil {
			return nil, true, past, heldLedgerError(s, past.held)
		}
		return nil, false, past, nil
	case fault != nil && errors.Is(fault, r.ctx.Err()):
		return nil, true, past, cancelled()
	}
	for i, ledger := range saved.ledgers {
		older := saved.older || i > 0
		restored := client.Call(c.server.callRaw).Restore(r.ctx, &api.RestoreParams{ID: s.id, Scope: s.scope, Ledger: ledger, Key: c.keyFor(r, s), Older: older})
		result, err := changedBy(c, r, s, "ctx/session/restore", restored)
		if err == nil && older {
			c.logMessage(messageWarning, "The newest saved state of session "+strconv.Quote(s.id)+" is damaged or was not saved, so it continues from an "+
				"earlier one: its number is marked until a request is measured.")
		}
		if err == nil && saved.others > 0 {
			c.logMessage(messageWarning, "There are "+strconv.Itoa(saved.others+1)+" saved conversations called "+strconv.Quote(s.id)+
				", so which one this was is unknown. It continues the one saved last; use different ids to distinguish them.")
		}
		if err == nil || !refusesLedger(err) {
			return result, true, past, err // do not lose a saved session because of a temporary failure
		}
		if fault == nil {
			fault = err // report the error of the newest ledger
		}
	}
	if fault != nil {
		past.setAside = true
		c.logMessage(messageWarning, "The saved session "+strconv.Quote(s.id)+" was set aside as "+c.server.setAside(s)+" and starts over: its size is "+
			"unknown until a request is measured or its transcript is read again. Reason: "+fault.Error())
	}
	if saved.missing {
		past.setAside = true
		c.logMessage(messageWarning, "The saved session "+strconv.Quote(s.id)+" is missing: its ledger was removed, by something else or because of its age. "+
			"Its size is unknown until a request is measured or its transcript is read again.")
	}
	return nil, false, past, nil
}

// refusesLedger reports whether the engine cannot use a ledger. The daemon writes the other parameters of a restore
// itself, so errors about the parameters are about the ledger.
func refusesLedger(err *api.Error) bool {
	return err.Kind == api.BadLedger || err.Kind == api.InvalidParams || err.Kind == api.ParseError
}

func (c *connection) newSession(id string, shared bool) *session {
	s := &session{scope: c.scope, id: id, owner: c, watchers: map[*connection]struct{}{c: {}}}
	if shared {
		s.scope, s.owner = "", nil
	}
	s.key = keyOf(s.scope, id)
	return s
}

// freshID returns an unused id: for a private session numbered like the core's own, or for a shared one.
func (c *connection) freshID(shared bool) string {
	made, prefix := &c.made, "s"
	if shared {
		made, prefix = &c.server.shared, "shared-s"
	}
	for {
		id := prefix + strconv.Itoa(int(made.Add(1)))
		if c.find(id) == nil {
			return id
		}
	}
}

// notMade releases an id from freshID whose session was not opened, if it is the last one.
func (c *connection) notMade(id string) {
	if n := c.made.Load(); id == "s"+strconv.Itoa(int(n)) {
		c.made.CompareAndSwap(n, n-1)
	}
}

// paramsFor returns a client's parameters for the engine, in a scope. All but the daemon's own parameters remain as the
// client wrote them, so that the engine refuses the same calls as for any host. If timed is set, it adds the time,
// because the core has no clock.
func (c *connection) paramsFor(fields wire.Fields, scope string, timed bool) []byte {
	var w json.Writer
	w.BeginObject()
	if scope != "" {
		w.StringField(`,"scope":`, scope)
	}
	forCore(&w, fields)
	if timed && fields.Get("at") == nil {
		w.Key("at")
		w.Int(c.server.options.Now().UnixMilli())
	}
	w.EndObject()
	return w.Buf
}

// forCore writes the parameters that the core accepts.
func forCore(w *json.Writer, fields wire.Fields) {
	for _, m := range fields {
		switch {
		case m.Name == "shared" || m.Name == "resume":
			continue
		case m.Name == "open" && m.Value[0] == '{':
			w.Key("open")
			w.BeginObject()
			forCore(w, wire.FieldsOf(m.Value))
			w.EndObject()
		default:
			w.Key(m.Name)
			w.Raw(m.Value)
		}
	}
}

// with returns a copy of fields with name set to value.
func with(fields wire.Fields, name string, value []byte) wire.Fields {
	others := slices.DeleteFunc(slices.Clone(fields), func(m wire.Member) bool { return m.Name == name })
	return append(others, wire.Member{Name: name, Value: value})
}

// theSession returns the session that a request names, or nil if this client cannot see one with that id.
func (c *connection) theSession(r *request) *session {
	if id := r.fields.Text("id"); id != "" {
		return c.find(id)
	}
	return nil
}

// changeSession passes a change to the engine, and notifies the session's watchers. The response is sent once the
// ledger is saved.
func (c *connection) changeSession(r *request) ([]byte, *api.Error) {
	s := c.theSession(r)
	if s == nil {
		return nil, c.refused(r)
	}
	return c.changeWith(r, s, r.method, c.paramsFor(r.fields, s.scope, true))
}

// recordSession is changeSession that first opens the session if the client requests it: with "open": true, or with the
// parameters of ctx/session/open.
func (c *connection) recordSession(r *request) ([]byte, *api.Error) {
	how := r.fields.Get("open")
	open := how != nil && (how[0] == '{' || string(how) == "true")
	shared, err := boolParam(r.fields, "shared")
	if err != nil {
		return nil, err
	}
	if !open || misnamed(r.fields, "id") {
		return c.changeSession(r)
	}
	id := c.named(r, shared)
	if c.find(id) != nil {
		return c.changeSession(r)
	}
	s, existing, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case existing != nil:
		return nil, c.isOpen(r, existing)
	}
	result, err := c.changeSession(r)
	if err != nil {
		c.notMade(id)
		c.server.abandon(s)
	}
	return result, err
}

// changeWith makes one call that changes a session, and notifies its watchers. The response is sent once the change is
// saved.
func (c *connection) changeWith(r *request, s *session, method string, params []byte) ([]byte, *api.Error) {
	result, err := c.server.call(r.ctx, method, params)
	if err != nil {
		return nil, err
	}
	return c.publishChange(r, s, method, result), nil
}

// changedBy is changeWith for a call that the daemon has already made.
func changedBy[T any](c *connection, r *request, s *session, method string, answer client.Answer[T]) ([]byte, *api.Error) {
	result, fault := answer.JSON()
	result, err := c.server.outcome(r.ctx, method, result, fault)
	if err != nil {
		return nil, err
	}
	return c.publishChange(r, s, method, result), nil
}

// publishChange sends the Reading after a change to the session's watchers, and returns it in the form that this client
// wants.
func (c *connection) publishChange(r *request, s *session, method string, result []byte) []byte {
	s.setUnsaved(true)
	c.server.changed(s, result)
	if s.save != "" && !transient(method, r.fields) {
		r.saves = s
	}
	return c.server.viewed(c.readingView(), s, result)
}

// transient reports whether a restart may lose a change: a draft that the user is still typing, or part of a response
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

// askSession passes a query to the engine.
func (c *connection) askSession(r *request) ([]byte, *api.Error) {
	s := c.theSession(r)
	if s == nil {
		return nil, c.refused(r)
	}
	fields, look := r.fields, c.readingView()
	if r.method == "ctx/session/reading" {
		if look.mode != "" && fields.Get("mode") == nil {
			fields = with(fields, "mode", wire.Quoted(look.mode))
		}
		if string(fields.Get("panel")) == "true" && fields.Get("rows") == nil {
			fields = with(fields, "rows", encoded(s.hostRows()))
		}
	}
	result, err := c.server.call(r.ctx, r.method, c.paramsFor(fields, s.scope, false))
	if err != nil {
		return nil, err
	}
	if r.method == "ctx/session/reading" {
		look.mode, look.panel = "", false // the engine has seen to both
		result = c.server.viewed(look, s, result)
	}
	return result, nil
}

func (c *connection) readingOf(s *session, r *request) ([]byte, *api.Error) {
	result, err := c.server.readingOf(r.ctx, s, "", false)
	if err != nil {
		return nil, err
	}
	return c.server.viewed(c.readingView(), s, result), nil
}

// restoreSession restores a session from a ledger that the client has stored itself.
func (c *connection) restoreSession(r *request) ([]byte, *api.Error) {
	shared, err := boolParam(r.fields, "shared")
	if err != nil {
		return nil, err
	}
	if misnamed(r.fields, "id") {
		return nil, c.refused(r)
	}
	ledger := r.fields.Get("ledger")
	if own := wire.MemberText(ledger, "session"); own != "" && r.fields.Text("id") == "" {
		r.fields = with(r.fields, "id", wire.Quoted(own))
	}
	id := c.named(r, shared)
	s, existing, err := c.enterSession(id, shared)
	switch {
	case err != nil:
		return nil, err
	case existing != nil:
		return nil, c.isOpen(r, existing)
	}
	result, err := c.changeWith(r, s, r.method, c.paramsFor(c.keyed(r, s, r.fields), s.scope, false))
	if err != nil {
		c.server.abandon(s)
	}
	return result, err
}

// closeSession ends a session and deletes its saved ledger. What it has taught is kept. The other clients of a shared
// session are notified: the one that closes it may start over under the same id, so it cannot stay open for them.
func (c *connection) closeSession(r *request) ([]byte, *api.Error) {
	s := c.theSession(r)
	if s == nil {
		return nil, c.refused(r)
	}
	if s.found {
		return nil, &api.Error{Kind: api.RequestFailed, Message: "The session " + strconv.Quote(s.id) + " belongs to an agent on this machine; use ctx/unwatch to stop watching it."}
	}
	if len(r.fields) > 1 { // let the engine refuse the others
		if _, err := c.server.call(r.ctx, r.method, c.paramsFor(r.fields, s.scope, false)); err != nil {
			return nil, err
		}
	}
	c.server.keepLearned()
	c.server.forget(s)
	c.server.end(s)
	s.watchedBy(c, false) // it knows
	c.server.sendClosed(s)
	return []byte("{}"), nil
}

// abandon removes a session that could not be opened from the table. Its saved ledgers stay.
func (s *Server) abandon(failed *session) {
	s.remove(failed)
	s.releaseLedger(failed)
}

// end removes a session from the engine and from the table. Its ledger is released first, so that another client can
// resume the session. If the client disconnected while its open request was queued, the engine has no such session;
// that is not an error.
func (s *Server) end(closed *session) {
	s.releaseLedger(closed)
	s.remove(closed)
	_, err := client.Call(s.callRaw).Close(noRequest, &api.SessionParams{ID: closed.id, Scope: closed.scope}).JSON()
	if err != nil && !client.Refused(err, api.UnknownSession) {
		s.log.Warn("a session could not be closed", "session", closed.id, "error", err)
	}
	s.followUpSoon()
}

// listSessions answers ctx/sessions with the sessions that this client may see.
func (c *connection) listSessions(r *request) ([]byte, *api.Error) {
	fields := r.fields
	if mode := c.readingView().mode; mode != "" && fields.Get("mode") == nil {
		fields = with(fields, "mode", wire.Quoted(mode))
	}
	result, err := c.server.call(r.ctx, r.method, c.paramsFor(fields, c.scope, false))
	if err != nil {
		return nil, err
	}
	var w json.Writer
	w.BeginObject()
	w.Key("sessions")
	w.BeginArray()
	wire.ReadValue(result, func(v json.Value) {
		for each := v.Get("sessions").Elements(); each.Next(); {
			if s := c.find(each.Value.Get("session").String()); s != nil && (!s.found || !s.unread()) {
				w.Raw(each.Value.Raw())
			}
		}
	})
	w.EndArray()
	w.EndObject()
	return w.Buf, nil
}

// forward passes a call that is not about a session to the engine.
func (c *connection) forward(r *request) ([]byte, *api.Error) {
	return c.server.call(r.ctx, r.method, r.params)
}

// release ends the sessions of a client that has disconnected. Their ledgers stay, so that it can resume them.
func (c *connection) release() {
	c.mu.Lock()
	c.watching, c.focus = nil, nil
	c.mu.Unlock()
	c.server.watcher.want()
	c.server.mu.Lock()
	c.released = true
	c.server.mu.Unlock()
	for _, s := range c.server.all(func(*session) bool { return true }) {
		s.watchedBy(c, false)
	}
	own := c.server.all(func(s *session) bool { return s.owner == c })
	if len(own) > 0 {
		c.server.keepLearned()
	}
	for _, s := range own {
		if c.last {
			c.server.unmeasure(s) // closing each session would only delay the end of the daemon
			continue
		}
		c.server.lanes.Run("session "+s.id, c.number, func() { c.server.end(s) })
	}
	c.documents.closeAll()
	c.log.Info("a client has disconnected")
}
