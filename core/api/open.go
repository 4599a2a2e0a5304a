// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var openFields = []string{"id", "agent", "agentVersion", "model", "provider", "route", "workspace", "mode", "limits", "reserve", "rule", "reasoning", "parent", "label", "title", "branch", "settings", "at"}

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
		switch string(f.Name()) {
		case "id":
			err = readString(&f, &o.id.ID)
		case "agent":
			if err = readString(&f, &o.id.Agent); err == nil && !knownAgent(o.id.Agent) {
				err = unknownName("agent", "agent", o.id.Agent, agentNames())
			}
		case "agentVersion":
			err = readString(&f, &o.id.AgentVersion)
		case "model":
			err = readString(&f, &o.id.Model)
		case "provider":
			err = readString(&f, &o.id.Provider)
		case "route":
			err = readString(&f, &o.id.Route)
		case "workspace":
			err = readString(&f, &o.id.Workspace)
		case "label":
			err = readString(&f, &o.id.Label)
		case "title":
			err = readString(&f, &o.id.Title)
		case "branch":
			err = readString(&f, &o.id.Branch)
		case "mode":
			mode := ""
			if err = readString(&f, &mode); err == nil {
				switch mode {
				case "", "hybrid":
				case "provider":
					o.mode = core.ProviderOnly
				default:
					err = unknownName("mode", "mode", mode, []string{"hybrid", "provider"})
				}
			}
		case "limits":
			err = readLimits(&f, &o.limits)
		case "reserve":
			err = readOptional(&f, &o.reserve)
		case "rule":
			o.rule, err = readRule(f.Value)
			err = err.within("rule")
		case "reasoning":
			if err = readString(&f, &o.reasoning); err == nil {
				if _, ok := reasoningMode(o.reasoning); !ok && o.reasoning != "" {
					err = unknownName("reasoning", "mode of reasoning", o.reasoning, reasoningNames)
				}
			}
		case "parent":
			if err = readString(&f, &o.id.Parent); err == nil && o.id.Parent != "" && c.find(o.id.Parent) == nil {
				err = &Error{Kind: UnknownSession, Field: "parent", Name: shorten(o.id.Parent), Message: "There is no session \"" + shorten(o.id.Parent) + "\" to be the parent; open it first."}
			}
		case "settings":
			o.settings, err = readSettings(f.Value)
			err = err.within("settings")
		case "at":
			err = readTime(&f, &o.at)
		default:
			err = unknownField(&f, openFields)
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
func readSettings(v json.Value) ([]setting, *Error) {
	if v.Kind() == json.Null {
		return nil, nil
	}
	if v.Kind() != json.Object {
		return nil, invalid("", "must be an object of strings, not "+v.Kind().String()+".")
	}
	var out []setting
	for f := v.Fields(); f.Next(); {
		if len(out) >= 256 {
			return nil, about(LimitExceeded, "", "The parameter \"", "\" has more than 256 entries.")
		}
		at := setting{name: f.Key.String()}
		if err := readString(&f, &at.value); err != nil {
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
