// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// storeReader reads the sessions of binary stores, such as databases. Hosts read the stores; package
// internal/transcript (storewriter.go) writes and describes the records, which have the same shape for all agents.
type storeReader struct {
	reader.Messages
	id     string
	places map[uint64]int // index of each item that may be sent again; -1 for those that were summarized
}

// maxPlaces bounds the items that are recognized when they are sent again.
const maxPlaces = 100_000

// storeOf returns the agent whose store a record is from, nil for a record of another shape.
func storeOf(r json.Value) *Entry {
	if by := r.Get("by"); reader.HasText(by) && reader.HasText(r.Get("is")) {
		if e, ok := Find(reader.Short(by)); ok && e.FromStore {
			return e
		}
	}
	return nil
}

func (n *storeReader) Record(r json.Value, emit func(core.Event)) {
	n.Emit = emit
	n.AdvanceTo(r.Get("at"))
	if n.Agent == "" {
		n.SetAgent(n.id, r.Get("version"))
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
		if p := reader.Count(r.Get("percent")); p >= 0 {
			n.Emit(core.AgentPercent{Hundredths: p, Label: text(r.Get("label"))})
		}
	case is.Is("over"):
		n.EndTurn()
	case is.Is("warning"):
		if sentence := text(r.Get("text")); !sentence.Empty() {
			n.Emit(core.Warned{Sentence: sentence})
		}
	default:
		n.SkipUnknown(r, is)
	}
}

func (n *storeReader) session(r json.Value) {
	n.SetAgent(n.id, r.Get("version"))
	n.SetWorkspace(r.Get("cwd"))
	n.SetBranch(r.Get("branch"))
	n.SetTitle(r.Get("title"), core.ByAgent)
	n.SetModel(reader.Short(r.Get("model")), reader.Short(r.Get("provider")), reader.Short(r.Get("route")))
	limits := core.Limits{Window: reader.Count(r.Get("window")), Input: reader.Count(r.Get("input")), Output: reader.Count(r.Get("output"))}
	if limits.Window > 0 || limits.Input > 0 {
		n.Emit(core.LimitsKnown{Limits: limits, Source: core.FromAgent})
	}
}

// context reads a fixed row: its texts, or definitions of tools and sizes from the agent, which only divide the window.
func (n *storeReader) context(r json.Value) {
	kind, ok := core.KindOf(reader.Short(r.Get("kind")))
	if !ok || !kind.Fixed() {
		n.SkipUnknown(r, r.Get("kind"))
		return
	}
	var parts []core.Part
	var sizes []core.PrefixPart
	texts := 0
	for e := r.Get("parts").Elements(); e.Next() && len(parts) < reader.MaxNames; {
		part := core.Part{Label: text(e.Value.Get("label")), Tokens: reader.Count(e.Value.Get("tokens")), Deferred: e.Value.Get("deferred").Bool()}
		if text := e.Value.Get("text"); reader.HasText(text) {
			part.Text, texts = []byte(text.String()), texts+1
		} else if tool := e.Value.Get("tool"); tool.Kind() == json.Object {
			part.Text = reader.Definition(nil, tool)
		}
		parts, sizes = append(parts, part), append(sizes, core.PrefixPart{Part: part, Reference: e.Value.Get("reference").Bool()})
	}
	if texts > 0 {
		n.Emit(core.ContextSet{Kind: kind, Parts: parts})
	} else if len(sizes) > 0 {
		n.SetPrefix(core.FromRecord, kind, sizes)
	}
}

