// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// feed is what is remembered between the calls that bring a transcript.
type feed struct {
	reader agent.Reader
	agent  string
	seen   agentState
	// waiting are events that need a vocabulary which the host has been asked
	// for, and resume how many records of the repeated call are done already.
	waiting []core.Event
	resume  int
	resumed uint64
	line    json.Document
	// halfway are the sub-agents that the reader was in the middle of when it
	// was restored.
	halfway []string
}

// agentState is what the rule and the window table depend on.
type agentState struct {
	agent, version, model, workspace string
	limits                           core.Limits
}

var recordsFields = []string{"id", "agent", "records", "open", "steps", "reading", "at"}

// records reads an agent's raw transcript records.
func (c *Core) records(v json.Value) *Error {
	var (
		id, name    string
		open, steps bool
		answer      = true
		at          = core.Unknown
		list, how   json.Value
		err         *Error
	)
	for f := v.Fields(); f.Next(); {
		switch string(f.Name()) {
		case "id":
			err = readString(&f, &id)
		case "agent":
			if err = readString(&f, &name); err == nil && name != "" && agent.New(name) == nil {
				err = unknownName("agent", "agent whose transcripts can be read", name, agent.Readable())
			}
		case "records":
			list = f.Value
		case "open":
			if f.Value.Kind() == json.Object {
				open, how = true, f.Value
				break
			}
			err = readBool(&f, &open)
		case "steps":
			err = readBool(&f, &steps)
		case "reading":
			err = readBool(&f, &answer)
		case "at":
			err = readTime(&f, &at)
		default:
			err = unknownField(&f, recordsFields)
		}
		if err != nil {
			return err
		}
	}
	if list.Kind() != json.Array {
		return invalid("records", "must be an array with a record or a transcript line each, not "+list.Kind().String()+".")
	}
	e := c.find(id)
	if e == nil {
		if !open {
			_, err := c.sessionOf(v)
			return err
		}
		o := &opening{limits: core.NoLimits, reserve: core.Unknown, at: core.Unknown}
		o.id.Agent = "generic"
		if how.Exists() {
			if o, err = c.readOpening(how); err != nil {
				return err
			}
		}
		o.id.ID = id
		if e, err = c.openSession(o); err != nil {
			return err
		}
	}
	if name != "" && e.feed.agent != name {
		e.feed.agent, e.feed.reader = name, agent.New(name)
	}
	if at != core.Unknown {
		e.session.Apply(core.At{Milliseconds: at})
	}
	if e.restored && e.feed.reader == nil && agent.New(e.session.Agent) != nil && list.Len() > 0 {
		e.restored = false // it is said once
		e.session.Apply(core.Warned{Sentence: forgotten})
	}
	if steps {
		e.session.Recording = true
	}
	if err := c.feedRecords(e, list); err != nil {
		return err
	}
	w := &c.out
	if !steps {
		if !answer {
			w.BeginObject()
			w.EndObject()
			return nil
		}
		c.writeReading(e)
		return nil
	}
	w.BeginObject()
	if answer {
		w.Field("reading")
		c.writeReading(e)
	}
	w.Field("steps")
	w.BeginArray()
	writeSteps(w, e)
	w.EndArray()
	w.EndObject()
	return nil
}

func writeSteps(w *json.Writer, e *entry) {
	for _, s := range e.session.TakeSteps() {
		w.BeginObject()
		text(w, "session", e.session.ID)
		text(w, "model", s.Model)
		signed(w, "call", s.Call)
		text(w, "kind", s.Kind)
		signed(w, "predicted", s.Predicted)
		signed(w, "actual", s.Actual)
		tokens, share := s.Error()
		signed(w, "error", tokens)
		w.Field("percent")
		w.Hundredths(share) // never unknown, and -0.01 % is no sign that it is
		w.EndObject()
	}
	for _, child := range e.children {
		writeSteps(w, child)
	}
}

// feedRecords applies records in their order. When a vocabulary is missing
// in the middle, what was read stays read: the repeated call goes on behind it.
func (c *Core) feedRecords(e *entry, list json.Value) *Error {
	fd := &e.feed
	print := hash(list.Raw()[:min(len(list.Raw()), 256)]) + uint64(len(list.Raw()))
	skip := 0
	if fd.resumed == print {
		skip = fd.resume
	}
	fd.resume, fd.resumed = 0, 0
	if err := c.flush(e); err != nil {
		fd.resume, fd.resumed = skip, print
		return err
	}
	i := 0
	for el := list.Elements(); el.Next(); i++ {
		if i < skip {
			continue
		}
		c.feedRecord(e, el.Value)
		if len(fd.waiting) > 0 {
			fd.resume, fd.resumed = i+1, print
			return c.flush(e)
		}
	}
	return nil
}

