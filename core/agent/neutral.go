// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Stores that are no text, such as databases, are read outside of core and
// told in records of one neutral shape, which package internal/neutral writes
// and describes. This reader is for all of them.
type neutral struct {
	transcript
	id     string
	tools  names
	places map[uint64]int // of the items that may be told again; -1 for those that are summed up

	children children
}

// maxPlaces bounds the items that are recognised when they are told again.
const maxPlaces = 100_000

// retold is the agent whose store a neutral record is from, nil for any other record.
func retold(r json.Value) *Entry {
	if by := r.Get("by"); textual(by) && textual(r.Get("is")) {
		if e, ok := Find(short(by)); ok && e.Retold {
			return e
		}
	}
	return nil
}

// another is the reader of a sub-agent, whose records stand among those of the session.
func (n *neutral) another() Reader { return &neutralChild{neutral{id: n.id}} }

// A neutralChild reads the records of one sub-agent.
type neutralChild struct{ neutral }

func (n *neutralChild) Record(r json.Value, emit func(core.Event)) {
	n.emit = emit
	n.record(r)
}

func (n *neutral) Record(r json.Value, emit func(core.Event)) {
	n.emit = emit
	if child := r.Get("child"); textual(child) {
		n.children.record(n.another, child, r, emit)
		return
	}
	n.record(r)
}

func (n *neutral) record(r json.Value) {
	n.advanceTo(r.Get("at"))
	if n.agent == "" {
		n.seen(n.id, r.Get("version"))
	}
	switch is := r.Get("is"); {
	case is.Is("session"):
		n.session(r)
	case is.Is("context"):
		n.context(r)
	case is.Is("item"):
		n.item(r)
	case is.Is("usage"):
		n.usage(r)
	case is.Is("compacted"):
		n.compacted(r)
	case is.Is("own"):
		if p := count(r.Get("percent")); p >= 0 {
			n.emit(core.AgentPercent{Hundredths: p, Label: short(r.Get("label"))})
		}
	case is.Is("over"):
		n.turnOver()
	case is.Is("turn"):
		n.turn()
	case is.Is("gone"):
		if at := count(r.Get("index")); at >= 0 && at < int64(n.items) {
			n.emit(core.Dropped{Index: int(at), Reason: short(r.Get("text"))})
		}
	case is.Is("rewound"):
		if from := count(r.Get("index")); from >= 0 && from <= int64(n.items) {
			n.emit(core.Truncated{From: int(from)})
			n.items = int(from)
		}
	case is.Is("skipped"):
		n.emit(core.Skipped{Bytes: max(count(r.Get("bytes")), 0), Reason: short(r.Get("text"))})
	case is.Is("warning"):
		if s := r.Get("text"); textual(s) && s.TextLen() <= maxPath {
			n.emit(core.Warned{Sentence: s.String()})
		}
	default:
		n.unknown(r, is)
	}
}

func (n *neutral) session(r json.Value) {
	n.seen(n.id, r.Get("version"))
	n.cwd(r.Get("cwd"))
	n.onBranch(r.Get("branch"))
	n.called(r.Get("title"), core.ByAgent)
	n.modelIs(short(r.Get("model")), short(r.Get("provider")), short(r.Get("route")))
	limits := core.Limits{Window: count(r.Get("window")), Input: count(r.Get("input")), Output: count(r.Get("output"))}
	if limits.Window > 0 || limits.Input > 0 {
		n.emit(core.LimitsKnown{Limits: limits, Source: core.FromAgent})
	}
}

// context reads a fixed row: by its texts, or by sizes that the agent states,
// which divide what is in the window and add nothing to it.
func (n *neutral) context(r json.Value) {
	kind, ok := core.KindOf(short(r.Get("kind")))
	if !ok || !kind.Fixed() {
		n.unknown(r, r.Get("kind"))
		return
	}
	var parts []core.Part
	var sizes []core.PrefixPart
	texts := 0
	for e := r.Get("parts").Elements(); e.Next() && len(parts) < maxNames; {
		part := core.Part{Label: short(e.Value.Get("label")), Tokens: count(e.Value.Get("tokens")), Deferred: e.Value.Get("deferred").Bool()}
		if text := e.Value.Get("text"); textual(text) {
			part.Text, texts = []byte(text.String()), texts+1
		}
		parts, sizes = append(parts, part), append(sizes, core.PrefixPart{Part: part})
	}
	if texts > 0 && !r.Get("recorded").Bool() {
		n.emit(core.ContextSet{Kind: kind, Parts: parts})
	} else if len(sizes) > 0 {
		n.tell(core.FromRecord, kind, sizes)
	}
}

