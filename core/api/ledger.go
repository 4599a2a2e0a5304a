// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// keptNumbers is how long a ledger may be for its room to be used again.
const keptNumbers = 16 << 10

// keptState is the same for what a reader remembers.
const keptState = 64 << 10

// save writes the ledger of a session: counts and labels, never text.
func (c *Core) save(v json.Value) *Error {
	if err := only(v, []string{"id"}); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	ledger := &c.ledger
	e.session.SaveTo(ledger)
	w := &c.out
	w.BeginObject()
	w.Field("ledger")
	w.BeginObject()
	text(w, "schema", core.LedgerSchema)
	text(w, "session", e.session.ID)
	if e.session.Parent != "" {
		text(w, "parent", e.session.Parent) // for hosts that keep families together
	}
	w.Field("settings")
	w.BeginObject()
	for _, s := range e.settings {
		w.Key(s.name)
		w.String(s.value)
	}
	w.EndObject()
	w.Field("names")
	w.BeginArray()
	for _, name := range ledger.Names {
		w.String(name)
	}
	w.EndArray()
	w.Field("numbers")
	w.Ints(ledger.Numbers)
	c.saveReader(e)
	w.EndObject()
	w.EndObject()
	clear(ledger.Names) // they may be a session's that is closed soon
	if cap(ledger.Numbers) > keptNumbers {
		ledger.Numbers = nil
	}
	return nil
}

// restore opens a session from a saved ledger, under its own id or another.
func (c *Core) restore(v json.Value) *Error {
	if err := only(v, []string{"ledger", "id", "parent"}); err != nil {
		return err
	}
	id, parent := "", ""
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "id":
			err = readString(&f, &id)
		case "parent":
			err = readString(&f, &parent)
		}
		if err != nil {
			return err
		}
	}
	ledger := v.Get("ledger")
	if ledger.Kind() != json.Object {
		return invalid("ledger", "must be what ctx/session/save answered, not "+ledger.Kind().String()+".")
	}
	if schema := ledger.Get("schema"); !schema.Is(core.LedgerSchema) {
		return &Error{
			Kind: BadLedger, Field: "ledger.schema", Name: shorten(schema.String()), Known: []string{core.LedgerSchema},
			Message: "The ledger's schema is \"" + shorten(schema.String()) + "\"; this version reads " + core.LedgerSchema + ".",
		}
	}
	var saved core.Ledger
	for e := ledger.Get("numbers").Elements(); e.Next(); {
		n, fault := e.Value.Int64()
		if fault != json.NumberOK {
			return damaged()
		}
		saved.Numbers = append(saved.Numbers, n)
	}
	for e := ledger.Get("names").Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return damaged()
		}
		saved.Names = append(saved.Names, e.Value.String())
	}
	settings, err := readSettings(ledger.Get("settings"))
	if err != nil && ledger.Get("settings").Exists() {
		return err.within("ledger.settings")
	}
	reader, ok := readReader(ledger.Get("reader"))
	if !ok {
		return damaged()
	}
	s, ok := core.Restore(saved, c.shop)
	if !ok {
		return damaged()
	}
	if id != "" {
		s.ID = id
	}
	if c.find(s.ID) != nil {
		return &Error{Kind: SessionExists, Name: shorten(s.ID), Message: "The session \"" + shorten(s.ID) + "\" is open already; close it first or restore under another id."}
	}
	if len(c.sessions) >= MaxSessions {
		return &Error{Kind: LimitExceeded, Message: "There are " + strconv.Itoa(MaxSessions) + " sessions open; close some first."}
	}
	spec := ruleSpec{}
	if s.RuleText != "" {
		var doc json.Document
		asked, fault := doc.Parse([]byte(s.RuleText))
		if fault != nil {
			return damaged()
		}
		if spec, err = readRule(asked); err != nil {
			return damaged()
		}
	}
	if parent == "" {
		parent = s.Parent
	}
	s.Parent = ""
	e := c.add(s, c.find(parent))
	e.settings = settings
	e.restored = true
	e.setRule(spec)
	if reader != nil {
		e.feed.agent, e.feed.reader = ledger.Get("reader").Get("agent").String(), reader
		e.feed.halfway = agent.Children(reader)
		limits, _ := s.Limits()
		e.feed.seen = agentState{s.Agent, s.AgentVersion, s.Model, s.Workspace, limits}
	}
	c.writeReading(e)
	return nil
}

// saveReader writes what the reader of a transcript remembers, so that the
// session can go on in the middle of it. One that has read ahead of its
// session, for want of a vocabulary, is left out.
func (c *Core) saveReader(e *entry) {
	if e.feed.reader == nil || len(e.feed.waiting) > 0 {
		return
	}
	state := &c.remembered
	if agent.Save(e.feed.agent, e.feed.reader, state) {
		w := &c.out
		w.Field("reader")
		w.BeginObject()
		text(w, "agent", state.Agent)
		w.Field("names")
		w.BeginArray()
		for _, name := range state.Names {
			w.String(name)
		}
		w.EndArray()
		w.Field("state")
		w.Base64(state.Bytes)
		w.EndObject()
	}
	clear(state.Names)
	if cap(state.Bytes) > keptState {
		state.Bytes = nil
	}
}

// readReader makes the reader that a ledger has; nil where it has none.
func readReader(v json.Value) (agent.Reader, bool) {
	if !v.Exists() {
		return nil, true
	}
	if v.Kind() != json.Object || v.Get("agent").Kind() != json.String || v.Get("names").Kind() != json.Array {
		return nil, false
	}
	state := agent.State{Agent: v.Get("agent").String()}
	for e := v.Get("names").Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return nil, false
		}
		state.Names = append(state.Names, e.Value.String())
	}
	ok := false
	if state.Bytes, ok = v.Get("state").Base64(); !ok {
		return nil, false
	}
	reader := agent.Restore(state)
	return reader, reader != nil
}

func damaged() *Error {
	return &Error{Kind: BadLedger, Field: "ledger", Message: "The ledger is damaged or of another version; open the session anew."}
}