func (c *Core) feedRecord(e *entry, v json.Value) {
	fd := &e.feed
	switch v.Kind() {
	case json.String:
		line := []byte(v.String())
		parsed, err := fd.line.Parse(line)
		if err != nil {
			e.session.Apply(core.Skipped{Bytes: int64(len(line)), Reason: "not JSON"})
			return
		}
		v = parsed
	case json.Object:
		if n, fault := v.Get("skipped").Int64(); fault == json.NumberOK && v.Len() == 1 {
			e.session.Apply(core.Skipped{Bytes: n, Reason: "too long, or not JSON"})
			return
		}
	}
	if fd.reader == nil {
		if fd.agent = agent.Recognise(v); fd.agent == "" {
			e.session.Apply(core.Skipped{Bytes: int64(len(v.Raw())), Reason: "not of a known agent"})
			return
		}
		fd.reader = agent.New(fd.agent)
	}
	fd.reader.Record(v, func(event core.Event) { c.take(e, event) })
}

// take applies an event, or keeps it until its vocabulary is there.
func (c *Core) take(e *entry, event core.Event) {
	if child, ok := event.(core.ForChild); ok {
		if e = c.child(e, &child); e == nil {
			return
		}
		c.take(e, child.Event)
		return
	}
	fd := &e.feed
	if len(fd.waiting) > 0 || needsCounting(event) && missing(e.session.Meter()) != "" {
		fd.waiting = append(fd.waiting, lasting(event))
		if root := e.root(); root != e {
			root.feed.waiting = append(root.feed.waiting, nil) // the child waits
		}
		return
	}
	c.apply(e, event)
}

func (e *entry) root() *entry {
	for e.parent != nil {
		e = e.parent
	}
	return e
}

func (c *Core) apply(e *entry, event core.Event) {
	s := e.session
	s.Apply(event)
	switch event.(type) {
	case core.AgentSeen, core.ModelSet, core.LimitsKnown, core.WorkspaceSeen, core.Metered:
		limits, _ := s.Limits()
		if now := (agentState{s.Agent, s.AgentVersion, s.Model, s.Workspace, limits}); now != e.feed.seen {
			e.feed.seen = now
			e.refresh()
			c.recall(e)
		}
	}
}

// flush applies what waited for a vocabulary.
func (c *Core) flush(e *entry) *Error {
	fd := &e.feed
	for len(fd.waiting) > 0 {
		event := fd.waiting[0]
		if event != nil {
			if needsCounting(event) {
				if missing := missing(e.session.Meter()); missing != "" {
					return needsVocabulary(missing)
				}
			}
			c.apply(e, event)
		}
		fd.waiting = fd.waiting[1:]
	}
	fd.waiting = nil
	for _, child := range e.children {
		if err := c.flush(child); err != nil {
			fd.waiting = []core.Event{nil}
			return err
		}
	}
	return nil
}

func needsCounting(event core.Event) bool {
	switch e := event.(type) {
	case core.Appended:
		return e.Item.Tokens == core.Unknown && (len(e.Item.Text) > 0 || e.Item.Name != "")
	case core.Replaced:
		return e.Item.Tokens == core.Unknown && len(e.Item.Text) > 0
	case core.Drafted:
		return e.Item.Tokens == core.Unknown && len(e.Item.Text) > 0
	case core.Compacted:
		return e.Summary != nil && e.Summary.Tokens == core.Unknown
	case core.ContextSet:
		for i := range e.Parts {
			if e.Parts[i].Tokens == core.Unknown {
				return true
			}
		}
	}
	return false
}

// lasting copies what an event points to, which its adapter will reuse.
func lasting(event core.Event) core.Event {
	keep := func(it *core.Item) { it.Text = append([]byte(nil), it.Text...) }
	switch e := event.(type) {
	case core.Appended:
		keep(&e.Item)
		return e
	case core.Replaced:
		keep(&e.Item)
		return e
	case core.Drafted:
		keep(&e.Item)
		return e
	case core.Compacted:
		if e.Summary != nil {
			it := *e.Summary
			keep(&it)
			e.Summary = &it
		}
		return e
	case core.ContextSet:
		parts := append([]core.Part(nil), e.Parts...)
		for i := range parts {
			parts[i].Text = append([]byte(nil), parts[i].Text...)
		}
		e.Parts = parts
		return e
	}
	return event
}

// forgotten warns of a session that goes on without its reader's memory.
const forgotten = "This session was restored in the middle of its transcript, so what later records say of earlier ones, as a rewind does, is not understood. Close it and send the transcript from its beginning."

// maxChildren bounds the sub-agents of one session.
const maxChildren = 1000

func (c *Core) child(e *entry, f *core.ForChild) *entry {
	id := e.session.ID + "/" + f.Child
	if found := c.find(id); found != nil {
		return found
	}
	if len(e.children) >= maxChildren || len(c.sessions) >= MaxSessions {
		e.session.Apply(core.Warned{Sentence: "There are more sub-agents than " + strconv.Itoa(maxChildren) + "; the newest are not followed."})
		return nil
	}
	s := e.session
	child, err := c.openSession(&opening{
		limits: core.NoLimits, reserve: core.Unknown, at: core.Unknown, settings: e.settings,
		id: core.Identity{
			ID: id, Label: f.Label, Agent: s.Agent, AgentVersion: s.AgentVersion, Model: s.Model,
			Provider: s.Provider, Route: s.Route, Workspace: s.Workspace, Parent: s.ID,
		},
	})
	if err != nil {
		return nil
	}
	child.session.Recording = s.Recording
	if slices.Contains(e.feed.halfway, f.Child) {
		child.session.Apply(core.Warned{Sentence: forgotten})
	}
	return child
}
