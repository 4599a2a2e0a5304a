// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// LedgerSchema returns the schema of the ledgers that this build saves. It restores no other.
func LedgerSchema() string { return "ctx.ledger/" + core.LedgerFormat() }

// keptState is the largest buffer that is kept for the next ledger, both for a session's state and for a reader's.
const keptState = 64 << 10

// saved is a session's ledger with what is saved in addition.
type saved struct {
	*core.Ledger
	Reader *agent.State // nil if there is no reader, or its state is too large
	entry  *entry
}

// save returns the ledger of a session: counts, labels and the title.
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
	// The state of a reader that has read further than its session, because a vocabulary is missing, is left out.
	if e.feed.reader != nil && len(e.feed.waiting) == 0 && agent.Save(e.feed.agent, e.feed.reader, state) {
		answer.Reader = state
	}
	writeSaveAnswer(&c.out, &answer)
	clear(ledger.Names) // they may belong to a session that is closed soon
	if cap(ledger.State) > keptState {
		ledger.State = nil
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

// restore opens a session from a saved ledger, under its own id or another one.
func (c *Core) restore(v json.Value) *Error {
	var p restoreParams
	if err := c.fillRestoreParams(v, &p); err != nil {
		return err
	}
	ledger := p.Ledger
	if ledger.Kind() != json.Object {
		return invalid("ledger", "must be what ctx/session/save answered, not "+ledger.Kind().String()+".")
	}
	schema := ledger.Get("schema").String()
	if schema != LedgerSchema() {
		return foreign("ledger.schema", schema, LedgerSchema())
	}
	saved, ok := core.Ledger{Format: core.LedgerFormat()}, false
	if saved.Names, ok = stringsIn(ledger.Get("names")); !ok {
		return damaged()
	}
	if saved.State, ok = ledger.Get("state").Base64(); !ok {
		return damaged()
	}
	settings, err := settingsIn(ledger.Get("settings"))
	if err != nil && ledger.Get("settings").Exists() {
		return err.within("ledger.settings")
	}
	reader, err := readReader(ledger.Get("reader"))
	if err != nil {
		return err
	}
	s, ok := core.Restore(saved, c.vocabularies)
	if !ok {
		return damaged()
	}
	s.UseKey(core.KeyOf(p.Key))
	if p.ID != "" {
		s.ID = p.ID
	}
	if c.find(p.Scope, s.ID) != nil {
		return SessionIsOpen(s.ID)
	}
	if len(c.sessions) >= MaxSessions {
		return TooManySessions()
	}
	spec := chosenRule{}
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
	e := c.add(s, p.Scope, c.visible(p.Scope, p.Parent))
	e.settings = settings
	e.restored = true
	e.setRule(spec)
	if p.Older {
		s.Apply(core.PastOlder{})
	}
	if reader != nil {
		e.feed.agent, e.feed.reader = ledger.Get("reader").Get("agent").String(), reader
		e.feed.halfway = agent.Children(reader)
		limits, _ := s.Limits()
		e.feed.seen = agentState{s.Agent, s.AgentVersion, s.Model, s.Provider, s.Workspace, limits}
	}
	if c.taught { // what other sessions have shown since the ledger was saved
		c.recall(e)
	}
	c.writeReading(e)
	return nil
}

// readReader returns the reader that a ledger describes, or nil if it describes none.
func readReader(v json.Value) (agent.Reader, *Error) {
	if !v.Exists() {
		return nil, nil
	}
	by, format := v.Get("agent"), v.Get("format")
	if v.Kind() != json.Object || by.Kind() != json.String || format.Kind() != json.String {
		return nil, damaged()
	}
	state := agent.State{Agent: by.String(), Format: format.String()}
	if own := agent.StateFormat(state.Agent); state.Format != own && own != "" {
		return nil, foreign("ledger.reader.format", state.Format, own)
	}
	named, ok := stringsIn(v.Get("names"))
	if !ok {
		return nil, damaged()
	}
	state.Names = named
	if state.Bytes, ok = v.Get("state").Base64(); !ok {
		return nil, damaged()
	}
	reader := agent.Restore(state)
	if reader == nil {
		return nil, damaged()
	}
	return reader, nil
}

// stringsIn returns the elements of a list; ok is false unless v is a list of strings.
func stringsIn(v json.Value) (list []string, ok bool) {
	for e := v.Elements(); e.Next(); {
		if e.Value.Kind() != json.String {
			return nil, false
		}
		list = append(list, e.Value.String())
	}
	return list, v.Kind() == json.Array
}

// foreign returns the error for a ledger that another build has saved.
func foreign(field, format, own string) *Error {
	return &Error{
		Kind: BadLedger, Field: field, Name: shorten(format), Known: []string{own},
		Message: "The ledger has the format \"" + shorten(format) + "\", and this build of ctx-lsp reads only its own, \"" + own + "\". Open the session again.",
	}
}

func damaged() *Error {
	return &Error{Kind: BadLedger, Field: "ledger", Message: "The ledger is damaged. Open the session again."}
}
