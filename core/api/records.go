// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A feed is the state between calls that send the records of a transcript.
type feed struct {
	reader agent.Reader
	agent  string
	seen   agentState
	// waiting contains events that need a vocabulary requested from the host. resume is how many records of the
	// repeated call have been processed already.
	waiting []core.Event
	resume  int
	resumed uint64
	line    json.Document
	place   uint32 // the transcript line of the current record; 0 if unknown
	// halfway names the sub-agents that were unfinished when the reader was restored.
	halfway []string
}

// agentState contains what the rule and the window table depend on.
type agentState struct {
	agent, version, model, provider, workspace string
	limits                                     core.Limits
}

// records reads an agent's raw transcript records.
func (c *Core) records(v json.Value) *Error {
	var p recordsParams
	p.unset()
	if err := c.fillRecordsParams(v, &p); err != nil {
		return err
	}
	list := p.Records
	if list.Kind() != json.Array {
		return invalid("records", "must be an array with a record or a transcript line each, not "+list.Kind().String()+".")
	}
	e, err := c.openForRecords(v, &p)
	if err != nil {
		return err
	}
	if p.Agent != "" && e.feed.agent != p.Agent {
		e.feed.agent, e.feed.reader = p.Agent, agent.New(p.Agent)
	}
	if p.At != core.Unknown {
		e.session.Apply(core.At{Milliseconds: p.At})
	}
	if e.restored && e.feed.reader == nil && agent.New(e.session.Agent) != nil && list.Len() > 0 {
		e.restored = false // warn only once
		e.session.Apply(core.Warned{Sentence: phrase.Forgotten.Text()})
	}
	if p.Steps {
		e.session.Recording, e.session.Inferring = true, p.Inferred
	}
	if err := c.feedRecords(e, list, p.Line); err != nil {
		return err
	}
	switch {
	case p.Steps || p.Wanted:
		answer := recorded{entry: e}
		if p.Wanted {
			answer.Wanted = e.session.TakeWanted()
		}
		if p.Reading {
			answer.Reading = c.read(&c.shown, e, "")
		}
		writeRecordsAnswer(&c.out, &answer)
	case p.Reading:
		c.writeReading(e)
	default:
		writeNothing(&c.out)
	}
	return nil
}

// openForRecords returns the session of the records, and opens it if the call requests that.
func (c *Core) openForRecords(v json.Value, p *recordsParams) (*entry, *Error) {
	open := false
	if p.Open.Value.Kind() == json.Object {
		open = true
	} else if p.Open.Value.Exists() {
		if err := readBool(&p.Open, &open); err != nil {
			return nil, err
		}
	}
	if e := c.find(p.Scope, p.ID); e != nil {
		return e, nil
	}
	if !open {
		return c.sessionOf(v)
	}
	with := newOpening()
	if p.Open.Value.Kind() == json.Object {
		var err *Error
		if with, err = c.readOpening(p.Open.Value); err != nil {
			return nil, err
		}
	}
	with.ID, with.Scope = p.ID, p.Scope
	return c.openSession(with)
}

// recorded is the result for the records of one call.
type recorded struct {
	Reading *shown // nil if not requested
	Wanted  []core.WantedFile
	entry   *entry
}

// A step is a prediction whose request has been measured.
type step struct {
	core.StepMade
	Session       string
	Miss, Percent int64
}

// writeSteps writes the predictions of a session and its children that were measured since the last call.
func writeSteps(w *json.Writer, e *entry) {
	w.BeginArray()
	writeStepsOf(w, e)
	w.EndArray()
}

func writeStepsOf(w *json.Writer, e *entry) {
	for _, made := range e.session.TakeSteps() {
		s := step{StepMade: made, Session: e.session.ID}
		s.Miss, s.Percent = made.Error()
		writeStep(w, &s)
	}
	for _, child := range e.children {
		writeStepsOf(w, child)
	}
}

