// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// keptNumbers is the longest ledger whose memory is kept for the next one.
const keptNumbers = 16 << 10

// keptState is the same bound for what a reader remembers.
const keptState = 64 << 10

// saved is a session's ledger and what is saved beside it.
type saved struct {
	*core.Ledger
	Reader *agent.State // nil where there is no reader, or it remembers too much
	entry  *entry
}

// save writes the ledger of a session: counts and labels, never text.
func (c *Core) save(v json.Value) *Error {
	if err := c.fillSessionParams(v); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	ledger, state := &c.ledger, &c.remembered
	e.session.SaveTo(ledger)
	answer := saved{Ledger: ledger, entry: e}
	// A reader that has read further than its session, because a vocabulary is
	// missing, is left out.
	if e.feed.reader != nil && len(e.feed.waiting) == 0 && agent.Save(e.feed.agent, e.feed.reader, state) {
		answer.Reader = state
	}
	writeSaveAnswer(&c.out, &answer)
	clear(ledger.Names) // they may belong to a session that is closed soon
	if cap(ledger.Numbers) > keptNumbers {
		ledger.Numbers = nil
	}
	clear(state.Names)
	if cap(state.Bytes) > keptState {
		state.Bytes = nil
	}
	return nil
}

func writeSettings(w *json.Writer, settings []setting) {
	w.BeginObject()
	for _, s := range settings {
		w.Key(s.name)
		w.String(s.value)
	}
	w.EndObject()
}

// restore opens a session from a saved ledger, under its own id or another.
func (c *Core) restore(v json.Value) *Error {
	var p restoreParams
	if err := c.fillRestoreParams(v, &p); err != nil {
		return err
	}
	ledger := p.Ledger
	if ledger.Kind() != json.Object {
		return invalid("ledger", "must be what ctx/session/save answered, not "+ledger.Kind().String()+".")
	}
	var saved core.Ledger
	schema, known := ledger.Get("schema").String(), false
	if saved.Version, known = core.LedgerVersionOf(schema); !known {
		return &Error{
			Kind: BadLedger, Field: "ledger.schema", Name: shorten(schema), Known: []string{core.LedgerSchema},
			Message: "The ledger's schema is \"" + shorten(schema) + "\"; this version reads " + core.LedgerSchema + " and those before it.",
		}
	}
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
	settings, err := settingsIn(ledger.Get("settings"))
	if err != nil && ledger.Get("settings").Exists() {
		return err.within("ledger.settings")
	}
	reader, ok := readReader(ledger.Get("reader"), saved.Version)
	if !ok {
		return damaged()
	}
	s, ok := core.Restore(saved, c.vocabularies)
	if !ok {
		return damaged()
	}
	if p.ID != "" {
		s.ID = p.ID
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
		if spec, err = c.ruleIn(asked); err != nil {
			return damaged()
		}
	}
	if p.Parent == "" {
		p.Parent = s.Parent
	}
	s.Parent = ""
	e := c.add(s, c.find(p.Parent))
	e.settings = settings
	e.restored = true
	e.setRule(spec)
	if reader != nil {
		e.feed.agent, e.feed.reader = ledger.Get("reader").Get("agent").String(), reader
		e.feed.halfway = agent.Children(reader)
		limits, _ := s.Limits()
		e.feed.seen = agentState{s.Agent, s.AgentVersion, s.Model, s.Provider, s.Workspace, limits}
	}
	c.writeReading(e)
	return nil
}

// readReader makes the reader that a ledger describes; it is nil where the
// ledger has none.
func readReader(v json.Value, version int) (agent.Reader, bool) {
	if !v.Exists() {
		return nil, true
	}
	if v.Kind() != json.Object || v.Get("agent").Kind() != json.String || v.Get("names").Kind() != json.Array {
		return nil, false
	}
	state := agent.State{Agent: v.Get("agent").String(), Version: version}
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
