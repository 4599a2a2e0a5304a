// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// neutral reads the sessions of stores that are not text, such as databases. Hosts read the stores; package
// internal/neutral writes and describes the records, which have one shape for all agents.
type neutral struct {
	speech
	id     string
	places map[uint64]int // of the items that may be told again; -1 for those that are summed up
}

// maxPlaces bounds the items that are recognised when they are told again.
const maxPlaces = 100_000

// storeOf returns the agent whose store a record is from, nil for a record of another shape.
func storeOf(r json.Value) *Entry {
	if by := r.Get("by"); textual(by) && textual(r.Get("is")) {
		if e, ok := Find(short(by)); ok && e.FromStore {
			return e
		}
	}
	return nil
}

func (n *neutral) Record(r json.Value, emit func(core.Event)) {
	n.emit = emit
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
			n.emit(core.AgentPercent{Hundredths: p, Label: text(r.Get("label"))})
		}
	case is.Is("over"):
		n.turnOver()
	case is.Is("warning"):
		if sentence := text(r.Get("text")); !sentence.Empty() {
			n.emit(core.Warned{Sentence: sentence})
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
		part := core.Part{Label: text(e.Value.Get("label")), Tokens: count(e.Value.Get("tokens")), Deferred: e.Value.Get("deferred").Bool()}
		if text := e.Value.Get("text"); textual(text) {
			part.Text, texts = []byte(text.String()), texts+1
		}
		parts, sizes = append(parts, part), append(sizes, core.PrefixPart{Part: part})
	}
	if texts > 0 {
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
		item.Answers = n.tools.answers(call)
	case core.Media:
		item.Width, item.Height = imageSize(r.Get("pixels"))
	}
	item.Label = core.Named(item.Name)
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
	m.Note = text(r.Get("note"))
	if model := short(r.Get("model")); model != "" && !m.SideRequest && !m.Sum {
		m.Model = n.answered(model, short(r.Get("provider")), n.route)
	}
	m.Through, m.ThroughSet = n.items, true
	if place, known := n.places[hash(r.Get("before"))]; known && place >= 0 {
		m.Through = place
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
	n.walkSpeech(c)
	codec.Map(c, "places", &n.places, maxPlaces, func(place *int, c *codec.Codec) { codec.Within(c, "place", place, -1, core.MaxItems) })
}

// text reads a label or a sentence: a string, or a phrase.
func text(v json.Value) core.Text {
	if v.Kind() != json.Object {
		return core.Named(short(v))
	}
	t, _ := phrase.Read(v)
	return t
}
