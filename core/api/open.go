// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

var openFields = []string{"id", "agent", "agentVersion", "model", "provider", "route", "workspace", "mode", "limits", "reserve", "rule", "reasoning", "parent", "label", "settings", "at"}

// opening is what a session is opened with.
type opening struct {
	id        core.Identity
	mode      core.Mode
	limits    core.Limits
	reserve   int64
	rule      ruleSpec
	reasoning string
	settings  []setting
	at        int64
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
	o := &opening{limits: core.NoLimits, reserve: core.Unknown, at: core.Unknown}
	o.id.Agent = "generic"
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch {
		case f.KeyIs("id"):
			err = readString("id", f.Value, &o.id.ID)
		case f.KeyIs("agent"):
			if err = readString("agent", f.Value, &o.id.Agent); err == nil && !knownAgent(o.id.Agent) {
				err = unknownName("agent", "agent", o.id.Agent, agentNames())
			}
		case f.KeyIs("agentVersion"):
			err = readString("agentVersion", f.Value, &o.id.AgentVersion)
		case f.KeyIs("model"):
			err = readString("model", f.Value, &o.id.Model)
		case f.KeyIs("provider"):
			err = readString("provider", f.Value, &o.id.Provider)
		case f.KeyIs("route"):
			err = readString("route", f.Value, &o.id.Route)
		case f.KeyIs("workspace"):
			err = readString("workspace", f.Value, &o.id.Workspace)
		case f.KeyIs("label"):
			err = readString("label", f.Value, &o.id.Label)
		case f.KeyIs("mode"):
			mode := ""
			if err = readString("mode", f.Value, &mode); err == nil {
				switch mode {
				case "", "hybrid":
				case "provider":
					o.mode = core.ProviderOnly
				default:
					err = unknownName("mode", "mode", mode, []string{"hybrid", "provider"})
				}
			}
		case f.KeyIs("limits"):
			err = readLimits("limits", f.Value, &o.limits)
		case f.KeyIs("reserve"):
			err = readOptional("reserve", f.Value, &o.reserve)
		case f.KeyIs("rule"):
			o.rule, err = readRule("rule", f.Value)
		case f.KeyIs("reasoning"):
			if err = readString("reasoning", f.Value, &o.reasoning); err == nil {
				if _, ok := reasoningMode(o.reasoning); !ok && o.reasoning != "" {
					err = unknownName("reasoning", "mode of reasoning", o.reasoning, reasoningNames)
				}
			}
		case f.KeyIs("parent"):
			if err = readString("parent", f.Value, &o.id.Parent); err == nil && o.id.Parent != "" && c.find(o.id.Parent) == nil {
				err = &Error{Kind: UnknownSession, Field: "parent", Name: shorten(o.id.Parent), Message: "There is no session \"" + shorten(o.id.Parent) + "\" to be the parent; open it first."}
			}
		case f.KeyIs("settings"):
			o.settings, err = readSettings("settings", f.Value)
		case f.KeyIs("at"):
			err = readTime("at", f.Value, &o.at)
		default:
			err = unknownField("", &f, openFields)
		}
		if err != nil {
			return nil, err
		}
	}
	if o.id.Agent == "" {
		o.id.Agent = "generic"
	}
	return o, nil
}

// readSettings reads the agent's own environment variables and settings, as
// far as they move its compaction line.
func readSettings(field string, v json.Value) ([]setting, *Error) {
	if v.Kind() == json.Null {
		return nil, nil
	}
	if v.Kind() != json.Object {
		return nil, invalid(field, "must be an object of strings, not "+v.Kind().String()+".")
	}
	var out []setting
	for f := v.Fields(); f.Next(); {
		if len(out) >= 256 {
			return nil, &Error{Kind: LimitExceeded, Field: field, Message: "The parameter \"" + field + "\" has more than 256 entries."}
		}
		at := setting{name: f.Key.String()}
		if err := readString(field+"."+shorten(at.name), f.Value, &at.value); err != nil {
			return nil, err
		}
		out = append(out, at)
	}
	return out, nil
}

var reasoningNames = []string{"never", "turn", "always"}

func reasoningMode(name string) (core.ReasoningMode, bool) {
	for i, n := range reasoningNames {
		if n == name {
			return core.ReasoningMode(i), true
		}
	}
	return 0, false
}

func (c *Core) openSession(o *opening) (*entry, *Error) {
	if o.id.ID != "" && c.find(o.id.ID) != nil {
		return nil, &Error{Kind: SessionExists, Name: shorten(o.id.ID), Message: "The session \"" + shorten(o.id.ID) + "\" is open already; close it first or take another id."}
	}
	if len(c.sessions) >= MaxSessions {
		return nil, &Error{Kind: LimitExceeded, Message: "There are " + strconv.Itoa(MaxSessions) + " sessions open; close some first."}
	}
	if o.id.ID == "" {
		o.id.ID = c.newID()
	}
	s := core.New(o.id, c.shop)
	s.Mode, s.Reserve = o.mode, o.reserve
	if mode, ok := reasoningMode(o.reasoning); ok {
		s.FixReasoning(mode)
	}
	if o.limits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: o.limits, Source: core.FromUser})
	}
	e := c.add(s, c.find(o.id.Parent))
	e.settings = o.settings
	e.setRule(o.rule)
	c.recall(e)
	if o.at != core.Unknown {
		s.Apply(core.At{Milliseconds: o.at})
	}
	return e, nil
}