func (n *storeReader) item(r json.Value) {
	kind, ok := core.KindOf(reader.Short(r.Get("kind")))
	if !ok {
		n.SkipUnknown(r, r.Get("kind"))
		return
	}
	key := reader.Hash(r.Get("key"))
	place, known := n.places[key]
	known = known && key != 0
	if known && (place < 0 || place >= n.Items) {
		return
	}
	if r.Get("turn").Bool() && !known {
		n.StartTurn()
	}
	call, item := reader.Hash(r.Get("call")), reader.NewItem(kind)
	if text := r.Get("text"); text.Kind() == json.Object {
		item.Text, item.Parameters = text.Raw(), int64(text.Len())
	} else {
		item.Text, n.Scratch = text.Text(n.Scratch)
	}
	item.Tokens = reader.Count(r.Get("tokens"))
	item.Error = r.Get("error").Bool()
	item.NotReply = r.Get("unanswered").Bool()
	item.Opaque = max(reader.Count(r.Get("opaque")), 0)
	item.MediaType = reader.Short(r.Get("media"))
	item.Name = reader.Short(r.Get("name"))
	switch kind {
	case core.ToolCalls:
		item.About = reader.About(item.Name, r.Get("text"))
		if !known {
			n.Calls.Add(call, item.Name, n.Items)
		}
	case core.ToolResults:
		if name := n.Calls.Name(call); name != "" {
			item.Name = name
		}
		item.Answers = n.Calls.Answers(call)
	case core.Media:
		item.Width, item.Height = reader.ImageSize(r.Get("pixels"))
	}
	item.Label = core.Named(item.Name)
	if known {
		n.Emit(core.Replaced{Index: place, Item: item})
		return
	}
	at := n.Add(item)
	if key != 0 && len(n.places) < maxPlaces {
		if n.places == nil {
			n.places = make(map[uint64]int)
		}
		n.places[key] = at
	}
}

func (n *storeReader) usage(r json.Value) {
	m := core.NewMetered()
	m.Request = reader.Short(r.Get("id"))
	m.In, m.Out, m.Reasoning = reader.Count(r.Get("in")), reader.Count(r.Get("out")), reader.Count(r.Get("reasoning"))
	m.CacheRead, m.CacheWrite = reader.Count(r.Get("read")), reader.Count(r.Get("write"))
	m.Sum, m.SideRequest, m.OutPlaceholder = r.Get("sum").Bool(), r.Get("side").Bool(), r.Get("placeholder").Bool()
	m.Own = r.Get("own").Bool()
	m.Note = text(r.Get("note"))
	if model := reader.Short(r.Get("model")); model != "" && !m.SideRequest && !m.Sum {
		m.Model = n.AnsweredBy(model, reader.Short(r.Get("provider")), n.Route)
	}
	m.Through, m.ThroughSet = n.Items, true
	if place, known := n.places[reader.Hash(r.Get("before"))]; known && place >= 0 {
		m.Through = place
	}
	n.Emit(m)
}

func (n *storeReader) compacted(r json.Value) {
	e := core.Compacted{Auto: r.Get("auto").Bool(), Tokens: reader.Count(r.Get("tokens")), Before: reader.Count(r.Get("before"))}
	e.Kept = min(int(max(reader.Count(r.Get("kept")), 0)), n.Items)
	if text := r.Get("text"); reader.HasText(text) {
		summary := reader.NewItem(core.Summary)
		summary.Text, n.Scratch = text.Text(n.Scratch)
		e.Summary = &summary
	}
	n.Emit(e)
	removed := n.Items - e.Kept
	for key, place := range n.places {
		n.places[key] = max(place-removed, -1)
	}
	n.Calls.ForgetIndices()
	if n.Items = e.Kept; e.Summary != nil {
		n.Items++
	}
}

func (n *storeReader) Walk(c *codec.Codec) {
	n.WalkMessages(c)
	codec.Map(c, "places", &n.places, maxPlaces, func(place *int, c *codec.Codec) { codec.Within(c, "place", place, -1, core.MaxItems) })
}

// text reads a label or a message: a string, or a phrase.
func text(v json.Value) core.Text {
	if v.Kind() != json.Object {
		return core.Named(reader.Short(v))
	}
	t, _ := phrase.Read(v)
	return t
}
