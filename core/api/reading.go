// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"cmp"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Each of the writers below writes one field, for the functions of write_gen.go.

// number writes a number that may be unknown.
func number(w *json.Writer, key string, n int64) {
	numberIf(w, key, n, n)
}

// numberIf writes n if known is not Unknown, otherwise null. n itself may be -1.
func numberIf(w *json.Writer, key string, known, n int64) {
	if known == core.Unknown {
		w.Field(key)
		w.Null()
		return
	}
	w.IntField(key, n)
}

func percent(w *json.Writer, key string, hundredths int64) {
	w.Field(key)
	if hundredths == core.Unknown {
		w.Null()
		return
	}
	w.Hundredths(hundredths)
}

// shown is a session with its Reading, and the data for writing its children. Its memory is reused for the next
// Reading.
type shown struct {
	core.Reading
	core  *Core
	entry *entry
	in    Mode // the requested mode; "" for the session's own
	depth int  // the nesting depth of its children, from 0
	// inWords adds the panel, with the session's rows of the host and these.
	inWords  bool
	hostRows []core.HostRow
	own      agentOwn
}

// agentOwn is what an agent itself shows of its window.
type agentOwn struct {
	percent       int64 // core.Unknown if it prints none
	label, counts core.Text
}

// agentOwn returns what the session's agent shows itself, nil if nothing.
func (s *shown) agentOwn() *agentOwn {
	if s.AgentOwn == nil && s.AgentCounts.Empty() {
		return nil
	}
	s.own = agentOwn{percent: core.Unknown, counts: s.AgentCounts}
	if own := s.AgentOwn; own != nil {
		s.own.percent, s.own.label = own.Hundredths, own.Label
	}
	return &s.own
}

// read computes the Reading of a session in a mode; "" means the session's own.
func (c *Core) read(s *shown, e *entry, in Mode) *shown {
	s.core, s.entry, s.in, s.inWords, s.hostRows = c, e, in, e.inWords, nil
	mode := e.session.Mode
	if in != "" {
		mode = in.core()
	}
	e.session.Read(mode, &s.Reading)
	return s
}

// writeReading writes the Reading of a session as the result.
func (c *Core) writeReading(e *entry) { writeReading(&c.out, c.read(&c.shown, e, "")) }

// keptNames caches the fields of a Reading that identify the session, as they were last written. They seldom change,
// and take a fifth of the time for writing a Reading (BenchmarkUpdateNative).
type keptNames struct {
	identity core.Identity
	text     []byte
}

// names writes the cached names, and returns false if they are outdated.
func (s *shown) names(w *json.Writer) bool {
	kept := &s.entry.kept
	if len(kept.text) == 0 || kept.identity != *s.Identity {
		return false
	}
	w.Fields(kept.text)
	return true
}

// keepNames caches what was written from a position on.
func (s *shown) keepNames(w *json.Writer, from int) {
	kept := &s.entry.kept
	kept.identity, kept.text = *s.Identity, append(kept.text[:0], w.Buf[from:]...)
}

// brief returns a session in short. Each depth has its own memory, because a child is written while its parent is.
func (c *Core) brief(e *entry, depth int, in Mode) *shown {
	for len(c.briefs) <= depth {
		c.briefs = append(c.briefs, &shown{depth: len(c.briefs) + 1})
	}
	return c.read(c.briefs[depth], e, in)
}

// writeChildren writes the children in short.
func (s *shown) writeChildren() {
	w := &s.core.out
	w.BeginArray()
	for _, child := range s.entry.children {
		writeBrief(w, s.core.brief(child, s.depth, s.in))
	}
	w.EndArray()
}

// writeChildIDs writes the children's ids, for lists that contain the children themselves.
func (s *shown) writeChildIDs() {
	w := &s.core.out
	w.BeginArray()
	for _, child := range s.entry.children {
		w.String(child.session.ID)
	}
	w.EndArray()
}

// writeNothing writes an empty object.
func writeNothing(w *json.Writer) {
	w.BeginObject()
	w.EndObject()
}

// panel returns the Reading in words if it was asked for, otherwise nil.
func (s *shown) panel() *core.Panel {
	if !s.inWords {
		return nil
	}
	return s.Reading.Panel(core.PanelOptions{
		AgentName: agentName(s.Agent),
		Children:  s.panelChildren(s.entry, 0, nil),
		Rows:      slices.Concat(s.entry.hostRows, s.hostRows),
	})
}

// panelChildren appends the sub-agents of a session, each before its own.
func (s *shown) panelChildren(of *entry, depth int, out []core.PanelChild) []core.PanelChild {
	if depth > mostPanelDepth {
		return out
	}
	for _, child := range of.children {
		r := s.core.brief(child, depth, s.in)
		out = append(out, core.PanelChild{
			Session: r.ID, Name: cmp.Or(r.Label, r.ID), Model: r.Model, Percent: r.Display.Mark + r.Display.Percent,
			Level: r.Compaction.Level, Depth: int64(depth),
		})
		out = s.panelChildren(child, depth+1, out)
	}
	return out
}

// mostPanelDepth is how deep sub-agents of sub-agents are listed in a panel.
const mostPanelDepth = 8
