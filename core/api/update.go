// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var updateFields = []string{
	"id", "model", "provider", "route", "limits", "reserve", "rule", "system", "tools", "mcpTools", "skills", "agents", "memory", "documents",
	"append", "replace", "removeFrom", "turn", "draft", "title", "branch", "activity", "waitingFor", "since", "at",
}

// changes is what an update asks for besides its items.
type changes struct {
	model       core.ModelSet
	limits      core.Limits
	reserve, at int64
	rule        ruleSpec
	hasRule     bool
	begin, end  bool // of a turn
	fixed       []core.ContextSet
	draft       core.Drafted
	drafted     bool
	length      int // of the conversation, before items are added
	truncated   bool
	called      []core.Event // what the session is called and where it stands
	activity    core.ActivityTold
	acts        bool
}

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
	to := changes{
		model:  core.ModelSet{Model: s.Model, Provider: s.Provider, Route: s.Route},
		limits: core.NoLimits, reserve: core.Unknown, at: core.Unknown, length: s.Len(),
		activity: core.ActivityTold{Since: core.Unknown},
	}
	var replace, add json.Value
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "model":
			err = readString(&f, &to.model.Model)
		case "provider":
			err = readString(&f, &to.model.Provider)
		case "route":
			err = readString(&f, &to.model.Route)
		case "replace":
			replace = f.Value
		case "append":
			add = f.Value
		}
		if err != nil {
			return err
		}
	}
	another := to.model.Model != s.Model || to.model.Provider != s.Provider || to.model.Route != s.Route
	c.counter = s.Meter()
	if another {
		c.counter = c.shop.Resolve(to.model.Model, to.model.Provider, to.model.Route).Meter
	}
	if err := c.readChanges(s, v, &to); err != nil {
		return err
	}
	replaced, err := c.readReplacements(replace, s.Len())
	if err != nil {
		return err
	}
	if err := c.readAppended(add, to.length); err != nil {
		return err
	}

	if another {
		s.Apply(to.model)
		e.refresh()
		c.recall(e)
	}
	if to.limits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: to.limits, Source: core.FromUser})
		e.refresh()
	}
	if to.reserve != core.Unknown {
		s.Reserve = to.reserve
	}
	if to.hasRule {
		e.setRule(to.rule)
	}
	if to.at != core.Unknown {
		s.Apply(core.At{Milliseconds: to.at})
	}
	if to.begin {
		s.Apply(core.TurnStarted{})
	}
	for i := range to.fixed {
		s.Apply(to.fixed[i])
	}
	for i := range replaced {
		s.Apply(replaced[i])
	}
	if to.length < s.Len() || to.truncated && to.length == 0 {
		s.Apply(core.Truncated{From: to.length})
	}
	for i := range c.added {
		s.Apply(&c.added[i])
	}
	if to.end {
		s.Apply(core.TurnEnded{})
	}
	if to.drafted {
		s.Apply(to.draft)
	}
	for _, event := range to.called {
		s.Apply(event)
	}
	c.writeReading(e)
	return nil
}

func (c *Core) readChanges(s *core.Session, v json.Value, to *changes) (err *Error) {
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "id", "model", "provider", "route", "append", "replace":
		case "at":
			err = readTime(&f, &to.at)
		case "limits":
			err = readLimits(&f, &to.limits)
		case "reserve":
			err = readOptional(&f, &to.reserve)
		case "rule":
			to.hasRule = true
			to.rule, err = readRule(f.Value)
			err = err.within("rule")
		case "turn":
			err = to.readTurn(&f)
		case "removeFrom":
			if f.Value.Kind() != json.Null {
				to.truncated = true
				err = readIndex(&f, s.Len(), &to.length)
			}
		case "title":
			title := ""
			err = readString(&f, &title)
			to.called = append(to.called, core.TitleSeen{Title: title, By: core.ByPerson})
		case "branch":
			branch := ""
			err = readString(&f, &branch)
			to.called = append(to.called, core.BranchSeen{Branch: branch})
		case "activity", "waitingFor", "since":
			err = to.readActivity(&f)
		case "draft":
			to.drafted = true
			err = c.readDraft(f.Value, &to.draft).within("draft")
		default:
			kind, ok := core.KindOf(f.Key.String())
			if !ok || !kind.Fixed() {
				return unknownField(&f, updateFields)
			}
			var parts []core.Part
			parts, err = c.readParts(&f)
			to.fixed = append(to.fixed, core.ContextSet{Kind: kind, Parts: parts})
		}
		if err != nil {
			return err
		}
	}
	return to.checkActivity()
}

