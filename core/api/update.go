// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// changes contains everything that an update changes apart from the session's model.
type changes struct {
	rule     chosenRule
	fixed    []core.ContextSet
	loaded   []core.Event // changes from the agent's files
	replaced []core.Replaced
	length   int // the length of the conversation before items are appended
	oldest   int // how many of the first items are no longer sent
	draft    core.Drafted
	rows     []core.HostRow
	called   []core.Event // title, branch and activity
}

// update applies changes to a session. Everything is read and checked before anything is applied. The order does not
// depend on that of the fields: time, model, limits, rule; the start of a turn; the fixed rows; replacements, removals,
// additions; the end of a turn; the draft.
func (c *Core) update(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	s := e.session
	p := &c.updating
	p.unset()
	p.Model, p.Provider, p.Route = s.Model, s.Provider, s.Route
	if err := c.fillUpdateParams(v, p); err != nil {
		return err
	}
	if p.Strict {
		if err := knownNames(p.Model, p.Provider); err != nil {
			return err
		}
	}
	another := p.Model != s.Model || p.Provider != s.Provider || p.Route != s.Route
	c.counter = s.Meter()
	if another {
		c.counter = c.vocabularies.Resolve(p.Model, p.Provider, p.Route).Meter
	}
	var to changes
	c.added, c.odd, c.messageUsages, c.failed = c.added[:0], c.odd[:0], c.messageUsages[:0], json.Value{}
	if err := c.readChanges(s, p, &to); err != nil {
		return err
	}

	if another {
		s.Apply(core.ModelSet{Model: p.Model, Provider: p.Provider, Route: p.Route})
		e.refresh()
		c.recall(e)
	}
	if p.Limits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: p.Limits, Source: core.FromUser})
		e.refresh()
	}
	if p.AgentLimits != core.NoLimits {
		s.Apply(core.LimitsKnown{Limits: p.AgentLimits, Source: core.FromAgentNow})
		e.refresh()
	}
	if p.Reported != core.Unknown {
		s.Apply(core.PromptReported{In: p.Reported, At: int64(p.ReportedAt)})
	}
	if p.Rows.Exists() {
		e.hostRows = to.rows
	}
	if p.Mode != "" {
		s.Mode = p.Mode.core()
	}
	if p.Reserve != core.Unknown {
		s.Reserve = p.Reserve
	}
	if p.Rule.Value.Exists() {
		e.setRule(to.rule)
	}
	if p.At != core.Unknown {
		s.Apply(core.At{Milliseconds: p.At})
	}
	for i := range to.replaced {
		s.Apply(to.replaced[i])
	}
	if to.oldest > 0 {
		s.Apply(core.DroppedOldest{Items: to.oldest})
	}
	if to.length < s.Len() || to.length == 0 && !p.RemoveFrom.Value.IsNull() {
		s.Apply(core.Truncated{From: to.length})
	}
	if p.Turn == "start" {
		s.Apply(core.TurnStarted{})
	}
	for i := range to.fixed {
		s.Apply(to.fixed[i])
	}
	for _, event := range to.loaded {
		s.Apply(event)
	}
	c.applyAppended(e, c.added, c.messageUsages)
	if p.Append.Len() > 0 {
		c.applyRefusal(e, c.failed)
	}
	if r, ok := e.feed.reader.(agent.Counting); ok {
		r.CountAppended(len(c.added))
	}
	if p.Turn == "end" {
		s.Apply(core.TurnEnded{})
	}
	if p.Draft.Exists() {
		s.Apply(to.draft)
	}
	for _, event := range to.called {
		s.Apply(event)
	}
	for _, sentence := range c.odd {
		s.Apply(core.Warned{Sentence: sentence})
	}
	c.writeReading(e)
	return nil
}

