// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/json"
)

var updateFields = []string{"id", "model", "provider", "route", "limits", "reserve", "rule", "system", "tools", "mcpTools", "skills", "agents", "memory", "documents",
	"append", "replace", "removeFrom", "turn", "draft", "at"}

// update applies what changed. Everything is read and checked before
// anything is applied, and applied in one order whatever the order of the
// fields: time, model, limits, rule; the start of a turn; the fixed rows;
// replacements, removals, additions; the end of a turn; the draft.
func (c *Core) update(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	s := e.session
	to := core.ModelSet{Model: s.Model, Provider: s.Provider, Route: s.Route}
	for f := v.Fields(); f.Next(); {
		switch {
		case f.KeyIs("model"):
			err = readString("model", f.Value, &to.Model)
		case f.KeyIs("provider"):
			err = readString("provider", f.Value, &to.Provider)
		case f.KeyIs("route"):
			err = readString("route", f.Value, &to.Route)
		}
		if err != nil {
			return err
		}
	}
	c.missing = c.shop.Missing(to.Model, to.Provider, to.Route)

	var (
		begin, fixed, items, end []core.Event
		limits                   = core.NoLimits
		rule                     ruleSpec
		hasRule, removed         bool
		reserve                  = core.Unknown
	)
	length := s.Len()
	for f := v.Fields(); f.Next(); {
		switch {
		case f.KeyIs("id"), f.KeyIs("model"), f.KeyIs("provider"), f.KeyIs("route"), f.KeyIs("append"), f.KeyIs("replace"):
		case f.KeyIs("at"):
			at := core.Unknown
			if err = readTime("at", f.Value, &at); err == nil && at != core.Unknown {
				begin = append(begin, core.At{Milliseconds: at})
			}
		case f.KeyIs("limits"):
			err = readLimits("limits", f.Value, &limits)
		case f.KeyIs("reserve"):
			err = readOptional("reserve", f.Value, &reserve)
		case f.KeyIs("rule"):
			hasRule = true
			rule, err = readRule("rule", f.Value)
		case f.KeyIs("turn"):
			turn := ""
			if err = readString("turn", f.Value, &turn); err != nil {
				break
			}
			switch turn {
			case "start":
				begin = append(begin, core.TurnStarted{})
			case "end":
				end = append(end, core.TurnEnded{})
			default:
				err = unknownName("turn", "event", turn, []string{"start", "end"})
			}
		case f.KeyIs("removeFrom"):
			if f.Value.Kind() != json.Null {
				removed = true
				err = readIndex("removeFrom", f.Value, s.Len(), &length)
			}
		case f.KeyIs("draft"):
			var draft core.Event
			if draft, err = c.readDraft(f.Value); err == nil {
				end = append(end, draft)
			}
		default:
			kind, ok := core.KindOf(f.Key.String())
			if !ok || !kind.Fixed() {
				err = unknownField("", &f, updateFields)
				break
			}
			var parts []core.Part
			parts, err = c.readParts(f.Key.String(), f.Value)
			fixed = append(fixed, core.ContextSet{Kind: kind, Parts: parts})
		}
		if err != nil {
			return err
		}
	}
	if items, err = c.readReplacements(v.Get("replace"), s.Len()); err != nil {
		return err
	}
	if length < s.Len() || removed && length == 0 {
		items = append(items, core.Truncated{From: length})
	}
	if items, err = c.readAppended(v.Get("append"), items, length); err != nil {
		return err
	}

	if to.Model != s.Model || to.Provider != s.Provider || to.Route != s.Route {
		s.Apply(to)
		e.refresh()
		c.recall(e)
	}
	if limits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: limits, Source: core.FromUser})
		e.refresh()
	}
	if reserve != core.Unknown {
		s.Reserve = reserve
	}
	if hasRule {
		e.setRule(rule)
	}
	for _, list := range [...][]core.Event{begin, fixed, items, end} {
		for _, event := range list {
			s.Apply(event)
		}
	}
	c.writeReading(e)
	return nil
}

func (c *Core) readDraft(v json.Value) (core.Event, *Error) {
	draft := core.Drafted{Item: core.Item{Kind: core.User, Tokens: core.Unknown}}
	switch v.Kind() {
	case json.Null:
		draft.Cleared = true
	case json.Object:
		if !v.Get("kind").Exists() {
			part, err := c.readPart("draft", v)
			if err != nil {
				return nil, err
			}
			draft.Item.Text, draft.Item.Tokens = part.Text, part.Tokens
			break
		}
		if err := c.readItem("draft", v, &draft.Item); err != nil {
			return nil, err
		}
	default:
		part, err := c.readPart("draft", v)
		if err != nil {
			return nil, err
		}
		draft.Item.Text, draft.Item.Tokens = part.Text, part.Tokens
	}
	if draft.Item.Tokens == core.Unknown && len(draft.Item.Text) == 0 {
		draft.Cleared = true
	}
	return draft, nil
}

func (c *Core) readReplacements(v json.Value, length int) ([]core.Event, *Error) {
	if v.IsNull() {
		return nil, nil
	}
	if v.Kind() != json.Array {
		return nil, invalid("replace", "must be an array of {index, item}, not "+v.Kind().String()+".")
	}
	var out []core.Event
	i := 0
	for el := v.Elements(); el.Next(); i++ {
		field := "replace[" + strconv.Itoa(i) + "]"
		if el.Value.Kind() != json.Object {
			return nil, invalid(field, "must be an object with index and item, not "+el.Value.Kind().String()+".")
		}
		r := core.Replaced{Index: -1}
		hasItem := false
		for f := el.Value.Fields(); f.Next(); {
			var err *Error
			switch {
			case f.KeyIs("index"):
				if length == 0 {
					err = invalid(field+".index", "names an item, but the session has none.")
					break
				}
				err = readIndex(field+".index", f.Value, length-1, &r.Index)
			case f.KeyIs("item"):
				hasItem = true
				err = c.readItem(field+".item", f.Value, &r.Item)
			case f.KeyIs("reason"):
				err = readString(field+".reason", f.Value, &r.Reason)
			default:
				err = unknownField(field, &f, []string{"index", "item", "reason"})
			}
			if err != nil {
				return nil, err
			}
		}
		if r.Index < 0 || !hasItem {
			return nil, invalid(field, "needs an index and an item.")
		}
		out = append(out, r)
	}
	return out, nil
}

func (c *Core) readAppended(v json.Value, out []core.Event, length int) ([]core.Event, *Error) {
	if v.IsNull() {
		return out, nil
	}
	if v.Kind() != json.Array {
		return nil, invalid("append", "must be an array of items, not "+v.Kind().String()+".")
	}
	i := 0
	for el := v.Elements(); el.Next(); i++ {
		if length+i >= core.MaxItems {
			return nil, &Error{Kind: LimitExceeded, Field: "append", Message: "A session holds at most " + strconv.Itoa(core.MaxItems) + " items; nothing of this call was applied."}
		}
		var item core.Item
		if err := c.readItem("append["+strconv.Itoa(i)+"]", el.Value, &item); err != nil {
			return nil, err
		}
		out = append(out, core.Appended{Item: item})
	}
	return out, nil
}