// feedRecords applies records in order. If a vocabulary is missing in the middle, the earlier records stay applied, and
// the repeated call continues after them.
func (c *Core) feedRecords(e *entry, list json.Value, line int64) *Error {
	fd := &e.feed
	print := fnv.Hash(list.Raw()[:min(len(list.Raw()), 256)]) + uint64(len(list.Raw()))
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
	place := func() uint32 {
		if line <= 0 || line > 1<<31 {
			return 0
		}
		return uint32(line) + uint32(i)
	}
	for el := list.Elements(); el.Next(); i++ {
		if i < skip {
			continue
		}
		fd.place = place()
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
			e.session.Apply(core.Skipped{Bytes: int64(len(line)), Reason: phrase.NotJSON.Text()})
			return
		}
		v = parsed
	case json.Object:
		if n, fault := v.Get("skipped").Int64(); fault == json.NumberOK && v.Len() == 1 {
			e.session.Apply(core.Skipped{Bytes: n, Reason: phrase.TooLong.Text()})
			return
		}
	}
	if fd.reader == nil {
		if fd.agent = agent.Recognise(v); fd.agent == "" {
			e.session.Apply(core.Skipped{Bytes: int64(len(v.Raw())), Reason: phrase.UnknownAgent.Text()})
			return
		}
		fd.reader = agent.New(fd.agent)
	}
	fd.reader.Record(v, func(event core.Event) { c.deliver(e, event) })
}

// deliver applies an event, or queues it until its vocabulary is loaded.
func (c *Core) deliver(e *entry, event core.Event) {
	if child, ok := event.(core.ForChild); ok {
		if e = c.child(e, &child); e == nil {
			return
		}
		c.deliver(e, child.Event)
		return
	}
	fd := &e.feed
	if len(fd.waiting) > 0 || needsCounting(event) && missing(e.session.Meter()) != "" {
		fd.waiting = append(fd.waiting, lasting(event))
		if root := e.root(); root != e {
			root.feed.waiting = append(root.feed.waiting, nil) // means that a child waits
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

// apply applies an event, and updates everything that depends on the session's agent, model and limits.
func (c *Core) apply(e *entry, event core.Event) {
	s := e.session
	s.ReadsAt(e.root().feed.place)
	s.Apply(event)
	switch event.(type) {
	case core.AgentSeen, core.ModelSet, core.LimitsKnown, core.WorkspaceSeen, core.Metered:
		limits, _ := s.Limits()
		if now := (agentState{s.Agent, s.AgentVersion, s.Model, s.Provider, s.Workspace, limits}); now != e.feed.seen {
			e.feed.seen = now
			e.refresh()
			c.recall(e)
		}
	}
}

// flush applies the events that were waiting for a vocabulary.
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
	case core.PrefixKnown:
		for i := range e.Parts {
			if e.Parts[i].Tokens == core.Unknown {
				return true
			}
		}
	}
	return false
}

// lasting copies the memory that an event points to, because the adapter reuses it.
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
	case core.PrefixKnown:
		parts := append([]core.PrefixPart(nil), e.Parts...)
		for i := range parts {
			parts[i].Text = append([]byte(nil), parts[i].Text...)
		}
		e.Parts = parts
		return e
	}
	return event
}

// maxChildren is how many sub-agents one session may have.
const maxChildren = 1000

func (c *Core) child(e *entry, f *core.ForChild) *entry {
	id := e.session.ID + "/" + f.Child
	if found := c.find(e.scope, id); found != nil {
		return found
	}
	if len(e.children) >= maxChildren || len(c.sessions) >= MaxSessions {
		e.session.Apply(core.Warned{Sentence: phrase.SubAgents.Text(phrase.Count(maxChildren))})
		return nil
	}
	s := e.session
	with := newOpening()
	with.Scope, with.Settings, with.HidePaths = e.scope, e.settings, s.PathsHidden()
	with.Identity = core.Identity{
		ID: id, Label: f.Label, Agent: s.Agent, AgentVersion: s.AgentVersion, Model: s.Model,
		Provider: s.Provider, Route: s.Route, Workspace: s.Workspace, Parent: s.ID,
	}
	child, err := c.openSession(with)
	if err != nil {
		return nil
	}
	child.session.Recording, child.session.Inferring = s.Recording, s.Inferring
	if slices.Contains(e.feed.halfway, f.Child) {
		child.session.Apply(core.Warned{Sentence: phrase.Forgotten.Text()})
	}
	return child
}