func (n *neutral) item(r json.Value) {
	kind, ok := core.KindOf(short(r.Get("kind")))
	if !ok {
		n.unknown(r, r.Get("kind"))
		return
	}
	key := hash(r.Get("key"))
	place, again := n.places[key]
	again = again && key != 0
	if again && (place < 0 || place >= n.items) {
		return
	}
	if r.Get("turn").Bool() && !again {
		n.turn()
	}
	call, item := hash(r.Get("call")), newItem(kind)
	if text := r.Get("text"); text.Kind() == json.Object {
		item.Text, item.Parameters = text.Raw(), int64(text.Len())
	} else {
		item.Text, n.scratch = text.Text(n.scratch)
	}
	item.Tokens = count(r.Get("tokens"))
	item.Error = r.Get("error").Bool()
	item.NotReply = r.Get("unanswered").Bool()
	item.Opaque = max(count(r.Get("opaque")), 0)
	item.Wrapping = max(count(r.Get("wrapping")), 0)
	item.MediaType = short(r.Get("media"))
	item.Name = short(r.Get("name"))
	switch kind {
	case core.ToolCalls:
		item.About = about(item.Name, r.Get("text"))
		if !again {
			n.tools.put(call, item.Name, n.items)
		}
	case core.ToolResults:
		if name := n.tools.get(call); name != "" {
			item.Name = name
		}
		if item.Answers = n.tools.answers(call); item.Answers == 0 {
			item.Answers = int(min(max(count(r.Get("answers")), 0), int64(n.items)))
		}
	case core.Media:
		if pixels := r.Get("pixels"); textual(pixels) {
			item.Width, item.Height = imageSize(pixels)
		} else {
			item.Width, item.Height = max(count(r.Get("width")), 0), max(count(r.Get("height")), 0)
		}
	}
	if item.Label = item.Name; item.Label == "" {
		item.Label = short(r.Get("label"))
	}
	if again {
		n.emit(core.Replaced{Index: place, Item: item})
		return
	}
	at := n.add(item)
	if key != 0 && len(n.places) < maxPlaces {
		if n.places == nil {
			n.places = make(map[uint64]int)
		}
		n.places[key] = at
	}
}

func (n *neutral) usage(r json.Value) {
	m := core.NewMetered()
	m.Request = short(r.Get("id"))
	m.In, m.Out, m.Reasoning = count(r.Get("in")), count(r.Get("out")), count(r.Get("reasoning"))
	m.CacheRead, m.CacheWrite = count(r.Get("read")), count(r.Get("write"))
	m.Sum, m.SideRequest, m.OutPlaceholder = r.Get("sum").Bool(), r.Get("side").Bool(), r.Get("placeholder").Bool()
	m.Own = r.Get("own").Bool()
	m.Ambiguous, m.Uncounted = m.Own, m.Own
	m.Note = short(r.Get("note"))
	if model := short(r.Get("model")); model != "" && !m.SideRequest && !m.Sum {
		route := n.route
		if told := r.Get("route"); textual(told) {
			route = short(told)
		}
		m.Model = n.answered(model, short(r.Get("provider")), route)
	}
	m.Through, m.ThroughSet = n.items, true
	if place, known := n.places[hash(r.Get("before"))]; known && place >= 0 {
		m.Through = place
	}
	if through := count(r.Get("through")); through >= 0 {
		m.Through = int(min(through, int64(n.items)))
	}
	n.emit(m)
}

func (n *neutral) compacted(r json.Value) {
	e := core.Compacted{Auto: r.Get("auto").Bool(), Tokens: count(r.Get("tokens")), Before: count(r.Get("before"))}
	e.Kept = min(int(max(count(r.Get("kept")), 0)), n.items)
	if text := r.Get("text"); textual(text) {
		summary := newItem(core.Summary)
		summary.Text, n.scratch = text.Text(n.scratch)
		e.Summary = &summary
	}
	n.emit(e)
	gone := n.items - e.Kept
	for key, place := range n.places {
		n.places[key] = max(place-gone, -1)
	}
	n.tools.moved()
	if n.items = e.Kept; e.Summary != nil {
		n.items++
	}
}

func (n *neutral) walk(c *codec.Codec) {
	n.base(c)
	n.tools.walk(c.Part("tools"))
	n.children.walk(c.Part("children"), n.another)
	codec.Map(c, "places", &n.places, maxPlaces, func(place *int, c *codec.Codec) { codec.Within(c, "place", place, -1, core.MaxItems) })
}
