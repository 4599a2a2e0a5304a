// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var dshEntry = Entry{
	ID: DSH, Name: "DeepSeek Harness", CompactCommand: "/compact",
	Proof:     Proof{Dated: "2026-11"},
	Recognise: isDSH, Read: func(string) Reader { return &dsh{} }, Rule: dshRule,
}

// dshRule returns DeepSeek Harness's rule: it compacts at four fifths of the window, down to 0.16 of it.
func dshRule(*Installation) core.Rule {
	return core.Rule{
		Name: "dsh", Since: "2026-08-07", Source: "dsh 0.1.0-rc.5 packages/compaction/compaction-basic/src/config.ts: 0.8, keeps 0.16",
		Percent: 8000, OfWindow: true,
		First: core.FirstPrompt{Tools: core.Unrecorded{Usual: 5_000, Most: 9_000}},
	}
}

func isDSH(r json.Value) bool {
	kind := r.Get("type")
	if kind.Is("session") {
		return r.Get("createdAt").Exists() && r.Get("cwd").Exists()
	}
	if !reader.HasText(kind) || r.Get("data").Kind() != json.Object {
		return false
	}
	return r.Get("seq").Exists() && strings.IndexByte(kind.String(), '/') > 0 || r.Get("seq0").Exists()
}

// dsh reads the events of DeepSeek Harness. Replies come in parts first, and then as a whole, with their usage.
type dsh struct {
	reader.Messages
	spans  []seqSpan // the number of items up to each event, for compactions
	kept   int       // items kept by the current compaction
	summed bool      // its summary is known, and its message follows
}

// A seqSpan is an event with a message, and the number of items up to it.
type seqSpan struct {
	seq  int64
	next int
}

// maxSeqSpans bounds the messages with a known event. A compaction of older ones keeps the known ones.
const maxSeqSpans = 20_000

func (d *dsh) Walk(c *codec.Codec) {
	d.WalkMessages(c)
	codec.List(c, "spans", &d.spans, maxSeqSpans, func(s *seqSpan, c *codec.Codec) {
		codec.Within(c, "seq", &s.seq, 0, maxRecords)
		codec.Within(c, "next", &s.next, 0, core.MaxItems)
	})
	codec.Within(c, "kept", &d.kept, 0, core.MaxItems)
	c.Bools("summed", &d.summed)
}

func (d *dsh) Record(r json.Value, emit func(core.Event)) {
	d.Emit = emit
	d.AdvanceTo(r.Get("time"))
	if d.Agent == "" {
		d.SetAgent(DSH, json.Value{})
	}
	kind, data := r.Get("type"), r.Get("data")
	switch {
	case kind.Is("session"):
		d.SetWorkspace(r.Get("cwd"))
	case kind.Is("session/title"):
		d.SetTitle(data.Get("title"), core.ByAgent)
	case kind.Is("request/header"):
		h := data.Get("header")
		d.uses(h.Get("config"))
		d.HasPrefix = false // recorded as a whole
		d.SetSystem(h.Get("system"), h.Get("tools"))
	case kind.Is("request/context"):
		d.uses(data)
		d.SetWindow(reader.Count(data.Get("contextWindow")), core.Unknown, core.Unknown)
	case kind.Is("turn/start"):
		d.StartTurn()
	case kind.Is("turn/end"):
		d.EndTurn()
	case kind.Is("user/message"):
		d.message(data)
	case kind.Is("assistant/message"):
		m := data.Get("message")
		d.used(data.Get("usage"), false, reader.Short(m.Get("id")))
		d.AddBlocks(core.Assistant, m.Get("content"))
	case kind.Is("tool/result"):
		d.AddBlocks(core.ToolResults, data.Path("message", "content"))
	case kind.Is("compaction/summary"):
		d.used(data.Get("usage"), true, "")
		d.summed, d.kept = true, d.keptAfter(reader.Count(data.Path("shadowedRange", "end")))
	case kind.Is("compaction/end"):
		if d.summed {
			d.compacted(json.Value{})
		}
	default:
		if !isDSH(r) {
			d.SkipUnknown(r, kind)
		}
		return
	}
	d.placed(reader.Count(r.Get("seq")))
}

// placed records that all items so far belong to events up to one.
func (d *dsh) placed(seq int64) {
	last := len(d.spans) - 1
	if seq < 0 || last >= 0 && (d.spans[last].seq >= seq || d.spans[last].next == d.Items) {
		return
	}
	if last+1 >= maxSeqSpans {
		d.spans = append(d.spans[:0], d.spans[maxSeqSpans/2:]...)
	}
	d.spans = append(d.spans, seqSpan{seq, d.Items})
}

// keptAfter returns the number of items after an event.
func (d *dsh) keptAfter(seq int64) int {
	for i := len(d.spans) - 1; i >= 0; i-- {
		if d.spans[i].seq <= seq {
			return d.Items - d.spans[i].next
		}
	}
	return d.Items
}

func (d *dsh) uses(model json.Value) {
	d.SetModel(reader.Short(model.Get("model")), reader.Short(model.Get("provider")), "")
}

// message reads a message of the user or in the user's role, such as the summary of a compaction.
func (d *dsh) message(data json.Value) {
	if d.summed && data.Path("source", "plugin").Is("compact") {
		d.compacted(data.Get("content"))
		return
	}
	d.AddBlocks(core.User, data.Get("content"))
}

func (d *dsh) compacted(summary json.Value) {
	removed := d.Items - d.kept
	d.Compact(summary, d.kept, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	rest := d.spans[:0]
	for _, s := range d.spans {
		if s.next > removed {
			rest = append(rest, seqSpan{s.seq, s.next - removed})
		}
	}
	d.spans, d.summed, d.kept = rest, false, 0
}

var dshUsage = reader.UsageKeys{
	Fresh: "inputTokens", Read: "cacheReadTokens", Written: "cacheWriteTokens", Out: "outputTokens", Reasoning: "reasoningTokens",
}

func (d *dsh) used(u json.Value, aside bool, request string) {
	m := reader.DisjointUsage(u, dshUsage)
	m.Request, m.SideRequest = request, aside
	d.Meter(m)
}
