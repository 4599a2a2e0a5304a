// Copyright The ctx-lsp authors. MIT licence.

package neutral

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Event tells an event that a reader outside of the module has made of a record, so that the reader of neutral records
// makes the same of it. It is nil for an event that stands for nothing else than a time.
func Event(by string, e core.Event) []byte {
	t := Teller{By: by}
	child := ""
	if of, ok := e.(core.ForChild); ok {
		child, e = of.Child, of.Event
	}
	is := ""
	switch e.(type) {
	case core.At, core.AgentSeen, core.WorkspaceSeen, core.BranchSeen, core.TitleSeen, core.ModelSet, core.LimitsKnown:
		is = "session"
	case core.PrefixKnown:
		is = "context"
	case core.Appended:
		is = "item"
	case core.Metered:
		is = "usage"
	case core.Compacted:
		is = "compacted"
	case core.Dropped:
		is = "gone"
	case core.Truncated:
		is = "rewound"
	case core.TurnStarted:
		is = "turn"
	case core.TurnEnded:
		is = "over"
	case core.AgentPercent:
		is = "own"
	case core.Skipped:
		is = "skipped"
	case core.Warned:
		is = "warning"
	default:
		return nil
	}
	r := t.begin(is, 0)
	r.text("child", child)
	r.event(e)
	r.w.EndObject()
	return r.w.Buf
}

// event writes what an event says.
func (r *writing) event(e core.Event) {
	switch e := e.(type) {
	case core.At:
		r.number("at", e.Milliseconds, 0)
	case core.AgentSeen:
		r.text("version", e.Version)
	case core.WorkspaceSeen:
		r.text("cwd", e.Path)
	case core.BranchSeen:
		r.text("branch", e.Branch)
	case core.TitleSeen:
		r.text("title", e.Title)
	case core.ModelSet:
		r.model(e)
	case core.LimitsKnown:
		r.number("window", e.Window, 0)
		r.number("input", e.Input, 0)
		r.number("output", e.Output, 0)
	case core.PrefixKnown:
		r.prefix(e)
	case core.Appended:
		r.item(&e.Item)
	case core.Metered:
		r.usage(&e)
	case core.Compacted:
		r.yes("auto", e.Auto)
		r.number("kept", int64(e.Kept), 0)
		r.number("before", e.Before, Unknown)
		r.number("tokens", e.Tokens, Unknown)
		if e.Summary != nil {
			r.text("text", string(e.Summary.Text))
		}
	case core.Dropped:
		r.number("index", int64(e.Index), -1)
		r.text("text", e.Reason)
	case core.Truncated:
		r.number("index", int64(e.From), -1)
	case core.AgentPercent:
		r.number("percent", e.Hundredths, -1)
		r.text("label", e.Label)
	case core.Skipped:
		r.number("bytes", e.Bytes, 0)
		r.text("text", e.Reason)
	case core.Warned:
		r.text("text", e.Sentence)
	}
}

func (r *writing) model(m core.ModelSet) {
	r.text("model", m.Model)
	r.text("provider", m.Provider)
	r.text("route", m.Route)
}

func (r *writing) prefix(e core.PrefixKnown) {
	r.text("kind", e.Kind.String())
	r.yes("recorded", true)
	r.w.Key("parts")
	r.w.BeginArray()
	for _, p := range e.Parts {
		r.w.BeginObject()
		r.text("label", p.Label)
		r.text("text", string(p.Text))
		r.number("tokens", p.Tokens, Unknown)
		r.w.EndObject()
	}
	r.w.EndArray()
}

func (r *writing) item(i *core.Item) {
	r.text("kind", i.Kind.String())
	r.text("name", i.Name)
	r.text("label", i.Label)
	if v, err := json.Parse(i.Text); i.Parameters >= 0 && err == nil && v.Kind() == json.Object {
		r.w.Key("text")
		r.w.Raw(i.Text)
	} else {
		r.text("text", string(i.Text))
	}
	r.text("media", i.MediaType)
	r.number("tokens", i.Tokens, Unknown)
	r.number("opaque", i.Opaque, 0)
	r.number("wrapping", i.Wrapping, 0)
	r.number("width", i.Width, 0)
	r.number("height", i.Height, 0)
	r.number("answers", int64(i.Answers), 0)
	r.yes("error", i.Error)
	r.yes("unanswered", i.NotReply)
}

func (r *writing) usage(m *core.Metered) {
	r.text("id", m.Request)
	r.model(m.Model)
	r.text("note", m.Note)
	for _, n := range []struct {
		key string
		n   int64
	}{{"in", m.In}, {"out", m.Out}, {"reasoning", m.Reasoning}, {"read", m.CacheRead}, {"write", m.CacheWrite}} {
		r.number(n.key, n.n, Unknown)
	}
	if m.ThroughSet {
		r.number("through", int64(m.Through), -1)
	}
	r.yes("own", m.Own)
	r.yes("side", m.SideRequest)
	r.yes("sum", m.Sum)
}