// readChanges reads the parameters that need the session or the meter of its model.
func (c *Core) readChanges(s *core.Session, p *updateParams, to *changes) *Error {
	if p.Rule.Value.Exists() {
		if err := c.readRule(&p.Rule, &to.rule); err != nil {
			return err
		}
	}
	rows := [...]json.Value{p.System, p.Tools, p.MCPTools, p.Skills, p.Agents, p.Memory, p.Documents}
	for i, row := range rows {
		if !row.Exists() {
			continue
		}
		kind := core.System + core.Kind(i)
		parts, err := c.readParts(kind.String(), row)
		if err != nil {
			return err
		}
		to.fixed = append(to.fixed, core.ContextSet{Kind: kind, Parts: parts})
	}
	if err := c.readHostRows(p.Rows, &to.rows); err != nil {
		return err
	}
	if err := c.readLoaded(s, &p.Loaded, &to.loaded); err != nil {
		return err
	}
	if to.length = s.Len(); !p.RemoveFrom.Value.IsNull() {
		if err := readIndex(&p.RemoveFrom, s.Len(), &to.length); err != nil {
			return err
		}
	}
	if !p.RemoveFirst.Value.IsNull() {
		if err := readIndex(&p.RemoveFirst, s.Len(), &to.oldest); err != nil {
			return err
		}
	}
	if p.Draft.Exists() {
		if err := c.readDraft(p.Draft, &to.draft).within("draft"); err != nil {
			return err
		}
	}
	var err *Error
	if to.called, err = p.readCalled(); err != nil {
		return err
	}
	if p.UnreadAt != core.Unknown {
		by := cmp.Or(p.UnreadBy, s.Agent)
		if known, ok := agent.Find(by); ok {
			by = known.Name
		}
		to.called = append(to.called, core.WrittenSince{By: by, At: p.UnreadAt})
	} else if p.UnreadBy != "" {
		return invalid("unreadBy", "requires \"unreadAt\".")
	}
	if p.ReportedAt != core.Unknown && p.Reported == core.Unknown {
		return invalid("reportedAt", "requires \"reported\".")
	}
	if to.replaced, err = c.readReplacements(p.Replace, s.Len()); err != nil {
		return err
	}
	for i := range to.replaced {
		it := &to.replaced[i].Item
		it.Print = s.Key().PrintOf(it, nil, 0)
	}
	return c.readAppended(p.Append, to.length, s.Key())
}

// readTurn reads whether a turn starts or ends. It refuses an empty value.
func readTurn(f *json.Fields, to *Turn) *Error {
	if err := readWord(f, to, turnWords, "event"); err != nil {
		return err
	}
	if *to == "" {
		return unknownName("turn", "event", "", turnWords)
	}
	return nil
}

func (c *Core) readDraft(v json.Value, draft *core.Drafted) *Error {
	draft.Item = core.Item{Kind: core.User, Tokens: core.Unknown}
	switch {
	case v.Kind() == json.Null:
	case v.Kind() == json.Object && v.Get("kind").Exists(), isMessage(v):
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
		var r core.Replaced
		if err := c.readReplacement(el.Value, length, &r); err != nil {
			return nil, err.within(element("replace", i))
		}
		out = append(out, r)
	}
	// Sizes that leave may depend on items next to them, so the order in a call makes no difference.
	slices.SortStableFunc(out, func(a, b core.Replaced) int { return a.Index - b.Index })
	return out, nil
}

func (c *Core) readReplacement(v json.Value, length int, r *core.Replaced) *Error {
	if v.Kind() != json.Object {
		return invalid("", "must be an object with index and item, not "+v.Kind().String()+".")
	}
	p := replacement{Item: core.Item{Kind: noKind}}
	if err := c.fillReplacement(v, &p); err != nil {
		return err
	}
	switch {
	case !p.Index.Value.Exists() || p.Item.Kind == noKind:
		return invalid("", "needs an index and an item.")
	case length == 0:
		return wrong(&p.Index, "names an item, but the session has none.")
	}
	r.Item, r.Reason = p.Item, core.Named(p.Reason)
	return readIndex(&p.Index, length-1, &r.Index)
}

// itemsPerCall bounds the items of one call. TinyGo's module needs 3 seconds for 20,000 items in messages, and more
// than the 256 MB of an engine for 50,000.
const itemsPerCall = 20_000

func tooManyItems(field, advice string) *Error {
	return &Error{Kind: LimitExceeded, Field: field, Message: "One call contains at most " + strconv.Itoa(itemsPerCall) + " items; nothing of this call was applied. " + advice}
}

// readAppended reads items to c.added.
func (c *Core) readAppended(v json.Value, length int, key core.PrintKey) *Error {
	clear(c.added)
	if cap(c.added) > 64 {
		c.added = nil // do not keep so much memory because of one large call
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
		if len(c.added) >= itemsPerCall {
			return tooManyItems("append", "Send the rest in further calls.")
		}
		if length+len(c.added) >= core.MaxItems {
			return &Error{Kind: LimitExceeded, Field: "append", Message: "A session holds at most " + strconv.Itoa(core.MaxItems) + " items; nothing of this call was applied."}
		}
		if err := c.readAppendix(el.Value, key); err != nil {
			return err.within(element("append", i))
		}
	}
	return nil
}
