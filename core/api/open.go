// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// opening contains the parameters for opening a session.
type opening struct {
	core.Identity
	Scope     string
	Mode      Mode
	Limits    core.Limits
	Reserve   int64
	Rule      chosenRule
	Reasoning ReasoningMode
	Settings  []setting
	Complete  bool
	Tail      bool
	HidePaths bool
	HeldBy    int64 // Unknown if no process holds the saved ledger
	SetAside  bool
	At        int64
	Panel     bool
	Rows      []core.HostRow
	Strict    bool
	Key       string
}

// newOpening returns an opening with the defaults of all parameters.
func newOpening() *opening {
	return &opening{
		Identity: core.Identity{Agent: "generic"},
		Limits:   core.NoLimits, Reserve: core.Unknown, HeldBy: core.Unknown, At: core.Unknown,
	}
}

func (c *Core) open(v json.Value) *Error {
	o, err := c.readOpening(v)
	if err != nil {
		return err
	}
	e, err := c.openSession(o)
	if err != nil {
		return err
	}
	c.writeReading(e)
	return nil
}

func (c *Core) readOpening(v json.Value) (*opening, *Error) {
	o := newOpening()
	if err := c.fillOpenParams(v, o); err != nil {
		return nil, err
	}
	if o.Agent == "" {
		o.Agent = "generic"
	}
	if o.Strict {
		if err := knownNames(o.Model, o.Provider); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// readSettings reads the environment variables and settings of an agent that affect its compaction threshold.
func readSettings(f *json.Fields, to *[]setting) (err *Error) {
	*to, err = settingsIn(f.Value)
	return err.within("settings")
}

// settingsIn returns the settings that rules read. Others are checked and dropped, so that no ledger has them.
func settingsIn(v json.Value) ([]setting, *Error) {
	if v.Kind() == json.Null {
		return nil, nil
	}
	if v.Kind() != json.Object {
		return nil, invalid("", "must be an object of strings, not "+v.Kind().String()+".")
	}
	var out []setting
	n := 0
	for f := v.Fields(); f.Next(); {
		if n++; n > 256 {
			return nil, about(LimitExceeded, "", "The parameter \"", "\" has more than 256 entries.")
		}
		at := setting{name: f.Key.String()}
		if err := readString(&f, &at.value); err != nil {
			return nil, err
		}
		if agent.KnowsSetting(at.name) {
			out = append(out, at)
		}
	}
	return out, onlyOnce(v)
}

// core returns the core's mode; the default is hybrid.
func (m Mode) core() core.Mode {
	if m == "provider" {
		return core.ProviderOnly
	}
	return core.Hybrid
}

func reasoningMode(name string) (core.ReasoningMode, bool) {
	for i, n := range reasoningModeWords {
		if n == name {
			return core.ReasoningMode(i), true
		}
	}
	return 0, false
}

func (c *Core) openSession(o *opening) (*entry, *Error) {
	parent := c.visible(o.Scope, o.Parent)
	if o.Parent != "" && parent == nil {
		return nil, NoParent(o.Parent)
	}
	if o.ID != "" && c.find(o.Scope, o.ID) != nil {
		return nil, SessionIsOpen(o.ID)
	}
	if len(c.sessions) >= MaxSessions {
		return nil, TooManySessions()
	}
	if o.ID == "" {
		o.ID = c.newID(o.Scope)
	}
	s := core.New(o.Identity, c.vocabularies)
	s.Reserve = o.Reserve
	s.UseKey(core.KeyOf(o.Key))
	s.HidePaths(o.HidePaths)
	s.Mode = o.Mode.core()
	if mode, ok := reasoningMode(string(o.Reasoning)); ok {
		s.FixReasoning(mode)
	}
	if o.Limits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: o.Limits, Source: core.FromUser})
	}
	e := c.add(s, o.Scope, parent)
	e.settings, e.inWords, e.hostRows = o.Settings, o.Panel, o.Rows
	e.setRule(o.Rule)
	c.recall(e)
	s.Apply(core.CompletenessKnown{Complete: o.Complete})
	if o.Tail {
		s.Apply(core.BegunBefore{})
	}
	if o.SetAside || o.HeldBy != core.Unknown {
		s.Apply(core.PastUnread{Process: o.HeldBy, SetAside: o.SetAside})
	}
	if o.At != core.Unknown {
		s.Apply(core.At{Milliseconds: o.At})
	}
	return e, nil
}
