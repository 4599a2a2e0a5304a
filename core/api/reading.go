// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func number(w *json.Writer, key string, n int64) {
	w.Field(key)
	if n == core.Unknown {
		w.Null()
		return
	}
	w.Int(n)
}

// signed writes a number for which -1 is a value like any other.
func signed(w *json.Writer, key string, n int64) {
	w.Field(key)
	w.Int(n)
}

func percent(w *json.Writer, key string, hundredths int64) {
	w.Field(key)
	if hundredths == core.Unknown {
		w.Null()
		return
	}
	w.Hundredths(hundredths)
}

func text(w *json.Writer, key, value string) {
	w.Field(key)
	w.String(value)
}

// word writes one of the protocol's own words, which hold nothing to escape.
func word(w *json.Writer, key, value string) {
	w.Field(key)
	w.Plain(value)
}

func limitSource(s core.LimitSource) string {
	switch s {
	case core.FromUser:
		return "user"
	case core.FromError:
		return "error"
	case core.FromAgent:
		return "agent"
	case core.FromProvider:
		return "provider"
	case core.FromAgentTable:
		return "agentTable"
	case core.FromRegistry:
		return "registry"
	}
	return "unknown"
}

// writeReading writes the Reading of a session, the shape that types.go
// declares, field by field in its order.
func (c *Core) writeReading(e *entry) {
	r := &c.shown
	e.session.Read(r)
	w := &c.out
	w.BeginObject()
	word(w, "schema", core.Schema)
	text(w, "session", r.ID)
	text(w, "label", r.Label)
	text(w, "agent", r.Agent)
	text(w, "agentVersion", r.AgentVersion)
	text(w, "model", r.Model)
	text(w, "workspace", r.Workspace)
	text(w, "title", r.Title)
	text(w, "branch", r.Branch)
	w.Field("parent")
	if r.Parent == "" {
		w.Null()
	} else {
		w.String(r.Parent)
	}
	word(w, "mode", r.Mode.String())
	word(w, "basis", r.Basis.String())
	w.Field("pending")
	w.Bool(r.Pending)
	writeActivity(w, r)
	number(w, "used", r.Used)
	number(w, "low", r.Low)
	number(w, "high", r.High)
	number(w, "limit", r.Limit)
	w.Field("free")
	if r.Limit == core.Unknown {
		w.Null()
	} else {
		w.Int(r.Free)
	}
	number(w, "reserve", r.Reserve)
	percent(w, "percent", r.Percent)
	word(w, "limitSource", limitSource(r.LimitSource))
	writeLastRequest(w, r.LastRequest)
	writeLeaving(w, &r.Leaving)
	w.Field("new")
	w.BeginObject()
	signed(w, "tokens", r.New.Tokens)
	number(w, "items", int64(r.New.Items))
	word(w, "basis", r.New.Basis.String())
	w.EndObject()
	w.Field("breakdown")
	w.BeginArray()
	for i := range r.Breakdown {
		writeRow(w, &r.Breakdown[i])
	}
	w.EndArray()
	writeCompaction(w, &r.Compaction, r.Limit != core.Unknown)
	w.Field("advice")
	w.BeginArray()
	for i := range r.Advice {
		a := &r.Advice[i]
		w.BeginObject()
		text(w, "action", a.Action)
		text(w, "label", a.Label)
		number(w, "tokens", a.Tokens)
		number(w, "items", a.Items)
		text(w, "how", a.How)
		w.Field("breaksCache")
		w.Bool(a.BreaksCache)
		w.EndObject()
	}
	w.EndArray()
	writeAccuracy(w, &r.Accuracy)
	w.Field("spent")
	w.BeginObject()
	number(w, "calls", r.Spent.Calls)
	number(w, "in", r.Spent.In)
	number(w, "out", r.Spent.Out)
	number(w, "cacheRead", r.Spent.CacheRead)
	number(w, "cacheWrite", r.Spent.CacheWrite)
	number(w, "reasoning", r.Spent.Reasoning)
	w.EndObject()
	number(w, "compactions", r.Compactions)
	w.Field("children")
	w.BeginArray()
	for _, child := range e.children {
		c.writeBrief(child, false)
	}
	w.EndArray()
	w.Field("warnings")
	w.BeginArray()
	for _, sentence := range r.Warnings {
		w.String(sentence)
	}
	w.EndArray()
	number(w, "asOf", r.AsOf)
	w.Field("agentPercent")
	if r.AgentOwn == nil {
		w.Null()
	} else {
		w.BeginObject()
		percent(w, "value", r.AgentOwn.Hundredths)
		text(w, "label", r.AgentOwn.Label)
		w.EndObject()
	}
	writeDisplay(w, &r.Display)
	w.EndObject()
}

func writeActivity(w *json.Writer, r *core.Reading) {
	word(w, "activity", r.Activity.String())
	word(w, "waitingFor", r.WaitingFor)
	number(w, "since", r.Since)
}