func (to *changes) readTurn(f *json.Fields) *Error {
	turn := ""
	if err := readString(f, &turn); err != nil {
		return err
	}
	switch turn {
	case "start":
		to.begin = true
	case "end":
		to.end = true
	default:
		return unknownName("turn", "event", turn, []string{"start", "end"})
	}
	return nil
}

func (c *Core) readDraft(v json.Value, draft *core.Drafted) *Error {
	draft.Item = core.Item{Kind: core.User, Tokens: core.Unknown}
	switch {
	case v.Kind() == json.Null:
	case v.Kind() == json.Object && v.Get("kind").Exists():
		if err := c.readItem(v, &draft.Item); err != nil {
			return err
		}
	default:
		var part core.Part
		if err := c.readPart(v, &part); err != nil {
			return err
		}
		draft.Item.Text, draft.Item.Tokens = part.Text, part.Tokens
	}
	draft.Cleared = draft.Item.Tokens == core.Unknown && len(draft.Item.Text) == 0
	return nil
}

func (c *Core) readReplacements(v json.Value, length int) ([]core.Replaced, *Error) {
	if v.IsNull() {
		return nil, nil
	}
	if v.Kind() != json.Array {
		return nil, invalid("replace", "must be an array of {index, item}, not "+v.Kind().String()+".")
	}
	var out []core.Replaced
	i := 0
	for el := v.Elements(); el.Next(); i++ {
		r := core.Replaced{Index: -1}
		if err := c.readReplacement(el.Value, length, &r); err != nil {
			return nil, err.within(element("replace", i))
		}
		out = append(out, r)
	}
	return out, nil
}

func (c *Core) readReplacement(v json.Value, length int, r *core.Replaced) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be an object with index and item, not "+v.Kind().String()+".")
	}
	hasItem := false
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "index":
			if length == 0 {
				return wrong(&f, "names an item, but the session has none.")
			}
			err = readIndex(&f, length-1, &r.Index)
		case "item":
			hasItem = true
			err = c.readItem(f.Value, &r.Item).within("item")
		case "reason":
			err = readString(&f, &r.Reason)
		default:
			err = unknownField(&f, replacementFields)
		}
		if err != nil {
			return err
		}
	}
	if r.Index < 0 || !hasItem {
		return invalid("", "needs an index and an item.")
	}
	return nil
}

var replacementFields = []string{"index", "item", "reason"}

// readAppended reads items into c.added.
func (c *Core) readAppended(v json.Value, length int) *Error {
	clear(c.added)
	if cap(c.added) > 64 {
		c.added = nil // one large call is no reason to keep its memory
	}
	c.added = c.added[:0]
	if v.IsNull() {
		return nil
	}
	if v.Kind() != json.Array {
		return invalid("append", "must be an array of items, not "+v.Kind().String()+".")
	}
	i := 0
	for el := v.Elements(); el.Next(); i++ {
		if length+i >= core.MaxItems {
			return &Error{Kind: LimitExceeded, Field: "append", Message: "A session holds at most " + strconv.Itoa(core.MaxItems) + " items; nothing of this call was applied."}
		}
		c.added = append(c.added, core.Appended{})
		if err := c.readItem(el.Value, &c.added[i].Item); err != nil {
			return err.within(element("append", i))
		}
	}
	return nil
}