func writeLastRequest(w *json.Writer, l *core.LastRequest) {
	w.Field("lastRequest")
	if l == nil {
		w.Null()
		return
	}
	w.BeginObject()
	number(w, "in", l.In)
	percent(w, "percent", l.Percent)
	number(w, "cacheRead", l.CacheRead)
	number(w, "cacheWrite", l.CacheWrite)
	number(w, "out", l.Out)
	number(w, "reasoning", l.Reasoning)
	number(w, "carry", l.Carry)
	word(w, "carryBasis", l.CarryBasis.String())
	w.EndObject()
}

func writeLeaving(w *json.Writer, l *core.Leaving) {
	w.Field("leaving")
	w.BeginObject()
	number(w, "tokens", l.Tokens)
	w.Field("reasons")
	w.BeginArray()
	for _, r := range l.Reasons {
		w.BeginObject()
		text(w, "reason", r.Reason)
		number(w, "tokens", r.Tokens)
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
}

func writeRow(w *json.Writer, r *core.Row) {
	w.BeginObject()
	word(w, "kind", r.Kind.String())
	text(w, "label", r.Label)
	number(w, "tokens", r.Tokens)
	word(w, "basis", r.Basis.String())
	if r.Deferred {
		w.Field("deferred")
		w.Bool(true)
	}
	w.EndObject()
}

func writeRange(w *json.Writer, key string, r *core.Range, likely bool) {
	w.Field(key)
	if r == nil {
		w.Null()
		return
	}
	w.BeginObject()
	signed(w, "low", r.Low)
	if likely {
		signed(w, "likely", r.Likely)
	}
	signed(w, "high", r.High)
	w.EndObject()
}

func writeCompaction(w *json.Writer, k *core.Compaction, limited bool) {
	w.Field("compaction")
	w.BeginObject()
	text(w, "rule", k.Rule)
	text(w, "since", k.Since)
	text(w, "source", k.Source)
	number(w, "line", k.Line)
	w.Field("left")
	if k.Line == core.Unknown {
		w.Null()
	} else {
		w.Int(k.Left)
	}
	percent(w, "percent", k.Percent)
	word(w, "level", k.Level.String())
	w.Field("advised")
	w.Bool(k.Advised)
	number(w, "buffer", k.Buffer)
	writeRange(w, "landing", k.Landing, false)
	writeRange(w, "callsLeft", k.CallsLeft, true)
	writeRange(w, "turnsLeft", k.TurnsLeft, true)
	w.EndObject()
}

func writeAccuracy(w *json.Writer, a *core.Accuracy) {
	w.Field("accuracy")
	w.BeginObject()
	w.Field("last")
	if a.Last == nil {
		w.Null()
	} else {
		w.BeginObject()
		signed(w, "predicted", a.Last.Predicted)
		signed(w, "actual", a.Last.Actual)
		signed(w, "error", a.Last.Error)
		w.Field("percent")
		w.Hundredths(a.Last.Percent)
		text(w, "cause", a.Last.Cause)
		w.EndObject()
	}
	w.Field("ratio")
	w.Hundredths(a.Ratio)
	number(w, "medianTokens", a.MedianTokens)
	number(w, "p95Tokens", a.P95Tokens)
	percent(w, "p95Percent", a.P95Percent)
	number(w, "steps", a.Steps)
	w.EndObject()
}

func writeDisplay(w *json.Writer, d *core.Display) {
	w.Field("display")
	w.BeginObject()
	word(w, "mark", d.Mark)
	word(w, "percent", d.Percent)
	word(w, "used", d.Used)
	word(w, "limit", d.Limit)
	word(w, "free", d.Free)
	word(w, "left", d.Left)
	word(w, "percentLeft", d.PercentLeft)
	word(w, "line", d.Line)
	word(w, "linePercent", d.LinePercent)
	word(w, "linePercentLeft", d.LinePercentLeft)
	word(w, "bar", d.Bar)
	w.EndObject()
}

// writeBrief writes a session in short, with the children it has, nested
// unless the caller lists them itself.
func (c *Core) writeBrief(e *entry, flat bool) {
	r := &c.brief
	e.session.Read(r)
	w := &c.out
	w.BeginObject()
	text(w, "session", r.ID)
	text(w, "label", r.Label)
	text(w, "agent", r.Agent)
	text(w, "model", r.Model)
	text(w, "workspace", r.Workspace)
	text(w, "title", r.Title)
	text(w, "branch", r.Branch)
	w.Field("parent")
	if r.Parent == "" {
		w.Null()
	} else {
		w.String(r.Parent)
	}
	number(w, "used", r.Used)
	number(w, "limit", r.Limit)
	percent(w, "percent", r.Percent)
	word(w, "level", r.Compaction.Level.String())
	word(w, "basis", r.Basis.String())
	w.Field("pending")
	w.Bool(r.Pending)
	writeActivity(w, r)
	number(w, "asOf", r.AsOf)
	display := r.Display // c.brief is the children's next
	w.Field("children")
	w.BeginArray()
	for _, child := range e.children {
		if flat {
			w.String(child.session.ID)
		} else {
			c.writeBrief(child, false)
		}
	}
	w.EndArray()
	writeDisplay(w, &display)
	w.EndObject()
}
